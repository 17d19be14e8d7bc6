import Foundation
import TestSupport
import Testing

/// What `make install` puts where.
struct InstallationTests {
  @Test func `the documents that README.md links are installed, and go again`() async throws {
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
    let text = try String(contentsOfFile: documents + "/README.md", encoding: .utf8)
    let links = text.matches(of: /\]\(([^)#:]+)[)#]/).map { String($0.1) }
      .filter { !$0.hasPrefix("Examples/") }
    #expect(links.contains("Docs/Protocol.md") && links.contains("CONTRIBUTING.md"))
    for link in links {
      #expect(FileManager.default.fileExists(atPath: "\(documents)/\(link)"), "\(link)")
    }
    try await make("uninstall")
    #expect(!FileManager.default.fileExists(atPath: documents))
  }
}
