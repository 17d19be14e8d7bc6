import Foundation
import Glibc
import TestSupport
import Testing

@testable import GeofenceCommands

struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }

  @Test(arguments: [mode_t(0o600), 0o640, 0o644])
  func `a file that is replaced keeps its rights`(rights: mode_t) throws {
    let path = try folder.write("before".utf8, "places")
    try #require(chmod(path, rights) == 0)
    let file = try OutputFile(path: path)
    try file.write(Array("after".utf8))
    try file.keep()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "after")
    #expect(try mode(of: path) == rights)
  }

  @Test(arguments: [mode_t(0o600), 0o644])
  func `a private file is its owner's, whatever was there`(rights: mode_t) throws {
    let path = folder.path + "/report"
    for exists in [false, true] {
      if exists { try #require(chmod(path, rights) == 0) }
      let file = try OutputFile(path: path, isPrivate: true)
      try file.write(Array("after".utf8))
      try file.keep()
      #expect(try mode(of: path) == 0o600)
    }
  }

  @Test func `a symbolic link stays one, and leads to the new file`() throws {
    let (path, link) = (folder.path + "/places", folder.path + "/link")
    try Data("before".utf8).write(to: URL(filePath: path))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let file = try OutputFile(path: link)
    try file.write(Array("after".utf8))
    try file.keep()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "after")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test(arguments: ["new", "folder/new", "other", "/"])
  func `a link to a file that is yet to be made leads to it`(target: String) throws {
    let link = folder.path + "/link"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/folder", withIntermediateDirectories: false)
    try #require(symlink("folder/new", folder.path + "/other") == 0)
    let name = target == "/" ? folder.path + "/new" : target
    try #require(symlink(name, link) == 0)
    let file = try OutputFile(path: link)
    try file.write(Array("after".utf8))
    try file.keep()
    let path = target == "other" ? "/folder/new" : target == "/" ? "/new" : "/" + target
    #expect(try String(contentsOfFile: folder.path + path, encoding: .utf8) == "after")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == name)
  }

  @Test func `links that lead to each other are refused`() throws {
    let link = folder.path + "/link"
    try #require(symlink("link", link) == 0)
    let error = #expect(throws: CommandFailure.self) { try OutputFile(path: link) }
    #expect(error?.description == "can't write \(link): Too many levels of symbolic links")
  }

  @Test func `a link to a file whose name isn't UTF-8 is refused, and the file stays as it was`()
    throws
  {
    let link = folder.path + "/link"
    let target =
      Array((folder.path + "/places").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    close(open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    try #require(symlink(target, link) == 0)
    let error = #expect(throws: CommandFailure.self) { try OutputFile(path: link) }
    #expect(
      error?.description
        == "can't write \(link): the name of the file that it leads to isn't UTF-8")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test(arguments: [false, true])
  func `what isn't complete has no name that a process could leave behind`(exists: Bool) throws {
    let path = folder.path + "/places"
    if exists { try Data("before".utf8).write(to: URL(filePath: path)) }
    let file = try OutputFile(path: path)
    try file.write(Array("after".utf8))
    let before = exists ? ["places"] : []
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
    try file.keep()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "after")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["places"])
  }

  @Test func `what isn't kept leaves the file as it was`() throws {
    let path = try folder.write("before".utf8, "places")
    do {
      let file = try OutputFile(path: path)
      try file.write(Array("after".utf8))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "before")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["places"])
  }
}
