import Foundation
import Glibc
import LinuxSystem
import Synchronization

/// A real gpsd with a receiver on a pseudo-terminal, which a test can unplug and plug in, as udev does.
package final class GPSDPluggableReceiver: Sendable {
  /// The name by which gpsd knows the receiver.
  package let name: String

  /// The port of gpsd.
  package var port: Int { reserved.number }

  private let reserved: ReservedPort
  private let epoch: @Sendable (Int) -> [UInt8]
  private let folder: TemporaryFolder
  private let controlPath: String
  private let master: FileDescriptor
  private let slave: FileDescriptor
  private let isStopped = Mutex(false)
  private let gpsd: BoundProcess

  /// Whether there is a gpsd that may open the receiver; if not, cancel the test.
  package static var isPossible: Bool {
    let isConfined =
      access("/etc/apparmor.d/usr.sbin.gpsd", F_OK) == 0
      && access("/sys/kernel/security/apparmor", F_OK) == 0
    return GPSDProcess.isInstalled && !isConfined
  }

  /// Starts gpsd; from then on the receiver sends an epoch every tenth of a second.
  ///
  /// - Parameters:
  ///   - options: Further options for gpsd.
  ///   - epoch: Makes the receiver's output for each epoch, numbered from 0.
  package init(
    options: [String] = [], epoch: @escaping @Sendable (Int) -> [UInt8] = nmeaEpoch
  ) throws {
    self.epoch = epoch
    reserved = try ReservedPort()
    // This does the same as posix_openpt, unlockpt and ptsname, which the Glibc module lacks (ioctl_tty(2)).
    master = FileDescriptor(adopting: open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK))
    let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var locked: CInt = 0
    var index: CInt = 0
    guard master.rawValue >= 0, ioctl(master.rawValue, unlock, &locked) == 0,
      ioctl(master.rawValue, number, &index) == 0
    else { throw Errno.last }
    name = "/dev/pts/\(index)"
    slave = FileDescriptor(adopting: open(name, O_RDWR | O_NOCTTY | O_CLOEXEC))
    try master.setCloseOnExec()
    var attributes = termios()
    tcgetattr(slave.rawValue, &attributes)
    cfmakeraw(&attributes)
    tcsetattr(slave.rawValue, TCSANOW, &attributes)
    chmod(name, 0o666)

    folder = try TemporaryFolder()
    // gpsd gives up root, and must be able to make its control socket then.
    chmod(folder.path, 0o777)
    controlPath = folder.path + "/control"
    gpsd = try BoundProcess.gpsd(
      servingPort: reserved.number, ["-F", controlPath] + options + [name])
    Thread.detachNewThread { self.feed() }
  }

  /// Ends gpsd and the receiver.
  package func stop() {
    isStopped.withLock { $0 = true }
    gpsd.stop()
  }

  /// Whether gpsd has the receiver's device open, by its table of descriptors.
  package var isOpen: Bool {
    (try? openDescriptors(of: gpsd.identifier))?.values.contains(name) == true
  }

  /// Tells gpsd that the receiver was removed.
  package func unplug() async throws { try await tell("-\(name)") }

  /// Tells gpsd that the receiver is there again.
  package func plugIn() async throws { try await tell("+\(name)") }

  private func tell(_ command: String) async throws {
    let control = try await StreamSocket.connect(toPath: controlPath)
    try await control.write(Array("\(command)\r\n".utf8))
    let answer = try await control.read(timeout: .untilItHangs) ?? []
    let text = String(decoding: answer, as: UTF8.self)
    // Newer versions of gpsd answer in the second form.
    guard text.hasPrefix("OK") || text.hasPrefix(#"{"class":"ACK""#) else {
      throw TestFailure("gpsd answered '\(text)'")
    }
  }

  /// Sends epochs at the pace of a receiver; bytes that gpsd doesn't read in time are lost, as on a wire.
  private func feed() {
    for number in 0... {
      if isStopped.withLock({ $0 }) { return }
      let epoch = epoch(number)
      _ = write(master.rawValue, epoch, epoch.count)
      usleep(100_000)
    }
  }
}

/// One epoch of a receiver at 10 Hz, whose latitude is 50 + `number` ÷ 100 000.
package func nmeaEpoch(_ number: Int) -> [UInt8] {
  nmeaEpoch(tenths: number, minutes: Double(number) * 60 / 100_000, knots: 10)
}

/// One epoch at so many tenths of a second after midnight, at so many minutes of arc north of 50°.
package func nmeaEpoch(tenths: Int, minutes: Double, knots: Double) -> [UInt8] {
  let seconds = tenths / 10
  let time = String(
    format: "%02d%02d%02d.%d00", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, tenths % 10)
  let latitude = String(format: "50%09.6f", minutes)
  let speed = String(format: "%06.2f", knots)
  let sentences = [
    "GPRMC,\(time),A,\(latitude),N,00330.000000,W,\(speed),090.0,010326,,,A",
    "GPGGA,\(time),\(latitude),N,00330.000000,W,1,08,1.0,100.0,M,47.0,M,,",
    "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,2.0,1.0,1.5",
  ]
  return sentences.flatMap { Array((nmea($0) + "\r\n").utf8) }
}
