import Foundation
import Glibc
import TestSupport
import Testing

@testable import GeofenceDaemon

struct OperatorLogTests {
  @Test func `standard error is the journal only if it is what the service manager connected`()
    throws
  {
    let folder = try TemporaryFolder()
    let files = try ["one", "other"].map { name in
      try Data().write(to: URL(filePath: folder.path + "/" + name))
      return open(folder.path + "/" + name, O_RDONLY | O_CLOEXEC)
    }
    defer { for file in files { close(file) } }
    var status = stat()
    try #require(fstat(files[0], &status) == 0)
    let stream = "\(status.st_dev):\(status.st_ino)"
    #expect(OperatorLog.isJournal(files[0], by: stream))
    #expect(!OperatorLog.isJournal(files[1], by: stream))
    #expect(!OperatorLog.isJournal(files[0], by: nil))
    #expect(!OperatorLog.isJournal(files[0], by: "x"))
    #expect(!OperatorLog.isJournal(-1, by: stream))
  }
}
