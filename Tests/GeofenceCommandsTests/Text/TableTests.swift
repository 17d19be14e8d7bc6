import Testing

@testable import GeofenceCommands

@Suite struct `A table` {
  @Test func `does nothing to the terminal that a cell asks for`() {
    var table = Table("", "")
    table.add("Devices:", "/dev/tty\u{1b}]0;name\u{7}\u{9b}2J\r\n")
    #expect(table.render(withTitles: false) == "Devices:  /dev/tty?]0;name??2J??\n")
  }
}
