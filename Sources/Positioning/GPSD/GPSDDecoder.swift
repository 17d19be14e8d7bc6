import CGPSDClient
import Geofencing

/// Reads gpsd's JSON messages, a line at a time, with libgps.
///
/// It has no connection and keeps nothing between lines, so that a live gpsd and a recording are read
/// alike. Any bytes are safe: what is no message is refused. Not for several threads at once.
@safe
final class GPSDDecoder {
  /// The longest line that can be a message, in bytes.
  static let maximumLineLength = Int(GPSD_LINE_MAX)

  private let handle: OpaquePointer?

  /// Makes a decoder; one without memory refuses every line.
  init() {
    unsafe handle = gpsd_decoder_create()
  }

  deinit {
    unsafe gpsd_decoder_destroy(handle)
  }

  /// The message on a line, which may end in CR and LF; nil when it isn't one.
  func decode(_ line: Span<UInt8>) -> GPSDMessage? {
    guard let handle = unsafe handle else { return nil }
    var report = unsafe gpsd_report()
    let kind = unsafe line.withUnsafeBufferPointer { bytes in
      unsafe gpsd_decoder_decode(handle, bytes.baseAddress, bytes.count, &report)
    }
    switch kind {
    case GPSD_TPV:
      return .tpv(unsafe tpv(report))
    case GPSD_GST:
      return .tpv(unsafe gst(report))
    case GPSD_SKY:
      return unsafe .sky(
        of: name(of: report), used: Int(report.satellites_used),
        seen: Int(report.satellites_seen))
    case GPSD_VERSION:
      return .version(unsafe String(cString: report.text))
    case GPSD_DEVICES:
      let count = unsafe report.device_count
      return .devices(
        (0..<count).map { unsafe String(cString: gpsd_decoder_listed_device(handle, $0)) })
    case GPSD_DEVICE:
      return unsafe .device(String(cString: report.device), activated: report.activated)
    case GPSD_WATCH:
      return .watch
    case GPSD_ERROR:
      return .error(unsafe String(cString: report.text))
    case GPSD_OTHER:
      return .other
    default:
      return nil
    }
  }

  /// The receiver that a report is of.
  private func name(of report: gpsd_report) -> String? {
    let device = unsafe String(cString: report.device)
    return device.isEmpty ? nil : device
  }

  /// The receiver and the time of a report, and no more.
  private func beginning(of report: gpsd_report) -> TPV {
    var tpv = TPV()
    tpv.device = unsafe name(of: report)
    if unsafe report.has_time {
      tpv.time = unsafe Timestamp(
        seconds: report.time_seconds, nanoseconds: Int64(report.time_nanoseconds))
    }
    return tpv
  }

  private func gst(_ report: gpsd_report) -> TPV {
    var tpv = unsafe beginning(of: report)
    tpv.gst = unsafe TPV.GST(
      north: report.north_deviation.ifFinite, east: report.east_deviation.ifFinite,
      up: report.up_deviation.ifFinite)
    return tpv
  }

  private func tpv(_ report: gpsd_report) -> TPV {
    var tpv = unsafe beginning(of: report)
    tpv.mode = unsafe Int(report.mode)
    tpv.status = unsafe Int(report.status)
    tpv.latitude = unsafe report.latitude.ifFinite
    tpv.longitude = unsafe report.longitude.ifFinite
    tpv.altitudeMSL = unsafe report.altitude_msl.ifFinite
    tpv.altitudeHAE = unsafe report.altitude_hae.ifFinite
    tpv.eph = unsafe report.eph.ifFinite
    tpv.epx = unsafe report.epx.ifFinite
    tpv.epy = unsafe report.epy.ifFinite
    tpv.epv = unsafe report.epv.ifFinite
    tpv.speed = unsafe report.speed.ifFinite
    tpv.eps = unsafe report.eps.ifFinite
    tpv.track = unsafe report.track.ifFinite
    tpv.epd = unsafe report.epd.ifFinite
    return tpv
  }
}

extension Double {
  /// libgps marks what is absent with NaN; an overflown number isn't one either.
  fileprivate var ifFinite: Double? { isFinite ? self : nil }
}
