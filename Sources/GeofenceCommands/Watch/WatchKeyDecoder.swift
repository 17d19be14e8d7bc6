/// A key that has a function while watching.
enum WatchKey: Sendable, Hashable {
  case quit
  case suspend
  case redraw
  case help
  case up
  case down
  case pageUp
  case pageDown
}

/// Decodes keys from the bytes of a terminal, which may come in any pieces.
struct WatchKeyDecoder: Sendable {
  /// The bytes of a sequence that isn't complete yet.
  private var sequence: [UInt8] = []

  /// The keys in some more bytes; keys without a function are left out.
  mutating func keys(from bytes: [UInt8]) -> [WatchKey] {
    bytes.compactMap { key(of: $0) }
  }

  private mutating func key(of byte: UInt8) -> WatchKey? {
    if byte == 0x1b {
      sequence = [byte]
      return nil
    }
    guard !sequence.isEmpty else { return plainKey(of: byte) }
    sequence.append(byte)
    if sequence.count == 2 {
      // CSI and SS3 go on. Anything else is a key after Escape or with Alt, which are the same bytes.
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return nil }
      sequence = []
      return plainKey(of: byte)
    }
    // ECMA-48: parameters and intermediates, and then one final byte. No key has more than a few bytes.
    guard (0x40...0x7e).contains(byte) || sequence.count > 16 else { return nil }
    defer { sequence = [] }
    switch sequence.dropFirst(2) {
    case [UInt8(ascii: "A")]: return .up
    case [UInt8(ascii: "B")]: return .down
    case [UInt8(ascii: "5"), UInt8(ascii: "~")]: return .pageUp
    case [UInt8(ascii: "6"), UInt8(ascii: "~")]: return .pageDown
    default: return nil
    }
  }

  private func plainKey(of byte: UInt8) -> WatchKey? {
    switch byte {
    // Also Ctrl-C, Ctrl-\ and Ctrl-D.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x1c, 0x04: .quit
    case 0x1a: .suspend
    case 0x0c: .redraw
    case UInt8(ascii: "?"), UInt8(ascii: "h"): .help
    case UInt8(ascii: "k"): .up
    case UInt8(ascii: "j"): .down
    case UInt8(ascii: "b"): .pageUp
    case UInt8(ascii: " "): .pageDown
    default: nil
    }
  }
}
