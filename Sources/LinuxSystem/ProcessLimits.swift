import CLinux

/// What the system lets this process have.
package enum ProcessLimits {
  /// Lets the process have more open files than most are given at their start, as far as it may.
  ///
  /// A shell's programs, for one, have 1,024, which the connections of a server can use up.
  package static func raiseOpenFiles(to most: UInt32) { linux_raise_open_files(most) }
}
