import CINIH

/// The assignments of an INI file, with their lines, read by inih.
///
/// The rules are those of systemd's files. A `#` or `;` at the start of a line makes it a comment,
/// and only there. A backslash at the end continues a line on the next. Blanks around names and
/// values don't matter. What inih would cut or skip silently is reported as a mistake: lines longer
/// than its buffer, comments behind values, text behind a section's name.
struct INIFile {
  /// One `Key=Value` line.
  struct Assignment: Equatable {
    let line: Int
    let section: String
    /// The line where its section starts; 0 before the first section.
    let sectionLine: Int
    let key: String
    let value: String
  }

  /// A line that can't be read.
  struct Mistake: Equatable {
    let line: Int
    let message: String
  }

  private(set) var assignments: [Assignment] = []
  private(set) var mistakes: [Mistake] = []

  /// Reads all lines; one that is wrong doesn't hide the others.
  init(_ bytes: [UInt8]) {
    let parsing = Parsing(LogicalLines(bytes))
    let result = withExtendedLifetime(parsing) {
      let context = unsafe Unmanaged.passUnretained(parsing).toOpaque()
      return unsafe ini_parse_stream(
        { buffer, capacity, context in
          guard let buffer = unsafe buffer, let context = unsafe context else { return nil }
          let parsing = unsafe Unmanaged<Parsing>.fromOpaque(context).takeUnretainedValue()
          guard let line = parsing.nextLine(capacity: Int(capacity)) else { return nil }
          for (index, byte) in line.enumerated() {
            unsafe buffer[index] = CChar(bitPattern: byte)
          }
          unsafe buffer[line.count] = 0
          return unsafe buffer
        },
        context,
        { context, section, name, value in
          guard let context = unsafe context, let section = unsafe section,
            let name = unsafe name, let value = unsafe value
          else { return 0 }
          unsafe Unmanaged<Parsing>.fromOpaque(context).takeUnretainedValue().assign(
            section: String(cString: section), key: String(cString: name),
            value: String(cString: value))
          return 1
        },
        context)
    }
    parsing.finishLine()
    assignments = parsing.assignments
    mistakes = parsing.mistakes
    // -2, no memory, is the only failure without a line.
    if result < 0 { mistakes.append(Mistake(line: 1, message: "there is no memory to read it")) }
  }
}

/// Gives inih the lines of the file, and takes the assignments that it reports.
private final class Parsing {
  private var lines: LogicalLines
  private var line = 0
  private var sectionLine = 0
  private var expectsAssignment = false
  private(set) var assignments: [INIFile.Assignment] = []
  private(set) var mistakes: [INIFile.Mistake] = []

  init(_ lines: LogicalLines) { self.lines = lines }

  /// The next line for inih's buffer, with its line break; an empty line in place of one that is wrong.
  func nextLine(capacity: Int) -> [UInt8]? {
    finishLine()
    guard capacity > 2, let next = lines.next() else { return nil }
    line = next.number
    // The buffer also holds the line break and the terminating zero.
    if let message = mistake(in: next.text, longest: capacity - 2) {
      mistakes.append(INIFile.Mistake(line: line, message: message))
      return [UInt8(ascii: "\n")]
    }
    if next.text.first == UInt8(ascii: "[") {
      sectionLine = line
    } else {
      expectsAssignment = !next.text.isEmpty
    }
    return next.text + [UInt8(ascii: "\n")]
  }

  func assign(section: String, key: String, value: String) {
    guard !key.isEmpty else { return }
    expectsAssignment = false
    assignments.append(
      INIFile.Assignment(
        line: line, section: section, sectionLine: sectionLine, key: key, value: value))
  }

  /// Reports the last line as a mistake if inih made nothing of it.
  func finishLine() {
    guard expectsAssignment else { return }
    expectsAssignment = false
    mistakes.append(INIFile.Mistake(line: line, message: "this is neither [Section] nor Key=Value"))
  }

  private func mistake(in text: [UInt8], longest: Int) -> String? {
    if text.contains(0) { return "there is a NUL byte in the line" }
    if String(validating: text, as: UTF8.self) == nil { return "the line is not valid UTF-8" }
    if text.count > longest {
      return "the line has \(text.count) bytes: write it in at most \(longest)"
    }
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    for (byte, next) in zip(text, text.dropFirst())
    where blanks.contains(byte) && next == UInt8(ascii: ";") {
      return "a comment can't follow a value: give it a line of its own"
    }
    if text.first == UInt8(ascii: "["),
      text.firstIndex(of: UInt8(ascii: "]")) != text.indices.last
    {
      return "a section's name ends with ']', and nothing follows it"
    }
    return nil
  }
}

/// The lines of a file without comments, with continued lines joined and blanks at both ends removed.
private struct LogicalLines {
  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: [UInt8]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    rest = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
  }

  /// The next line with the number of its first part; empty for a comment.
  mutating func next() -> (number: Int, text: [UInt8])? {
    guard let start = nextPhysical() else { return nil }
    let first = number
    if isComment(start) { return (first, []) }
    var text = Array(start)
    while text.last == UInt8(ascii: "\\"), let more = nextPhysical() {
      if isComment(more) { continue }
      text[text.count - 1] = UInt8(ascii: " ")
      text += more
    }
    return (first, Array(trimmed(text[...])))
  }

  private mutating func nextPhysical() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    number += 1
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[line.endIndex...].dropFirst()
    return trimmed(line)
  }

  private func isComment(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: "#") || text.first == UInt8(ascii: ";")
  }

  private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || (9...13).contains(byte) }
    let start = text.drop(while: isBlank)
    return start[..<((start.lastIndex { !isBlank($0) }).map { $0 + 1 } ?? start.startIndex)]
  }
}
