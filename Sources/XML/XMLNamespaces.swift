/// What prefixes stand for, element by element ("Namespaces in XML 1.0", W3C 2009).
///
/// A prefix that nothing declares stands for a namespace of its own, where that recommendation knows only a mistake:
/// Google Earth writes `xsi:` so, and programs for GPX their extensions, and what is in no file's own namespace is
/// passed over anyway.
struct XMLNamespaces {
  /// How many declarations are kept at most, of all elements that are open.
  static let limit = 1000

  /// What each of the open elements declares, the outermost first.
  private var scopes: [[String: String]] = []

  private var count = 0

  /// Whether another element may begin.
  var isFull: Bool { count > Self.limit }

  /// Begins an element that declares so much.
  mutating func begin(_ declared: [String: String]) {
    scopes.append(declared)
    count += declared.count
  }

  /// Ends the element that began last.
  mutating func end() { count -= scopes.popLast()?.count ?? 0 }

  /// The prefix that an attribute declares, empty for what has none; nil where it is another attribute.
  static func declaredPrefix(by attribute: String) -> String? {
    if attribute == "xmlns" { return "" }
    let prefix = attribute.dropFirst("xmlns:".count)
    return attribute.hasPrefix("xmlns:") && !prefix.isEmpty ? String(prefix) : nil
  }

  /// The namespace and the name that a tag means.
  func resolved(_ tag: String) -> (namespace: String, name: String) {
    let colon = tag.utf8.firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.map { String(tag[..<$0]) } ?? ""
    let name = colon.map { String(tag[tag.utf8.index(after: $0)...]) } ?? tag
    for scope in scopes.reversed() where !scope.isEmpty {
      if let namespace = scope[prefix] { return (namespace, name) }
    }
    return (prefix, name)
  }
}
