import GeofenceCommands
import Testing

/// The program's own definitions.
struct ProgramTests {
  @Test func `no definition contradicts itself`() {
    #expect(Program.definition.definitionMistakes == [])
  }
}
