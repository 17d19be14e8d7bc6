import Glibc

/// What the system lets this process have, and what it was given.
package enum ProcessLimits {
  /// Lets the process have more open files than most are given at their start, as far as it may.
  ///
  /// A shell's programs, for one, have 1,024, which the connections of a server can use up.
  package static func raiseOpenFiles(to most: UInt) {
    // What the C library names it by isn't of the type that it asks for.
    let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(openFiles, &limit) == 0, limit.rlim_cur < most else { return }
    limit.rlim_cur = min(limit.rlim_max, most)
    _ = unsafe setrlimit(openFiles, &limit)
  }

  /// Opens those of the three standard descriptors that are closed, so that nothing else that is opened
  /// gets their numbers, and what is written for a person isn't written into it.
  ///
  /// Using them stays the error that it was.
  package static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free, and the wrong way round.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
