/// How a file is compressed, by its first bytes.
package enum Compression: Sendable {
  case gzip, xz, bzip2, zstd

  /// Nil where the bytes don't begin as those of a compressed file do.
  package init?(beginning bytes: some Collection<UInt8>) {
    let signatures: [(Compression, [UInt8])] = [
      (.gzip, [0x1F, 0x8B]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
      (.bzip2, [0x42, 0x5A, 0x68]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
    ]
    guard let found = signatures.first(where: { bytes.starts(with: $0.1) }) else { return nil }
    self = found.0
  }

  /// What there is to do about it: "is compressed: unpack it with gunzip".
  package var advice: String {
    let program =
      switch self {
      case .gzip: "gunzip"
      case .xz: "unxz"
      case .bzip2: "bunzip2"
      case .zstd: "unzstd"
      }
    return "is compressed: unpack it with \(program)"
  }
}
