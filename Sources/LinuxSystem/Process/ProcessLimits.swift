import Glibc

/// What the system lets this process have, and what it was given.
package enum ProcessLimits {
  /// Raises how many open files the process may have, as far as its hard limit allows.
  ///
  /// A shell's programs, for one, have 1,024, which the connections of a server can use up.
  package static func raiseOpenFiles(to most: UInt) {
    // glibc's constant isn't of the type that its functions take.
    let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(openFiles, &limit) == 0, limit.rlim_cur < most else { return }
    limit.rlim_cur = min(limit.rlim_max, most)
    _ = unsafe setrlimit(openFiles, &limit)
  }

  /// Opens those of the three standard descriptors that are closed.
  ///
  /// Otherwise a file that is opened later gets such a number, and messages are written into it. Reading or
  /// writing them still fails.
  package static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) gives the lowest free number. The direction is the wrong one, so that using it fails.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
