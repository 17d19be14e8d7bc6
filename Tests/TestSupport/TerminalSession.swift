/// A real terminal with a shell, in a size that a test chooses: tmux, with its own server.
///
/// Its screen can be read as text, and keys can be pressed. It ends with ``close()``, and so do the programs in it.
package struct TerminalSession: Sendable {
  /// Whether tmux can be run here.
  package static func isPossible() async -> Bool {
    (try? await Command(["tmux", "-V"]).run().status) == 0
  }

  private let folder: TemporaryFolder

  private var server: [String] { ["tmux", "-S", folder.path + "/tmux", "-f", "/dev/null"] }

  /// Opens a terminal and waits for its shell.
  package init(rows: Int, columns: Int) async throws {
    folder = try TemporaryFolder()
    // The shell has no user's settings, so its prompt is known.
    try await run([
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-e", "PS1=$ ", "-e",
      "COLORTERM=", "env", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", "bash", "--norc", "--noprofile",
    ])
    try await waitForScreen("a shell") { $0.first?.hasPrefix("$") == true }
  }

  /// Ends the terminal and all programs in it.
  package func close() async {
    _ = try? await run(["kill-server"])
  }

  /// Types a line and presses Enter.
  package func type(_ line: String) async throws {
    try await run(["send-keys", "-l", line])
    try await run(["send-keys", "Enter"])
  }

  /// Presses a key, given by tmux's name.
  package func press(_ key: String) async throws {
    try await run(["send-keys", key])
  }

  /// Gives the terminal another size.
  package func resize(rows: Int, columns: Int) async throws {
    try await run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// A property of the terminal, given by a format of tmux.
  package func query(_ format: String) async throws -> String {
    try await run(["display-message", "-p", format]).lines.first ?? ""
  }

  /// The rows of the screen as text, with or without the escape sequences for colours and the like.
  package func capture(withLooks: Bool = false) async throws -> [String] {
    try await run(["capture-pane", "-p"] + (withLooks ? ["-e"] : []))
      .output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Waits until the screen shows something; throws after ``Duration/untilItHangs``.
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
