import Foundation
import TestSupport
import Testing

/// What `make install` puts where.
struct InstallationTests {
  @Test func `the documents are installed with all that they link, and go again`() async throws {
    let folder = try TemporaryFolder()
    func make(_ target: String) async throws {
      let result = try await Command([
        "make", "--no-print-directory", "-C", SystemBox.repository, target,
        "DESTDIR=\(folder.path)", "BINARY=\(DaemonProcess.program)",
      ]).run()
      try #require(result.status == 0, "\(result.errors)")
    }
    try await make("install")
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
    try await make("uninstall")
    #expect(!files.fileExists(atPath: documents))
  }
}
