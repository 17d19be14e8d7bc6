import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

struct InputFileTests {
  private func contents(of file: InputFile) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var count = -1
    while count != bytes.count {
      count = bytes.count
      try file.readPiece(into: &bytes)
    }
    return bytes
  }

  @Test(arguments: [0, 100, 65_536, 200_001])
  func `a file is handed out once and whole, its beginning twice`(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let written = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Data(written).write(to: URL(filePath: path))
    let file = try InputFile(path: path)
    #expect(file.size == count)
    let beginning = try file.beginning()
    #expect(beginning.count >= min(4096, count))
    #expect(written.starts(with: beginning))
    #expect(file.bytesRead == 0)
    #expect(try contents(of: file) == written)
    #expect(file.bytesRead == count)
  }

  @Test func `a pipe is read to its end and has no size`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let writer = try Command(["sh", "-c", "head -c 200000 /dev/zero >\(path)"])
      .spawn(input: nil, output: 1, errors: 2)
    let file = try InputFile(path: path)
    #expect(file.size == nil)
    #expect(try contents(of: file) == [UInt8](repeating: 0, count: 200_000))
    _ = await writer.end()
  }

  @Test func `what isn't there, a folder and a device are refused`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.system(.noSuchFile)) {
      _ = try InputFile(path: folder.path + "/file")
    }
    #expect(throws: FileError.isDirectory) { _ = try InputFile(path: folder.path) }
    for path in ["/dev/null", "/dev/zero"] {
      #expect(throws: FileError.notRegular) { _ = try InputFile(path: path) }
    }
  }
}
