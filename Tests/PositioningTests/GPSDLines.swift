/// Messages as gpsd 3.22 writes them.
enum GPSDLines {
  static let banner = line(
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#)

  static let devices = line(
    """
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps0",\
    "activated":"2026-03-01T00:00:00.000Z","native":0,"bps":9600,"parity":"N","stopbits":1,\
    "cycle":1.00}]}
    """)

  static let noDevices = line(#"{"class":"DEVICES","devices":[]}"#)

  static let watching = line(
    """
    {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,\
    "timing":false,"split24":false,"pps":false}
    """)

  /// One satellite used, and one only seen.
  static let sky = line(
    """
    {"class":"SKY","device":"/dev/gps0","nSat":2,"uSat":1,"satellites":[\
    {"PRN":3,"el":40.0,"az":90.0,"ss":41.0,"used":true,"gnssid":0,"svid":3},\
    {"PRN":9,"el":5.0,"az":12.0,"ss":15.0,"used":false,"gnssid":0,"svid":9}]}
    """)

  /// A report whose latitude is 40 + `number` ÷ 1000.
  static func tpv(_ number: Int = 0) -> [UInt8] {
    let minute = String(number / 60 % 60 + 100).dropFirst()
    let second = String(number % 60 + 100).dropFirst()
    let latitude = 40 + Double(number) / 1000
    return line(
      """
      {"class":"TPV","device":"/dev/gps0","mode":3,"time":"2026-03-01T00:\(minute):\(second).000Z",\
      "lat":\(latitude),"lon":-3.5,"eph":5.0}
      """)
  }

  /// A receiver that came (with a time) or went (with 0).
  static func device(_ path: String = "/dev/gps0", isActivated: Bool) -> [UInt8] {
    let activated = isActivated ? "\"2026-03-01T00:00:00.000Z\"" : "0"
    return line(#"{"class":"DEVICE","path":"\#(path)","activated":\#(activated)}"#)
  }

  /// What a ship says, which gpsd hands on too.
  static let ship = line(
    #"{"class":"AIS","device":"/dev/gps0","type":5,"repeat":0,"mmsi":351759000,"scaled":true}"#)

  static func line(_ text: String) -> [UInt8] { Array("\(text)\r\n".utf8) }

  static let watchRequest = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
}
