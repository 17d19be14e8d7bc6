import Foundation
import Glibc
import Synchronization

/// A complete systemd with a real journal, booted in a container that is made from this machine.
///
/// No changes inside are kept. The container ends with the test, even if the test crashes. `Scripts/system-box`
/// explains how that works.
package struct SystemBox: Sendable {
  /// Why this machine can't boot a container.
  package struct Unavailable: Error {
    package var reason: String
  }

  /// The root folder of this repository.
  package static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()

  /// The process id, on the machine, of the container's process 1; it changes with each boot.
  package var leader: Int32 { machine.leader.withLock { $0 } }

  /// The script `Scripts/system-box` that runs this box, with its output.
  private final class Machine: Sendable {
    let script: Command.Child
    let lifeline: Int32
    let output: TemporaryFile
    let errors: TemporaryFile
    let leader = Mutex<Int32>(0)

    init(_ script: Command.Child, lifeline: Int32, output: TemporaryFile, errors: TemporaryFile) {
      self.script = script
      self.lifeline = lifeline
      self.output = output
      self.errors = errors
    }

    /// The process ids, on the machine, of process 1 in each boot.
    var boots: [Int32] {
      output.text().split(separator: "\n").compactMap { Int32($0.dropFirst("LEADER ".count)) }
    }
  }

  private let machine: Machine

  /// Boots a box, waits until systemd has started, runs the body, and removes the box.
  ///
  /// - Throws: ``Unavailable`` if this machine can't do that: a reason to cancel the test, not to fail.
  package static func with<Value>(_ body: (SystemBox) async throws -> Value) async throws -> Value {
    var template = Array("/tmp/geofenced-box-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("no folder in /tmp") }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { rmdir(folder) }

    // The box runs while the lifeline is open here; no child process inherits it.
    var lifeline: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &lifeline) == 0 else {
      throw TestFailure("no socket pair")
    }
    defer { close(lifeline[0]) }
    let output = try TemporaryFile()
    let errors = try TemporaryFile()
    let script = try Command([repository + "Scripts/system-box", folder])
      .spawn(input: lifeline[1], output: output.descriptor, errors: errors.descriptor)
    close(lifeline[1])

    do {
      let box = SystemBox(
        machine: Machine(script, lifeline: lifeline[0], output: output, errors: errors))
      try await box.waitForBoot(number: 1)
      let value = try await body(box)
      _ = try? await box.run(["systemctl", "poweroff"])
      try await end(script, within: .seconds(120))
      return value
    } catch {
      shutdown(lifeline[0], Int32(SHUT_RDWR))
      try? await end(script, within: .seconds(120))
      throw error
    }
  }

  /// Kills everything inside at once, as a power failure does, and boots again with the same files.
  ///
  /// Returns when systemd has started. Unlike after a real power failure, data that wasn't synced is kept.
  package func cutPower() async throws {
    let boots = machine.boots.count
    let word = Array("reboot\n".utf8)
    guard send(machine.lifeline, word, word.count, Int32(MSG_NOSIGNAL)) == word.count
    else {
      throw TestFailure("the box takes no orders")
    }
    try await waitForBoot(number: boots + 1)
  }

  /// Waits until the script reports that systemd runs, and then until systemd reports that it has started.
  private func waitForBoot(number: Int) async throws {
    let leader = try await firstAnswer {
      let boots = machine.boots
      if boots.count >= number { return boots[number - 1] }
      if let status = machine.script.status() {
        let said = machine.errors.text().trimmingCharacters(in: .whitespacesAndNewlines)
        if status == 77 { throw Unavailable(reason: said) }
        throw TestFailure("Scripts/system-box ended with \(status): \(said)")
      }
      return nil
    } otherwise: {
      "the box doesn't boot: \(machine.errors.text())"
    }
    machine.leader.withLock { $0 = leader }
    // At first nobody answers; later the answer is "initializing", then "starting".
    try await wait(
      for: "the start of systemd", until: ["systemctl", "is-system-running"]
    ) { ["running", "degraded"].contains($0.lines.first) }
  }

  /// Waits for the script's end; throws after the given time, and then the script removes everything.
  private static func end(_ script: Command.Child, within time: Duration) async throws {
    let deadline = ContinuousClock.now + time
    while script.status() == nil {
      guard ContinuousClock.now < deadline else {
        throw TestFailure("the box doesn't end")
      }
      // Wait even in a cancelled test: leaving a box behind would be worse.
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Runs a command as root inside, for at most five minutes unless another limit is given.
  package func run(
    _ command: [String], timeout: Duration = .untilItHangs
  ) async throws -> Command.Result {
    let seconds = String(Int(timeout.components.seconds))
    return try await Command(
      [
        "nsenter", "-t", String(leader), "-m", "-u", "-i", "-p", "-n", "-C",
        "env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME=/root", "LANG=C.UTF-8", "SYSTEMD_PAGER=cat", "SYSTEMD_COLORS=0",
        "timeout", "-k", "5", seconds,
      ] + command
    ).run()
  }

  /// Runs a command that must succeed, and returns its result.
  @discardableResult
  package func check(_ command: [String]) async throws -> Command.Result {
    let result = try await run(command)
    guard result.status == 0 else {
      throw TestFailure(
        """
        '\(command.joined(separator: " "))' ended with \(result.status)
        \(result.output)\(result.errors)
        """)
    }
    return result
  }

  /// Runs a command again and again until its result meets a condition.
  ///
  /// Throws with the last result if that doesn't happen in time.
  @discardableResult
  package func wait(
    for purpose: String, until command: [String],
    prints isFulfilled: (Command.Result) throws -> Bool
  ) async throws -> Command.Result {
    var last: Command.Result?
    return try await firstAnswer {
      let result = try await run(command)
      last = result
      return try isFulfilled(result) ? result : nil
    } otherwise: {
      """
      \(purpose) didn't happen; \(command.joined(separator: " ")) says
      \(last?.output ?? "")\(last?.errors ?? "")
      """
    }
  }

  /// Copies everything below a folder of the machine to the same place in the box, as after `make install DESTDIR=`.
  package func install(from folder: String) async throws {
    try await copy(folder + "/.", to: "/")
  }

  /// Copies a file of the machine into the box.
  package func copy(_ path: String, to destination: String) async throws {
    // In this folder of /proc, the kernel shows the files as the process sees them.
    let target = "/proc/\(leader)/root\(destination)"
    let result = try await Command(
      ["cp", "--recursive", "--preserve=mode", "--", path, target]
    ).run()
    guard result.status == 0 else { throw TestFailure(result.errors) }
  }
}
