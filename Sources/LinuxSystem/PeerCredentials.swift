import CLinux
import Glibc

/// The process at the other end of a Unix socket, as the kernel vouches for it.
package struct PeerCredentials: Sendable, Hashable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32

  package init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }

  init(ofSocket socket: CInt) throws(Errno) {
    var uid: uid_t = 0
    var gid: gid_t = 0
    var pid: pid_t = 0
    guard unsafe linux_peer_credentials(socket, &uid, &gid, &pid) == 0 else { throw Errno.last }
    self.init(uid: uid, gid: gid, pid: pid)
  }
}
