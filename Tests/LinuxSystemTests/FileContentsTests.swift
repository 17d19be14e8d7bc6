import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

struct FileContentsTests {
  @Test func `a file is read up to its maximum and not beyond`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try Data(repeating: 7, count: 100_000).write(to: URL(filePath: path))
    #expect(try FileContents.read(path, maximumBytes: 100_000).count == 100_000)
    #expect(throws: FileError.tooLarge(maximumBytes: 99_999)) {
      try FileContents.read(path, maximumBytes: 99_999)
    }
    #expect(throws: FileError.system(.noSuchFile)) {
      try FileContents.read(folder.path + "/other", maximumBytes: 1)
    }
  }

  @Test func `a pipe is refused at once unless it is asked for`() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(throws: FileError.notRegular) {
      try FileContents.read(folder.path + "/pipe", maximumBytes: 10)
    }
    for path in [folder.path, "/dev/null", "/dev/zero"] {
      #expect(throws: FileError.notRegular) {
        try FileContents.read(path, maximumBytes: 10, allowsPipes: true)
      }
    }
  }

  @Test(arguments: [200_000, 200_001])
  func `a pipe is read to its end, up to the same maximum`(count: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let writer = try Command(["sh", "-c", "head -c \(count) /dev/zero >\(path)"])
      .spawn(input: nil, output: 1, errors: 2)
    let result = Result { () throws(FileError) in
      try FileContents.read(path, maximumBytes: 200_000, allowsPipes: true)
    }
    _ = await writer.end()
    if count == 200_000 {
      #expect(try result.get().count == count)
    } else {
      #expect(throws: FileError.tooLarge(maximumBytes: 200_000)) { try result.get() }
    }
  }
}
