import Foundation
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProcessSignalsTests {
  @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
  func `a signal sent right after the start is seen, and ends nothing`(number: CInt) async {
    await #expect(processExitsWith: .success) { [number = number as CInt] in
      let signals = await ProcessSignals.start()
      kill(getpid(), number)
      let signal = await signals.stream.first { _ in true }
      #expect(signal?.rawValue == number)
    }
  }

  @Test(arguments: [SIGWINCH, SIGCONT])
  func `the signals of a terminal are seen by who asks for them`(number: CInt) async {
    await #expect(processExitsWith: .success) { [number = number as CInt] in
      let signals = await ProcessSignals.start([.windowChange, .resume])
      kill(getpid(), number)
      let signal = await signals.stream.first { _ in true }
      #expect(signal?.rawValue == number)
    }
  }

  @Test
  func `a closed pipe ends nothing once that is asked for`() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) { writeToClosedPipe() }
    await #expect(processExitsWith: .success) {
      ProcessSignals.ignoreBrokenPipes()
      writeToClosedPipe()
    }
  }
}

private func writeToClosedPipe() {
  var ends: [CInt] = [0, 0]
  pipe(&ends)
  close(ends[0])
  write(ends[1], "x", 1)
}
