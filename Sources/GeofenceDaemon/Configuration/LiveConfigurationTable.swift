import CommandLineParsing
import Geofencing
import Positioning

/// The table of all live configurations for the manual, made from their values.
enum LiveConfigurationTable {
  /// One number of every configuration: the key that sets it, how it is written, and the reason for it.
  private struct Number {
    let key: String
    let unit: String
    let reason: String
    let text: @Sendable (LiveConfigurationParameters) -> String
  }

  private static let numbers: [Number] = [
    Number(
      key: "StationarySpeed", unit: "m/s",
      reason: """
        Receivers at rest report 0.05 to 0.4 m/s, a stroll is 1 m/s. A boat at anchor swings a \
        little faster.
        """,
      text: { $0.stationary.speed.shortest }),
    Number(
      key: "StationaryRadius", unit: "m",
      reason: """
        Receivers at rest wander by tens of metres, whatever they are mounted on. Cars, boats and \
        aircraft are larger, and boats swing.
        """,
      text: { $0.stationary.radius.shortest }),
    Number(
      key: "(height)", unit: "m",
      reason: """
        How far three quarters of the altitudes may lie from their middle. Only aircraft can climb \
        without leaving their place. An altitude is known about half as well as a position.
        """,
      text: { $0.stationary.height.map(\.shortest) ?? "-" }),
    Number(
      key: "StationarySec", unit: "",
      reason: """
        Longer than stops that don't end a journey: a crossing takes up to two minutes, a rest \
        three, a standstill in a traffic jam or the stop of a train five. A perfect hover looks \
        like a parked aircraft, so for aircraft the time is longer than most hovers.
        """,
      text: { $0.stationary.window.timeSpan }),
    Number(
      key: "PauseAfterSec", unit: "",
      reason: """
        A pause delays the events after it, so it comes later where standing still is often only \
        an interruption.
        """,
      text: { $0.pauseAfter.timeSpan }),
    Number(
      key: "MaximumSpeed", unit: "m/s",
      reason: """
        Airliners with the wind behind them by default; 324 km/h on a road, 612 km/h on rails or \
        water, 126 km/h for a bicycle or skis downhill, and more than the speed of sound for \
        aircraft.
        """,
      text: { $0.maximumSpeed.shortest }),
    Number(
      key: "MaximumAcceleration", unit: "m/s2",
      reason: """
        Emergency braking reaches 10, trains and boats stay below 6, a cyclist's fall reaches 8, \
        and aircraft that pull up 50. The default leaves room for the unknown.
        """,
      text: { $0.stationary.maximumAcceleration.shortest }),
    Number(
      key: "EnterFixes", unit: "",
      reason: "More where nobody can be through sooner: boats at a quay, people on foot.",
      text: { "\($0.enterFixes)" }),
    Number(
      key: "EnterSec", unit: "",
      reason: "As long as those positions take at one per second, or longer where nobody is fast.",
      text: { $0.enterTime.timeSpan }),
    Number(
      key: "ExitFixes", unit: "",
      reason: "More for people on foot, who walk along a line for minutes.",
      text: { "\($0.exitFixes)" }),
    Number(
      key: "ExitSec", unit: "",
      reason: "Longer for boats that swing on a line and for people on foot.",
      text: { $0.exitTime.timeSpan }),
    Number(
      key: "(creep)", unit: "m/s",
      reason: """
        The average speed from which something moves if the receiver gives no course, as many \
        don't when slow: at rest they report up to 0.35 m/s. Boats swing, and drag their anchors, \
        at less; in exchange, more of such a receiver's errors are taken for movement.
        """,
      text: { $0.creepingSpeed.shortest }),
  ]

  /// Adds the section to a manual page.
  static func render(to page: inout Roff) {
    page.section("LIVE CONFIGURATIONS")
    page.paragraph(
      """
      LiveConfiguration= says what the receiver moves with, and so sets the numbers of one column. \
      A key that is set itself overrides its number. A program that listens to locations may ask \
      for a column of its own. Then StationarySpeed, StationaryRadius, (height), StationarySec, \
      PauseAfterSec and MaximumAcceleration of that column say when locations pause for this \
      program, and the receiver isn't released before that.
      """)
    let columns = LiveConfiguration.allCases
    var lines = [line("", columns.map { $0.rawValue.replacing("Navigation", with: "") })]
    for number in numbers {
      let name = number.key + (number.unit.isEmpty ? "" : ", \(number.unit)")
      lines.append(line(name, columns.map { number.text($0.parameters) }))
    }
    page.literal(lines)
    page.paragraph(
      """
      The columns are default, automotiveNavigation (vehicles on roads), otherNavigation (boats \
      and trains), fitness (people on foot, bicycles) and airborne (aircraft). An anchor watch \
      needs PauseMode=updates, or a background activity session: otherwise an exit in a pause is \
      reported only with the next look. Why the numbers are as they are:
      """)
    for number in numbers { page.definition([.bold(number.key)], [number.reason]) }
  }

  private static func line(_ name: String, _ values: [String]) -> String {
    var line = name
    for (index, value) in values.enumerated() {
      let column = 27 + 11 * index
      line += String(repeating: " ", count: max(1, column - line.count)) + value
    }
    return line
  }
}
