import ControlInterface
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Varlink

@Suite struct GeofencedInterfaceTests {
  @Test func `a generator of another project makes a client of the description`() async throws {
    let generator = "/usr/bin/varlink-go-interface-generator"
    guard access(generator, X_OK) == 0 else { try Test.cancel("varlink-go isn't installed") }
    try await withTemporaryDirectory { folder in
      let text = GeofencedInterface.description
      try text.write(toFile: folder + "/io.geofenced.varlink", atomically: true, encoding: .utf8)
      let result = try await Command([generator, folder + "/io.geofenced.varlink"]).run()
      #expect(result.status == 0, "\(result.errors)")
      let client = try String(contentsOfFile: folder + "/iogeofenced.go", encoding: .utf8)
      let description = try VarlinkDescription(text: text)
      let unknown =
        description.methods.keys.filter { !client.contains("type \($0)_methods ") }
        + description.errors.keys.filter { !client.contains("type \($0) struct") }
      #expect(unknown.isEmpty)
    }
  }
}
