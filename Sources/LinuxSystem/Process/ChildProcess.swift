import CLinux
import Glibc

/// Another program that is run to its end.
package enum ChildProcess {
  /// Whether a program would be found and may be run, without running it.
  ///
  /// - Parameter program: as the first word of ``run(_:input:)``.
  /// - Throws: the ``Errno`` with which it couldn't be started.
  package static func check(_ program: String) throws(Errno) {
    // Without `PATH`, this is where glibc looks.
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/bin:/usr/bin"
    let paths =
      program.contains("/")
      ? [program]
      : folders.split(separator: ":", omittingEmptySubsequences: false).map {
        $0.isEmpty ? program : "\($0)/\(program)"
      }
    var problem = Errno.noSuchFile
    for path in paths {
      do throws(Errno) {
        let status = try FileStatus(path: path)
        if status.kind == .regular, unsafe faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0 {
          return
        }
        problem = .permissionDenied
      } catch {
        // Folders of PATH that aren't there are passed over; one that can't be entered is told.
        if program.contains("/") || error == .permissionDenied { problem = error }
      }
    }
    throw problem
  }

  /// Runs a program, which has this process's environment, standard output and standard error.
  ///
  /// A task that is cancelled asks the program to end, and doesn't wait for it.
  ///
  /// - Parameters:
  ///   - words: the program, found in `PATH` where it is no path, and its arguments.
  ///   - input: the file that it has as standard input.
  /// - Returns: its exit status; below 0 the number of the signal that ended it.
  /// - Throws: the ``Errno`` with which it can't be started; `CancellationError`.
  package static func run(_ words: [String], input: String) async throws -> CInt {
    let child = try start(words, input: input)
    let number = linux_process_descriptor(child)
    // Where the system has none, this thread waits.
    if number >= 0 {
      let ended = FileDescriptor(adopting: number)
      do {
        _ = try await Poller.shared.wait(for: .reading, on: ended.rawValue)
      } catch {
        kill(child, SIGTERM)
        throw error
      }
    }
    var status: CInt = 0
    _ = try retryingOnInterrupt { unsafe waitpid(child, &status, 0) }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : -signal
  }

  private static func start(_ words: [String], input: String) throws(Errno) -> pid_t {
    // This process may have been started with the signal ignored: then waitpid(2) tells nothing of a child.
    _ = signal(SIGCHLD, SIG_DFL)
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    // The program gets its signals as from a shell, whatever this process does with its own.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    // libdispatch gives root's threads a nice value of their own; the program is to have that of the process.
    let thread = CInt(PRIO_PROCESS.rawValue)
    let ownNice = getpriority(thread, 0)
    setpriority(thread, 0, getpriority(thread, id_t(getpid())))
    defer { setpriority(thread, 0, ownNice) }
    var child: pid_t = 0
    let error = unsafe posix_spawnp(
      &child, words[0], &actions, &attributes, &arguments, environ)
    guard error == 0 else { throw Errno(error) }
    return child
  }
}
