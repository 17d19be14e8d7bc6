import BenchmarkSupport
import Foundation
import LinuxSystem
import TestSupport
import Testing

struct GeneratedPageTests {
  private static let begin = "<!-- What follows is written by `make it`. -->"
  private static let end = "<!-- What comes before was written by `make it`. -->"

  @Test func `only what is between the two lines is replaced, as often as it is`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "# Before\n\(Self.begin)\nold\n\(Self.end)\nAfter\n".utf8, "Page.md")
    for _ in 0..<2 {
      try GeneratedPage(path, writtenBy: "make it").save("new\n")
      #expect(
        try FileContents.read(path, maximumBytes: 1000)
          == Array("# Before\n\(Self.begin)\n\nnew\n\n\(Self.end)\nAfter\n".utf8))
    }
  }

  @Test(arguments: ["# Before\n", "\(begin)\n", "\(end)\n\(begin)\n"])
  func `a page without a place is refused before the run`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text.utf8, "Page.md")
    #expect(throws: BenchmarkFailure.self) {
      try GeneratedPage(path, writtenBy: "make it")
    }
    #expect(throws: BenchmarkFailure.self) {
      try GeneratedPage(folder.path + "/None.md", writtenBy: "make it")
    }
  }
}
