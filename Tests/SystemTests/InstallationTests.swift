import Foundation
import TestSupport
import Testing

/// What `make install` puts where.
struct InstallationTests {
  @Test func `the documents are installed with all that they link`() async throws {
    let folder = try TemporaryFolder()
    try await make("install", into: folder)
    let documents = folder.path + "/usr/share/doc/geofenced"
    let files = FileManager.default
    let pages = try files.subpathsOfDirectory(atPath: documents).filter { $0.hasSuffix(".md") }
    #expect(pages.contains("Docs/Protocol.md") && pages.contains("Examples/README.md"))
    for page in pages {
      let text = try String(contentsOfFile: "\(documents)/\(page)", encoding: .utf8)
      let folder = URL(filePath: "\(documents)/\(page)").deletingLastPathComponent()
      for link in text.matches(of: /\]\(([^)#:]+)[)#]/).map({ String($0.1) }) {
        #expect(files.fileExists(atPath: folder.appending(path: link).path), "\(page): \(link)")
      }
    }
  }

  @Test func `what is installed again keeps the configuration, and all else goes again`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await make("install", into: folder)
    let configuration = try folder.write("[Receiver]\n".utf8, "etc/geofenced/geofenced.conf")
    try await make("install", into: folder)
    let files = FileManager.default
    #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "[Receiver]\n")
    #expect(files.fileExists(atPath: configuration + ".new"))
    try await make("uninstall", into: folder)
    let left = try files.subpathsOfDirectory(atPath: folder.path).filter { path in
      var isFolder: ObjCBool = false
      return files.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    #expect(left == ["etc/geofenced/geofenced.conf"])
  }

  @Test func `what is installed elsewhere names where it is`() async throws {
    let folder = try TemporaryFolder()
    try await make("install", into: folder, ["PREFIX=/usr/local"])
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: folder.path + path, encoding: .utf8)
    }
    let manual = try text("/usr/local/share/man/man1/geofenced.1")
    let page = try #require(manual.firstMatch(of: /\/\S*Protocol\.md/)?.output)
    #expect(try text(String(page)).hasPrefix("# "))
    #expect(!manual.contains("/usr/share/doc"))
    let unit = try text("/usr/local/lib/systemd/system/geofenced.service")
    #expect(unit.contains("ExecStart=/usr/local/bin/geofenced "))
  }

  private func make(
    _ target: String, into folder: TemporaryFolder, _ variables: [String] = []
  ) async throws {
    let result = try await Command(
      [
        "make", "--no-print-directory", "-C", SystemBox.repository, target,
        "DESTDIR=\(folder.path)", "BINARY=\(DaemonProcess.program)",
      ] + variables
    ).run()
    try #require(result.status == 0, "\(result.errors)")
  }
}
