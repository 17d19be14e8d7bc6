import Dispatch
import Glibc
import Synchronization

/// Another program that is run to its end, with its output.
package struct Command: Sendable {
  /// The result of a program.
  package struct Result: Sendable, Hashable {
    /// The exit status, or 128 plus the number of the signal that ended the program.
    package var status: Int32

    /// Everything it wrote to standard output.
    package var output: String

    /// Everything it wrote to standard error.
    package var errors: String

    /// The lines of the output that aren't empty.
    package var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }
  }

  private let words: [String]

  /// A command as words; the first word is found in `PATH` if it isn't a path.
  package init(_ words: [String]) {
    self.words = words
  }

  /// Runs the command in a session of its own and waits for its end, without blocking the pool.
  ///
  /// - Parameter input: The descriptor that becomes its standard input; `/dev/null` if nil.
  package func run(input: Int32? = nil) async throws -> Result {
    // The output goes to files, because the program would stop at a full pipe that nobody reads.
    let output = try TemporaryFile()
    let errors = try TemporaryFile()
    let child = try spawn(input: input, output: output.descriptor, errors: errors.descriptor)
    let status = await child.end()
    return Result(status: status, output: output.text(), errors: errors.text())
  }

  /// Starts the command in a session of its own; the caller has to wait for its end.
  package func spawn(input: Int32?, output: Int32, errors: Int32) throws -> Child {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)

    // Ctrl-C doesn't reach other sessions, so it ends only the test itself. The signals are set to their defaults.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which <spawn.h> defines only for GNU sources.
    let ownSession: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | ownSession))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let error = posix_spawnp(&child, words[0], &actions, &attributes, arguments, environ)
    guard error == 0 else {
      throw TestFailure("\(words[0]): \(String(cString: strerror(error)))")
    }
    return Child(identifier: child)
  }

  /// A program that was started.
  package final class Child: Sendable {
    /// The process id, which another program may get once this one's end was seen.
    package let identifier: Int32
    private let ended = Mutex<Int32?>(nil)

    init(identifier: Int32) {
      self.identifier = identifier
    }

    /// The exit status if the program has ended; nil while it runs.
    package func status() -> Int32? {
      wait(options: WNOHANG)
    }

    /// Waits for the program's end and returns its status.
    package func end() async -> Int32 {
      await withCheckedContinuation { continuation in
        // This blocks a thread of Dispatch, not one of the pool.
        DispatchQueue.global().async { [self] in
          continuation.resume(returning: wait())
        }
      }
    }

    /// Ends the program, and waits for its end on another thread.
    ///
    /// Without that, the program would stay as a zombie, and meanwhile the thread on which the test library watches for
    /// the ends of programs would spin.
    package func stop() {
      _ = kill(identifier, SIGTERM)
      DispatchQueue.global().async { [self] in _ = wait() }
    }

    /// Waits for the program's end on this thread and returns its status.
    func wait() -> Int32 { wait(options: 0) ?? -1 }

    private func wait(options: Int32) -> Int32? {
      ended.withLock { ended in
        if let ended { return ended }
        var status: Int32 = 0
        var result = waitpid(identifier, &status, options)
        while result < 0, errno == EINTR { result = waitpid(identifier, &status, options) }
        guard result == identifier else { return result < 0 ? -1 : nil }
        let signal = status & 0x7f
        ended = signal == 0 ? (status >> 8) & 0xff : 128 + signal
        return ended
      }
    }
  }
}

/// A file without a name, which is removed when its last descriptor is closed.
final class TemporaryFile: Sendable {
  let descriptor: Int32

  init() throws {
    var template = Array("/tmp/geofenced-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    if descriptor < 0 { throw TestFailure("/tmp: no temporary file") }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    close(descriptor)
  }

  /// The contents so far.
  func text() -> String {
    // Read without moving the position in the file, which the program that still writes shares.
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }
}
