/// A real terminal of a size that a test chooses, with a shell in it: tmux, with a server of its own.
///
/// Its screen can be read as text, and keys be pressed. It ends with ``close()``, and its programs with
/// it.
package struct TerminalSession: Sendable {
  /// Whether there is a tmux to run.
  package static func isPossible() async -> Bool {
    (try? await Command(["tmux", "-V"]).run().status) == 0
  }

  private let folder: TemporaryFolder

  private var server: [String] { ["tmux", "-S", folder.path + "/tmux", "-f", "/dev/null"] }

  /// Opens a terminal and waits for its shell.
  package init(rows: Int, columns: Int) async throws {
    folder = try TemporaryFolder()
    // A shell without anybody's settings, whose prompt is known.
    try await run([
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-e", "PS1=$ ", "-e",
      "COLORTERM=", "env", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", "bash", "--norc", "--noprofile",
    ])
    try await waitForScreen("a shell") { $0.first?.hasPrefix("$") == true }
  }

  /// Ends the terminal and all that runs in it.
  package func close() async {
    _ = try? await run(["kill-server"])
  }

  /// Types a line and presses Enter.
  package func type(_ line: String) async throws {
    try await run(["send-keys", "-l", line])
    try await run(["send-keys", "Enter"])
  }

  /// Presses a key, by tmux's name of it.
  package func press(_ key: String) async throws {
    try await run(["send-keys", key])
  }

  /// Gives the terminal another size.
  package func resize(rows: Int, columns: Int) async throws {
    try await run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What tmux knows of the terminal, by one of its formats.
  package func query(_ format: String) async throws -> String {
    try await run(["display-message", "-p", format]).lines.first ?? ""
  }

  /// The rows of the screen as text, with or without the sequences that give them their looks.
  package func capture(withLooks: Bool = false) async throws -> [String] {
    try await run(["capture-pane", "-p"] + (withLooks ? ["-e"] : []))
      .output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Looks at the screen until something stands there, or nobody can believe that it comes.
  @discardableResult
  package func waitForScreen(
    _ purpose: String, _ isThere: ([String]) -> Bool
  ) async throws -> [String] {
    var lines: [String] = []
    return try await firstAnswer {
      lines = try await capture()
      return isThere(lines) ? lines : nil
    } otherwise: {
      "no \(purpose); the screen is\n\(lines.joined(separator: "\n"))"
    }
  }

  @discardableResult
  private func run(_ words: [String]) async throws -> Command.Result {
    let result = try await Command(["timeout", "300"] + server + words).run()
    guard result.status == 0 else {
      throw TestFailure("tmux \(words): \(result.errors)")
    }
    return result
  }
}
