import CLinux
import Glibc

/// A sort of event of an IIO device that tells of motion, the best ones first.
///
/// The names are those of Linux's Documentation/ABI/testing/sysfs-bus-iio; which driver has which is
/// said at each case.
enum MotionEventKind: Int, CaseIterable, Sendable {
  /// Somebody went somewhere, not only moved (embedded controllers of laptops).
  case significantMotion

  /// The acceleration differs from what it was at rest, gravity left out: the any-motion of bmi323,
  /// the AC-coupled activity of adxl345 and adxl313.
  case accelerationAgainstRest

  /// The same, against a reference taken when it was enabled: adxl367, adxl380.
  case accelerationAgainstReference

  /// The acceleration changes fast: bmc150 and its kin (any-motion), inv_mpu6050 and inv_icm42600
  /// (wake on motion).
  case accelerationChange

  /// The magnitude of the acceleration: the transient detection of mma8452, bma400, adxl345.
  case acceleration

  /// Somebody begins to walk or run: mma9553, bma400.
  case walking

  /// A step was made: mma9553, bma400, bmi323.
  case step

  // Thresholds of plain acceleration (thresh) aren't among them: whether gravity counts is the
  // driver's choice, and where it does they tell of motion all the time.

  /// What people call it.
  var words: String {
    switch self {
    case .significantMotion: "significant-motion events"
    case .accelerationAgainstRest, .accelerationAgainstReference, .accelerationChange:
      "any-motion events"
    case .acceleration: "acceleration events"
    case .walking: "walking events"
    case .step: "step events"
    }
  }

  /// The kind that a switch in the folder `events` turns on, for example `in_accel_x_mag_rising_en`;
  /// nil for one that doesn't tell of motion.
  init?(switchName name: String) {
    guard name.utf8.count <= 128, name.hasPrefix("in_"), name.hasSuffix("_en") else { return nil }
    var words = name.dropFirst(3).dropLast(3).split(
      separator: "_", omittingEmptySubsequences: false)
    switch words.last {
    case "rising", "either": words.removeLast()
    case "change": break
    default: return nil
    }
    guard words.count >= 2, let type = words.popLast() else { return nil }
    let channel = words.removeFirst()
    let isQualified = type == "adaptive" || type == "referenced"
    if isQualified, words.popLast() != "mag" { return nil }
    // What is left are the axes, or the activity.
    switch (channel, type) {
    case ("activity", "change"), ("activity", "thresh"):
      if words.last == "motion" {
        self = .significantMotion
      } else if words.isEmpty || ["walking", "jogging", "running"].contains(words) {
        self = .walking
      } else {
        return nil
      }
    case ("accel", "adaptive"): self = .accelerationAgainstRest
    case ("accel", "referenced"): self = .accelerationAgainstReference
    case ("accel", "roc"): self = .accelerationChange
    case ("accel", "mag"): self = .acceleration
    case ("steps", "change"): self = .step
    default: return nil
    }
  }

  /// Whether an event of the device is one of these; it may tell of other things as well, such as
  /// taps or stillness, because somebody else enabled them.
  func includes(_ event: linux_iio_event) -> Bool {
    let (channel, types) = codes
    return event.is_falling == 0 && event.is_stillness == 0 && event.channel == channel
      && types.contains(event.type)
  }

  /// What its events are about, and of which types they are.
  private var codes: (channel: iio_chan_type, types: [iio_event_type]) {
    switch self {
    case .significantMotion, .walking:
      (IIO_ACTIVITY, [IIO_EV_TYPE_CHANGE, IIO_EV_TYPE_THRESH])
    case .accelerationAgainstRest: (IIO_ACCEL, [IIO_EV_TYPE_MAG_ADAPTIVE])
    case .accelerationAgainstReference: (IIO_ACCEL, [IIO_EV_TYPE_MAG_REFERENCED])
    case .accelerationChange: (IIO_ACCEL, [IIO_EV_TYPE_ROC])
    case .acceleration: (IIO_ACCEL, [IIO_EV_TYPE_MAG])
    case .step: (IIO_STEPS, [IIO_EV_TYPE_CHANGE])
    }
  }
}
