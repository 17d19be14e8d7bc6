import CommandLineParsing
import Geofencing

/// One key of `geofenced.conf`: what it is called, takes and means.
///
/// Reading a file, the example file and the manual page all come from the keys in
/// ``ConfigurationSection/all``.
package struct ConfigurationKey: Sendable {
  /// Its name.
  package let name: String
  /// What values it takes, to stand behind "wants": for example `a number from 1 to 10`.
  package let expectation: String
  /// What it does, in one paragraph.
  package let documentation: String
  /// Sets the value from a text, or returns the part of the text that the key doesn't take.
  private let read: @Sendable (String, inout Configuration) -> String?
  private let write: @Sendable (Configuration) -> String

  /// Its default, as it would be written in the file.
  var defaultText: String { write(Configuration()) }

  /// Takes the value of another configuration.
  func copy(from source: Configuration, to configuration: inout Configuration) {
    _ = read(write(source), &configuration)
  }

  /// Whether two configurations have the same value.
  func isEqual(in one: Configuration, and other: Configuration) -> Bool {
    write(one) == write(other)
  }

  /// Sets the value if the text is one; an empty text brings back the default.
  ///
  /// - Returns: what to say of a text that it doesn't take; nil where it did.
  package func apply(_ text: String, to configuration: inout Configuration) -> String? {
    read(text.isEmpty ? defaultText : text, &configuration)
      .map { "\(name)= wants \(expectation), got \(quoted($0))" }
  }
}

extension ConfigurationKey {
  /// The field that a key sets.
  typealias Place<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// A key with a function that parses its value, nil if that fails, and one that writes it.
  private init<Value: Sendable>(
    _ name: String, _ path: Place<Value>,
    wants expectation: String, _ documentation: String,
    parse: @escaping @Sendable (String) -> Value?, format: @escaping @Sendable (Value) -> String
  ) {
    self.init(
      name: name, expectation: expectation, documentation: documentation,
      read: { text, configuration in
        guard let value = parse(text) else { return text }
        configuration[keyPath: path] = value
        return nil
      },
      write: { format($0[keyPath: path]) })
  }

  /// A key that takes text for which a rule holds.
  static func text(
    _ name: String, _ path: Place<String>,
    wants expectation: String, _ documentation: String,
    where isValid: @escaping @Sendable (String) -> Bool
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path, wants: expectation, documentation, parse: { isValid($0) ? $0 : nil },
      format: { $0 })
  }

  /// A key that takes the absolute path of a directory.
  static func directory(
    _ name: String, _ path: Place<String>, longest: Int,
    _ documentation: String
  ) -> ConfigurationKey {
    text(
      name, path, wants: "an absolute path of at most \(longest) bytes", documentation,
      where: { ConfigurationKey.isAbsolutePath($0, longest: longest) })
  }

  /// Whether a text is a path from the root, short enough and without control characters.
  static func isAbsolutePath(_ text: String, longest: Int) -> Bool {
    text.hasPrefix("/") && text.utf8.count <= longest
      && text.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
  }

  /// A key that takes a number.
  static func number(
    _ name: String, _ path: Place<Double>,
    _ range: ClosedRange<Double>, unit: String = "", _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path,
      wants: "a number\(unit.isEmpty ? "" : " of \(unit)") from "
        + "\(range.lowerBound.shortest) to \(range.upperBound.shortest)",
      documentation,
      parse: { text in Double(strict: text).flatMap { range.contains($0) ? $0 : nil } },
      format: \.shortest)
  }

  /// A key that takes a whole number.
  static func integer(
    _ name: String, _ path: Place<Int>,
    _ range: ClosedRange<Int>, _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path, wants: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      documentation, parse: { text in Int(strict: text).flatMap { range.contains($0) ? $0 : nil } },
      format: { String($0) })
  }

  /// A key that takes a span of time.
  static func duration(
    _ name: String, _ path: Place<Duration>,
    _ range: ClosedRange<Duration>, _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path,
      wants: "a time from \(range.lowerBound.timeSpan) to \(range.upperBound.timeSpan)",
      documentation,
      parse: { text in Duration(timeSpan: text).flatMap { range.contains($0) ? $0 : nil } },
      format: { $0.timeSpan })
  }

  /// A key that takes yes or no.
  static func boolean(
    _ name: String, _ path: Place<Bool>,
    _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path, wants: "yes or no", documentation,
      parse: { text in
        switch text.lowercased() {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: nil
        }
      },
      format: { $0 ? "yes" : "no" })
  }

  /// A key that takes one of a few numbers, each the raw value of a case.
  static func choice<Value: RawRepresentable<Int> & CaseIterable & Sendable>(
    _ name: String, _ path: Place<Value>,
    _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path, wants: "one of \(words(Value.self))", documentation,
      parse: { text in Int(strict: text).flatMap { Value(rawValue: $0) } },
      format: { String($0.rawValue) })
  }

  /// A key that takes one of a few words, each the raw value of a case.
  static func word<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Place<Value>,
    _ documentation: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name, path,
      wants: "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))", documentation,
      parse: { Value(rawValue: $0) }, format: { $0.rawValue })
  }

  /// A key that takes pairs of a name and one of a few numbers; each line adds to the pairs before.
  static func choices<Value: RawRepresentable<Int> & CaseIterable & Sendable>(
    _ name: String, _ path: Place<[String: Value]>,
    _ documentation: String
  ) -> ConfigurationKey {
    pairs(
      name, path,
      wants: "NAME:NUMBER pairs, separated by blanks, NUMBER being one of \(words(Value.self))",
      documentation,
      parse: { pair in
        // Names such as tcp://host:port have colons too.
        guard let colon = pair.lastIndex(of: ":"), colon > pair.startIndex,
          let value = Int(strict: pair[pair.index(after: colon)...]).flatMap({
            Value(rawValue: $0)
          })
        else { return nil }
        return (String(pair[..<colon]), value)
      },
      format: { "\($0):\($1.rawValue)" })
  }

  /// A key that takes pairs separated by blanks; each line adds to the pairs before.
  static func pairs<Name: Hashable & Comparable & Sendable, Value: Sendable>(
    _ name: String, _ path: Place<[Name: Value]>, wants expectation: String,
    _ documentation: String, parse: @escaping @Sendable (Substring) -> (Name, Value)?,
    format: @escaping @Sendable (Name, Value) -> String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, expectation: expectation, documentation: documentation,
      read: { text, configuration in
        let pairs = text.split { $0 == " " || $0 == "\t" }
        // An empty value brings back the default, which is an empty list.
        var values = pairs.isEmpty ? [:] : configuration[keyPath: path]
        for pair in pairs {
          guard let (name, value) = parse(pair) else { return String(pair) }
          values[name] = value
        }
        configuration[keyPath: path] = values
        return nil
      },
      write: { configuration in
        configuration[keyPath: path].sorted { $0.key < $1.key }
          .map { format($0.key, $0.value) }.joined(separator: " ")
      })
  }

  private static func words<Value: RawRepresentable<Int> & CaseIterable>(
    _: Value.Type
  ) -> String {
    Value.allCases.map { String($0.rawValue) }.joined(separator: ", ")
  }
}
