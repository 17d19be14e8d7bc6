import Glibc

extension MotionSensor {
  /// The most devices that are looked at.
  private static let maximumDevices = 64

  /// The most switches that are turned on together: one for each axis, and room.
  private static let maximumSwitches = 8

  /// The best motion sensor that the machine has: events that tell of motion come before a count of
  /// steps, and of two alike the first device.
  ///
  /// - Parameters:
  ///   - root: Where sysfs is.
  ///   - deviceRoot: Where the files of devices are.
  /// - Returns: nil when there is none.
  /// - Throws: What keeps the best one from being used, when all there are can't be.
  package static func find(
    root: String, deviceRoot: String
  ) throws(MotionSensorError) -> MotionSensor? {
    let folder = "\(root)/bus/iio/devices"
    let numbers = try SysfsAttribute.names(in: folder).compactMap(number).sorted()
    var failure: MotionSensorError?
    var found: [MotionSensor] = []
    for number in numbers.prefix(maximumDevices) {
      let device = "iio:device\(number)"
      do {
        found += try sensors(of: device, in: "\(folder)/\(device)", deviceRoot: deviceRoot)
      } catch {
        failure = failure ?? error
      }
    }
    // Swift's sort keeps the order of equals.
    found.sort { $0.rank < $1.rank }
    var refusal: MotionSensorError?
    for sensor in found {
      do {
        try sensor.check()
        return sensor
      } catch {
        refusal = refusal ?? error
      }
    }
    if let error = refusal ?? failure { throw error }
    return nil
  }

  /// Small for a sensor that is preferred.
  private var rank: Int {
    switch source {
    case .events(let kind, _, _): kind.rawValue
    case .stepCounter: MotionEventKind.allCases.count
    }
  }

  /// The N of a name `iio:deviceN`, as the kernel writes it.
  private static func number(_ name: String) -> Int? {
    Int(name.dropFirst("iio:device".count)).flatMap { number in
      (0...999_999).contains(number) && name == "iio:device\(number)" ? number : nil
    }
  }

  /// All ways in which one device tells of motion.
  private static func sensors(
    of device: String, in folder: String, deviceRoot: String
  ) throws(MotionSensorError) -> [MotionSensor] {
    let name = name(in: folder)
    var switches: [MotionEventKind: [String]] = [:]
    for entry in try SysfsAttribute.names(in: "\(folder)/events") {
      guard let kind = MotionEventKind(switchName: entry) else { continue }
      switches[kind, default: []].append(entry)
    }
    var sensors = switches.map { kind, entries in
      let attributes = entries.sorted().prefix(maximumSwitches).map {
        SysfsAttribute(path: "\(folder)/events/\($0)")
      }
      return MotionSensor(
        device: device, name: name,
        source: .events(kind, switches: attributes, device: "\(deviceRoot)/\(device)"))
    }
    let entries = try SysfsAttribute.names(in: folder)
    if entries.contains("in_steps_input") {
      let attribute =
        entries.contains("in_steps_en") ? SysfsAttribute(path: "\(folder)/in_steps_en") : nil
      sensors.append(
        MotionSensor(
          device: device, name: name,
          source: .stepCounter(
            SysfsAttribute(path: "\(folder)/in_steps_input"), switch: attribute)))
    }
    return sensors
  }

  /// What the driver calls the device, made fit for a line of text.
  private static func name(in folder: String) -> String {
    let text = (try? SysfsAttribute(path: "\(folder)/name").text()) ?? ""
    let printable = text.unicodeScalars.filter { $0.value > 32 && $0.value < 127 }.prefix(32)
    return printable.isEmpty ? "a nameless device" : String(String.UnicodeScalarView(printable))
  }

  /// Looks whether it can be used, as far as that shows without using it.
  private func check() throws(MotionSensorError) {
    let switches: [SysfsAttribute]
    switch source {
    case .events(_, let all, let device):
      guard unsafe access(device, R_OK) == 0 else {
        throw MotionSensorError(.cannotBeOpened(.last), device)
      }
      switches = all
    case .stepCounter(let input, let attribute):
      _ = try input.count()
      switches = attribute.map { [$0] } ?? []
    }
    // One that is on already, by a rule of udev, needs no right to turn it on.
    for attribute in switches where try !attribute.isOn() { try attribute.checkWritable() }
  }
}
