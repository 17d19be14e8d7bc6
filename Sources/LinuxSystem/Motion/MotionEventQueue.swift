import CLinux
import Glibc

/// The events of an IIO device, waited for in epoll: until one comes nothing runs.
struct MotionEventQueue: ~Copyable {
  private let descriptor: FileDescriptor
  private let path: String

  /// How many events are taken at once.
  private static let batch = 16

  /// Takes over the descriptor on which a device tells of its events, which doesn't block.
  init(adopting descriptor: consuming FileDescriptor, of path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { Poller.shared.forget(descriptor.rawValue) }

  /// Asks a device for its events.
  ///
  /// - Throws: `cannotBeOpened`.
  static func open(_ path: String) throws(MotionSensorError) -> MotionEventQueue {
    do throws(Errno) {
      // Closed again here: the events keep the device, and others may want its samples.
      let device = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
      let events = try retryingOnInterrupt { linux_iio_event_descriptor(device.rawValue) }
      return MotionEventQueue(adopting: FileDescriptor(adopting: events), of: path)
    } catch {
      throw MotionSensorError(.cannotBeOpened(error), path)
    }
  }

  /// Waits for an event of a kind; others are passed over.
  ///
  /// - Throws: ``MotionSensorError`` with `ended` or, where it can't be waited for, `cannotBeOpened`;
  ///   or `CancellationError`.
  func wait(for kind: MotionEventKind) async throws {
    while true {
      do {
        _ = try await Poller.shared.wait(for: .reading, on: descriptor.rawValue)
      } catch let error as Errno {
        throw MotionSensorError(.cannotBeOpened(error), path)
      }
      if try events().contains(where: kind.includes) { return }
    }
  }

  /// The events that are there.
  private func events() throws(MotionSensorError) -> [linux_iio_event] {
    let size = Int(linux_iio_event_size())
    var buffer = [UInt8](repeating: 0, count: size * Self.batch)
    let count: Int
    do {
      count = try retryingOnInterrupt {
        unsafe read(descriptor.rawValue, &buffer, buffer.count)
      }
    } catch .wouldBlock {
      return []
    } catch {
      throw MotionSensorError(.ended, path)
    }
    // The kernel hands over whole events only.
    guard count > 0, count % size == 0 else { throw MotionSensorError(.ended, path) }
    return stride(from: 0, to: count, by: size).map { offset in
      unsafe buffer[offset..<offset + size].withUnsafeBufferPointer {
        unsafe linux_iio_decode_event($0.baseAddress)
      }
    }
  }
}
