import LinuxSystem
import TestSupport
import Testing

struct FileLockTests {
  @Test func `one at a time holds it, until it is gone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/lock"
    var first = try FileLock(path: path)
    #expect(first != nil)
    #expect(try FileLock(path: path) == nil)
    first = nil
    #expect(try FileLock(path: path) != nil)
  }

  @Test func `what can't be made is an error`() {
    #expect(throws: Errno.self) { try FileLock(path: "/nowhere/lock") }
  }
}
