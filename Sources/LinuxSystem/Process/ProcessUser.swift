import CLinux
import Glibc

/// As whom this process acts.
package enum ProcessUser {
  /// The effective uid.
  package static var effective: UInt32 { geteuid() }

  /// The uid of the user of a name, as the system's databases of users have it; nil where there is none.
  package static func uid(ofUser name: String) -> UInt32? {
    var user = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // The size that glibc suggests is 1024; the rest is for who has a long description or home.
    var texts = [CChar](repeating: 0, count: 16_384)
    _ = unsafe getpwnam_r(name, &user, &texts, texts.count, &found)
    return unsafe found == nil ? nil : user.pw_uid
  }

  /// Becomes a user for good, with one group and no others: there is no way back.
  ///
  /// A process that could become it only in part ends at once.
  ///
  /// - Throws: when nothing has changed.
  package static func become(uid: UInt32, gid: UInt32) throws(Errno) {
    guard linux_become(uid, gid) == 0 else { throw Errno.last }
  }
}
