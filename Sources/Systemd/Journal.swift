import CSystemd
import Glibc
package import LinuxSystem

/// Writes entries to the system's journal.
///
/// Writing waits while the journal's queue is full: don't do it on the shared pool.
package enum Journal {
  /// A field of an entry.
  package typealias Field = (name: String, value: String)

  /// More fields than any entry needs; the library keeps five pointers for each on the stack.
  private static let fieldLimit = 256

  private static let socketPath = "/run/systemd/journal/socket"

  /// Whether this machine has a journal that takes entries.
  package static var isAvailable: Bool { unsafe access(socketPath, F_OK) == 0 }

  /// Whether standard error is written to the journal.
  package static var isStandardError: Bool {
    isJournal(STDERR_FILENO, by: unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) })
  }

  /// Whether a descriptor leads to the journal.
  ///
  /// - Parameter stream: The value of JOURNAL_STREAM: the device and the inode of the stream that leads to the journal.
  ///   A program may have inherited the variable although its standard error leads elsewhere (systemd.exec(5)).
  static func isJournal(_ descriptor: Int32, by stream: String?) -> Bool {
    guard let stream, let file = try? FileStatus(descriptor: descriptor).identity else {
      return false
    }
    return stream == "\(file.device):\(file.inode)"
  }

  /// Whether a field may have this name: 1–64 of A–Z, 0–9 and _, beginning with a letter.
  ///
  /// Names that begin with _ are reserved for the journal, which would drop the field.
  static func isValidName(_ name: String) -> Bool {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let bytes = name.utf8
    guard let first = bytes.first, letters.contains(first), bytes.count <= 64 else { return false }
    return bytes.allSatisfy {
      letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "_")
    }
  }

  /// Writes one entry; values may contain anything, even line breaks and NULs.
  ///
  /// When this returns, the entry is in the journal's queue, after the entries before it.
  ///
  /// - Throws: ``Errno/noSuchFile`` if this machine has no journal; `EINVAL` if there are no fields, too many of them,
  ///   or an invalid name; else the error of the journal's socket.
  package static func send(_ fields: [Field]) throws(Errno) {
    guard 1...fieldLimit ~= fields.count, fields.allSatisfy({ isValidName($0.name) })
    else { throw Errno(EINVAL) }
    // Without a journal the library reports success (its source says so, sd_journal_sendv(3) doesn't). So look before,
    // and again after, in case the journal went away in between.
    guard isAvailable else { throw Errno.noSuchFile }
    var bytes: [UInt8] = []
    var lengths: [Int] = []
    for field in fields {
      let start = bytes.count
      bytes += field.name.utf8
      bytes.append(UInt8(ascii: "="))
      bytes += field.value.utf8
      lengths.append(bytes.count - start)
    }
    let result = unsafe bytes.withUnsafeMutableBytes { buffer -> CInt in
      var vectors: [iovec] = unsafe []
      var start = 0
      for length in lengths {
        unsafe vectors.append(
          iovec(iov_base: buffer.baseAddress.map { unsafe $0 + start }, iov_len: length))
        start += length
      }
      return unsafe sd_journal_sendv(vectors, CInt(vectors.count))
    }
    guard result >= 0 else { throw Errno(-result) }
    guard isAvailable else { throw Errno.noSuchFile }
  }
}
