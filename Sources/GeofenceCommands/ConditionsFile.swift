import CommandLineParsing
import Geofencing
import JSONCoding
import LinuxSystem
import Positioning

/// Conditions in a GeoJSON file (RFC 7946): a FeatureCollection, in which a circle is a Point with
/// a radius in its properties and its identifier as the feature's id.
struct ConditionsFile {
  /// The conditions with their identifiers, in the order of the file.
  let conditions: [(identifier: String, condition: Condition)]

  /// What is wrong with a file; one line with the file's name and, where it is known, the line.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private static let maximumBytes = 64 << 20

  /// Reads a file, or a pipe to its end.
  init(path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(
        path, maximumBytes: Self.maximumBytes, allowsPipes: true)
    } catch {
      throw Problem(description: "\(path): \(error)")
    }
    try self.init(bytes, path: path)
  }

  /// Reads the contents of a file.
  init(_ contents: [UInt8], path: String) throws {
    let bytes = JSONSyntax.withoutByteOrderMark(contents)
    let lines: [Int]
    do {
      lines = try JSONSyntax.check(bytes, notingElementsOf: "features")
    } catch {
      throw Problem(description: "\(path):\(error.line): not JSON: \(error.problem)")
    }
    guard let collection = try? CanonicalJSON.decode(Collection.self, from: bytes),
      collection.type == "FeatureCollection", let features = collection.features
    else {
      throw Problem(
        description: "\(path):1: not a GeoJSON FeatureCollection: the outermost object needs "
          + "\"type\": \"FeatureCollection\" and an array \"features\"")
    }
    var conditions: [(identifier: String, condition: Condition)] = []
    var seen: Set<String> = []
    for (feature, line) in zip(features, lines) {
      do {
        let (identifier, condition) = try feature.condition()
        guard seen.insert(identifier).inserted else {
          throw Problem(description: "the id '\(identifier)' is there twice")
        }
        conditions.append((identifier, condition))
      } catch {
        throw Problem(description: "\(path):\(line): feature \(conditions.count + 1): \(error)")
      }
    }
    self.conditions = conditions
  }

  private struct Collection: Decodable {
    let type: String?
    let features: [Feature]?
  }
}

/// One feature, taken apart leniently so that each mistake can be named.
private struct Feature: Decodable {
  private let type: String?
  private let id: Result<Name?, any Error>
  private let geometry: Result<Geometry?, any Error>
  private let properties: Result<Properties?, any Error>

  private enum CodingKeys: String, CodingKey {
    case type
    case id
    case geometry
    case properties
  }

  init(from decoder: any Decoder) throws {
    let container = try? decoder.container(keyedBy: CodingKeys.self)
    type = try? container?.decodeIfPresent(String.self, forKey: .type)
    id = Result { try container?.decodeIfPresent(Name.self, forKey: .id) }
    geometry = Result { try container?.decodeIfPresent(Geometry.self, forKey: .geometry) }
    properties = Result { try container?.decodeIfPresent(Properties.self, forKey: .properties) }
  }

  func condition() throws -> (identifier: String, condition: Condition) {
    guard type == "Feature" else { throw problem("it needs \"type\": \"Feature\"") }
    guard case .success(let id?) = id else { throw problem("it needs an id: a text or a number") }
    guard Identifier.isValid(id.text) else { throw ConditionError.identifierInvalid(id.text) }
    guard case .success(let geometry?) = geometry, let type = geometry.type else {
      throw problem("it needs a geometry with a type")
    }
    guard type == "Point" else {
      throw problem(
        "a \(type) can't be watched yet; use a Point with \"properties\": {\"radius\": METRES}")
    }
    guard let position = geometry.position, position.count >= 2 else {
      throw problem("a Point needs \"coordinates\": [LONGITUDE, LATITUDE]")
    }
    let properties: Properties
    switch self.properties {
    case .success(let value?): properties = value
    case .success(nil): throw problem("a circle needs \"properties\": {\"radius\": METRES}")
    case .failure(let error): throw problem(Self.sentence(for: error))
    }
    guard let radius = properties.radius else {
      throw problem("a circle needs \"radius\": METRES in its properties")
    }
    let center = try Coordinate(validLatitude: position[1], longitude: position[0])
    let circle = try CircularGeographicCondition(center: center, radius: radius)
    let condition = try Condition(
      shape: .circle(circle), enterAfter: properties.seconds(properties.enterAfter, "enterAfter"),
      exitAfter: properties.seconds(properties.exitAfter, "exitAfter"),
      confidence: properties.confidence, expires: properties.expires)
    return (id.text, condition)
  }

  private func problem(_ text: String) -> ConditionsFile.Problem {
    ConditionsFile.Problem(description: text)
  }

  private static func sentence(for error: any Error) -> String {
    func name(_ context: DecodingError.Context) -> String {
      context.codingPath.last?.stringValue ?? "properties"
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      return "\"\(name(context))\" is of the wrong type, it should be a \(type)"
    case DecodingError.dataCorrupted(let context):
      return "\"\(name(context))\": \(context.debugDescription)"
    case let problem as ConditionsFile.Problem: return problem.description
    default: return "its properties can't be read"
    }
  }
}

/// An id, which may be a text or a number.
private struct Name: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else {
      text = String(try container.decode(Int64.self))
    }
  }
}

private struct Geometry: Decodable {
  let type: String?
  let position: [Double]?

  private enum CodingKeys: String, CodingKey {
    case type
    case coordinates
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    type = try? container.decodeIfPresent(String.self, forKey: .type)
    position = try? container.decodeIfPresent([Double].self, forKey: .coordinates)
  }
}

private struct Properties: Decodable {
  let radius: Double?
  let enterAfter: Double?
  let exitAfter: Double?
  let confidence: Double?
  let expires: Timestamp?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case radius
    case enterAfter
    case exitAfter
    case confidence
    case expires
  }

  init(from decoder: any Decoder) throws {
    // Others' properties may be there too, but one that is nearly ours is a mistake.
    for name in try decoder.singleValueContainer().decode([String: Ignored].self).keys.sorted() {
      let known = CodingKeys.allCases.map(\.stringValue)
      if !known.contains(name), let near = nearestName(to: name, among: known, within: 1) {
        throw ConditionsFile.Problem(
          description: "there is no property \"\(name)\"; did you mean '\(near)'?")
      }
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double? {
      do {
        return try container.decodeIfPresent(Double.self, forKey: key)
      } catch let error as DecodingError {
        throw error
      } catch {
        // The decoder's own error for a number that no Double holds, which names no property.
        throw ConditionsFile.Problem(
          description: "\"\(key.stringValue)\": the number is out of range")
      }
    }
    radius = try number(.radius)
    enterAfter = try number(.enterAfter)
    exitAfter = try number(.exitAfter)
    confidence = try number(.confidence)
    expires = try container.decodeIfPresent(Timestamp.self, forKey: .expires)
  }

  /// A value of no interest.
  private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
  }

  func seconds(_ value: Double?, _ name: String) throws -> Duration? {
    guard let value else { return nil }
    // Checked before the conversion, which traps on what no duration holds.
    guard (0...86_400).contains(value) else {
      throw ConditionError.durationOutOfRange(name: name, seconds: value)
    }
    return .seconds(value)
  }
}
