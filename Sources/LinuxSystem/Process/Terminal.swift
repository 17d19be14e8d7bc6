import Glibc

/// The terminal that the process was started in, for a program that fills its screen.
///
/// It is opened anew, because reading without waiting is a property of an open file, and the one of
/// standard input is the shell's too. Whoever changes its mode changes it back: the mode belongs to the
/// terminal and outlives the process.
package final class Terminal: Sendable {
  /// How large a screen is, in characters.
  package struct Size: Sendable, Hashable {
    package var rows: Int
    package var columns: Int

    package init(rows: Int, columns: Int) {
      self.rows = rows
      self.columns = columns
    }
  }

  private let descriptor: FileDescriptor

  /// How the terminal was before anything was changed.
  private let original: termios

  /// Opens the terminal that controls the process.
  ///
  /// - Throws: ``Errno``, for one when there is none.
  package init() throws(Errno) {
    descriptor = try FileDescriptor.open("/dev/tty", O_RDWR | O_NONBLOCK)
    var original = termios()
    guard unsafe tcgetattr(descriptor.rawValue, &original) == 0 else { throw Errno.last }
    self.original = original
  }

  deinit { Poller.shared.forget(descriptor.rawValue) }

  /// The size at present; 24 rows of 80 columns where the terminal doesn't know.
  package var size: Size {
    var size = winsize()
    guard unsafe ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
      size.ws_col > 0
    else { return Size(rows: 24, columns: 80) }
    return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  /// Makes every key come at once, unseen and without an effect of its own, Ctrl-C among them.
  package func makeRaw() throws(Errno) {
    var raw = original
    unsafe cfmakeraw(&raw)
    guard unsafe tcsetattr(descriptor.rawValue, TCSANOW, &raw) == 0 else { throw Errno.last }
  }

  /// Makes the terminal as it was in the beginning.
  package func restore() {
    var mode = original
    // Nobody is left to tell when the terminal is gone.
    _ = unsafe tcsetattr(descriptor.rawValue, TCSANOW, &mode)
  }

  /// Waits for keys and returns their bytes; empty when the terminal is gone.
  ///
  /// One task at a time may read.
  ///
  /// - Throws: `CancellationError`, or ``Errno``.
  package func read() async throws -> [UInt8] {
    while true {
      _ = try await Poller.shared.wait(for: .reading, on: descriptor.rawValue)
      do {
        return try readNow()
      } catch let error as Errno where error == .wouldBlock {
        continue
      } catch let error as Errno where error == .inputOutput {
        return []
      }
    }
  }

  private func readNow() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try retryingOnInterrupt {
        unsafe Glibc.read(descriptor.rawValue, buffer.baseAddress, buffer.count)
      }
    }
    return Array(bytes.prefix(count))
  }

  /// Writes all the bytes, and waits for a slow terminal to take them.
  ///
  /// One task at a time may write.
  ///
  /// - Throws: `CancellationError`, or ``Errno``.
  package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while true {
      rest = try writeSome(rest)
      if rest.isEmpty { return }
      _ = try await Poller.shared.wait(for: .writing, on: descriptor.rawValue)
    }
  }

  /// Writes a few last bytes, blocking for a second at most each time that the terminal takes no more.
  ///
  /// So a terminal that is stuck can't keep the program from ending.
  package func writeAtLast(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let left = try? writeSome(rest), !left.isEmpty {
      rest = left
      var waiting = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&waiting, 1, 1000) == 1 else { return }
    }
  }

  /// Writes as many of the bytes as the terminal takes at once, and returns the rest.
  private func writeSome(_ bytes: ArraySlice<UInt8>) throws(Errno) -> ArraySlice<UInt8> {
    guard !bytes.isEmpty else { return bytes }
    do {
      return try FileContents.writeSome(bytes, to: descriptor.rawValue)
    } catch .wouldBlock {
      return bytes
    }
  }

  /// Stops the process and all that was started with it, as Ctrl-Z does; returns when it goes on.
  ///
  /// In a terminal that nobody manages, for one without a shell, it returns at once.
  package static func suspendJob() {
    // For this process the signal has to come here, and not to another thread a moment later. The
    // threads of a pool take no signals by themselves.
    _ = signal(SIGTSTP, SIG_IGN)
    _ = kill(0, SIGTSTP)
    _ = signal(SIGTSTP, SIG_DFL)
    var (stop, before) = (sigset_t(), sigset_t())
    _ = unsafe sigemptyset(&stop)
    _ = unsafe sigaddset(&stop, SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    _ = raise(SIGTSTP)
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
