import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite struct `The gpsd of the tests` {
  private func banner(_ gpsd: GPSDProcess) async throws -> String {
    let client = try await StreamSocket.connect(
      host: "127.0.0.1", port: gpsd.port, timeout: .untilItHangs)
    let bytes = try #require(try await client.read(timeout: .untilItHangs))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(.timeLimit(.minutes(10)))
  func `comes back on its port after every kind of end`() async throws {
    guard GPSDProcess.isInstalled else { try Test.cancel("gpsd isn't installed") }
    let gpsd = try GPSDProcess()
    defer { gpsd.stop() }
    #expect(try await banner(gpsd).hasPrefix(#"{"class":"VERSION""#))
    gpsd.kill(SIGKILL)
    await #expect(throws: Errno.connectionRefused) { try await banner(gpsd) }
    await #expect(throws: TestFailure.self) { try await gpsd.feed("\n") }
    try gpsd.restart()
    #expect(try await banner(gpsd).hasPrefix(#"{"class":"VERSION""#))
    // A stopped one doesn't hang its end.
    gpsd.kill(SIGSTOP)
    try gpsd.restart()
    #expect(try await banner(gpsd).hasPrefix(#"{"class":"VERSION""#))
    try await gpsd.feed(nmea("GPRMC,120000,A,4800.0,N,01100.0,E,0,0,010126,,") + "\r\n")
  }
}
