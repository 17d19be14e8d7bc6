import CLinux
import Glibc

/// The process at the other end of a Unix socket, as the kernel vouches for it.
package struct PeerCredentials: Sendable, Hashable {
  /// Its user.
  package let uid: UInt32

  package init(uid: UInt32) {
    self.uid = uid
  }

  init(ofSocket socket: CInt) throws(Errno) {
    var uid: uid_t = 0
    guard unsafe linux_peer_user(socket, &uid) == 0 else { throw Errno.last }
    self.init(uid: uid)
  }
}
