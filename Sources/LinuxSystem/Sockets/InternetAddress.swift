import Glibc

/// One address and port to connect to.
struct InternetAddress: Sendable {
  let family: CInt
  private let bytes: [UInt8]

  func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
  ) throws -> Result {
    try unsafe bytes.withUnsafeBytes { buffer in
      // Every sockaddr_storage holds any address, with the alignment it needs.
      var storage = sockaddr_storage()
      unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: buffer) }
      return try unsafe withUnsafePointer(to: &storage) { pointer in
        try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try unsafe body($0, socklen_t(buffer.count))
        }
      }
    }
  }

  /// The addresses of a host, in the order in which they should be tried.
  ///
  /// It blocks for as long as the name servers take: see ``HostResolver``.
  static func lookUp(host: String, port: Int) throws -> [InternetAddress] {
    try lookUp(host: host, port: port, flags: 0)
  }

  /// What an address says that is written in numbers, for which nobody is asked; nil for a name.
  static func numeric(host: String, port: Int) -> [InternetAddress]? {
    try? lookUp(host: host, port: port, flags: AI_NUMERICHOST)
  }

  private static func lookUp(host: String, port: Int, flags: CInt) throws -> [InternetAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = flags
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else {
      throw HostNotFound(host: host, reason: unsafe String(cString: gai_strerror(status)))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [InternetAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      let info = unsafe entry.pointee
      if let address = unsafe info.ai_addr,
        unsafe Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
      {
        let raw = unsafe UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen))
        addresses.append(unsafe InternetAddress(family: info.ai_family, bytes: Array(raw)))
      }
      unsafe next = info.ai_next
    }
    return addresses
  }
}
