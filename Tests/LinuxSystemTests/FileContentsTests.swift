import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

struct FileContentsTests {
  @Test func `a file is read up to its maximum and not beyond`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(repeating: 7, count: 100_000), "file")
    #expect(try FileContents.read(path, maximumBytes: 100_000).count == 100_000)
    #expect(throws: FileError.tooLarge(maximumBytes: 99_999)) {
      try FileContents.read(path, maximumBytes: 99_999)
    }
    #expect(throws: FileError.system(.noSuchFile)) {
      try FileContents.read(folder.path + "/other", maximumBytes: 1)
    }
  }

  @Test func `a file that can't be read to its end is refused`() {
    // Nothing is mapped at its beginning: reading fails as on a bad disk.
    #expect(throws: FileError.system(.inputOutput)) {
      try FileContents.read("/proc/self/mem", maximumBytes: 10)
    }
    #expect(throws: FileError.system(.inputOutput)) {
      _ = try InputFile(path: "/proc/self/mem").beginning()
    }
  }

  @Test func `what is written waits for a reader, also in a file that doesn't wait`() throws {
    var ends: [CInt] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    let output = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    // Far more than a pipe holds.
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let written = DispatchSemaphore(value: 0)
    let number = ends[1]
    DispatchQueue.global().async {
      try? FileContents.write(bytes, to: number)
      written.signal()
    }
    var read: [UInt8] = []
    while read.count < bytes.count {
      var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      try #require(unsafe poll(&waiting, 1, 60_000) == 1)
      var part = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe Glibc.read(ends[0], &part, part.count)
      try #require(count > 0)
      read += part.prefix(count)
    }
    written.wait()
    try output.close()
    close(ends[0])
    #expect(read == bytes)
  }

  @Test func `a pipe and a device are refused at once`() throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(throws: FileError.notRegular) {
      try FileContents.read(folder.path + "/pipe", maximumBytes: 10)
    }
    #expect(throws: FileError.isDirectory) { try FileContents.read(folder.path, maximumBytes: 10) }
    for path in ["/dev/null", "/dev/zero"] {
      #expect(throws: FileError.notRegular) {
        try FileContents.read(path, maximumBytes: 10)
      }
    }
  }
}
