/// The namespaces of prefixes, as declared by the open elements ("Namespaces in XML 1.0", W3C 2009).
///
/// A prefix without a declaration gets a namespace of its own, although that recommendation calls it a mistake. Google
/// Earth writes `xsi:` like that, and programs for GPX their extensions; elements outside a file's own namespace are
/// passed over anyway.
struct XMLNamespaces {
  /// The largest number of declarations of all open elements together.
  static let limit = 1000

  /// The declarations of each open element, the outermost first.
  private var scopes: [[String: String]] = []

  private var count = 0

  /// Whether another element may begin.
  var isFull: Bool { count > Self.limit }

  /// Begins an element with its declarations.
  mutating func begin(_ declared: [String: String]) {
    scopes.append(declared)
    count += declared.count
  }

  /// Ends the innermost element.
  mutating func end() { count -= scopes.popLast()?.count ?? 0 }

  /// The prefix that an attribute declares, empty for the default namespace; nil if the attribute declares none.
  static func declaredPrefix(by attribute: String) -> String? {
    if attribute == "xmlns" { return "" }
    let prefix = attribute.dropFirst("xmlns:".count)
    return attribute.hasPrefix("xmlns:") && !prefix.isEmpty ? String(prefix) : nil
  }

  /// The namespace and the local name of a tag.
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
