import Testing

@testable import LinuxSystem

@Suite struct `The boot of the machine` {
  @Test func `has one name`() throws {
    let id = try #require(MachineBoot.id)
    #expect(!id.isEmpty && !id.contains("\n"))
    #expect(MachineBoot.id == id)
  }

  @Test func `is told from file systems in memory, and from no others`() throws {
    #expect(MachineBoot.idOfMemory(at: "/proc") == nil)
    #expect(MachineBoot.idOfMemory(at: "/not/there") == nil)
    guard let id = MachineBoot.idOfMemory(at: "/dev/shm") else {
      try Test.cancel("/dev/shm isn't in memory, or Linux is older than 5.13")
    }
    #expect(MachineBoot.idOfMemory(at: "/dev/shm") == id)
  }
}
