extension BrowserTests {
  /// What a browser told of a page.
  struct Visit: Decodable {
    /// What was read: texts and numbers.
    var values: [Value]
    var requests: [String]
    var problems: [String]
  }

  /// Something that a page was asked for.
  enum Value: Decodable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    case number(Double)
    case text(String)
    case nothing

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .nothing
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(stringLiteral value: String) { self = .text(value) }

    var number: Double { if case .number(let number) = self { number } else { .nan } }
    var text: String { if case .text(let text) = self { text } else { "" } }
  }

  /// What to do with a page; see `browse.py`.
  enum Step {
    case view(width: Int, height: Int, dark: Bool = false, touch: Bool = false, paper: Bool = false)
    case read(String)
    case point(String)
    case press(String)
    case tap(String)
    case key(String)
    case print(String)

    var object: [String: Any] {
      switch self {
      case .view(let width, let height, let dark, let touch, let paper):
        ["view": ["width": width, "height": height, "dark": dark, "touch": touch, "paper": paper]]
      case .read(let expression): ["read": expression]
      case .point(let selector): ["point": selector]
      case .press(let selector): ["press": selector]
      case .tap(let selector): ["tap": selector]
      case .key(let name): ["key": name]
      case .print(let path): ["print": path]
      }
    }
  }
}
