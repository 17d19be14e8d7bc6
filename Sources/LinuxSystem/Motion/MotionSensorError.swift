import Glibc

/// Why a motion sensor that was found can't be used.
package struct MotionSensorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// A file can't be read.
    case unreadable(FileError)

    /// A file that counts steps holds something else.
    case notACount

    /// A file that turns something on holds neither 0 nor 1.
    case notASwitch

    /// A switch can't be set.
    case cannotBeEnabled(Errno)

    /// The device can't be opened, or has no events for us.
    case cannotBeOpened(Errno)

    /// The device went away, or sent what no device sends.
    case ended
  }

  package let problem: Problem

  /// The file that it is about.
  package let path: String

  init(_ problem: Problem, _ path: String) {
    self.problem = problem
    self.path = path
  }

  package var description: String {
    switch problem {
    case .unreadable(.system(let error)): "can't be read: \(path): \(error)"
    case .unreadable(.notRegular): "can't be read: \(path): not a regular file"
    case .unreadable(.isDirectory): "can't be read: \(path): a directory"
    case .unreadable(let error): "can't be read: \(path): \(error)"
    case .notACount: "can't be used: \(path) doesn't hold a count"
    case .notASwitch: "can't be used: \(path) holds neither 0 nor 1"
    case .cannotBeEnabled(let error): "can't be enabled: \(path): \(error)"
    case .cannotBeOpened(Errno(EBUSY)): "can't be opened: \(path): another program uses it"
    case .cannotBeOpened(let error): "can't be opened: \(path): \(error)"
    case .ended: "can't be used any more: \(path) ended"
    }
  }
}
