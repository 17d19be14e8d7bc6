import Geofencing
import Testing

@testable import Positioning

@Suite struct `The wait for another report of an epoch` {
  private let start = ContinuousClock.now

  /// A report with a time in seconds, and when it comes in milliseconds after the start.
  private struct Arrival {
    var second: Int?
    var milliseconds: Int
    var latitude: Double?
  }

  /// How many milliseconds are waited after each.
  private func waits(_ arrivals: [Arrival]) -> [Int] {
    var gap = EpochGap(GPSDSettings())
    return arrivals.map { arrival in
      var report = TPV()
      if let latitude = arrival.latitude {
        (report.mode, report.latitude, report.longitude) = (3, latitude, 11)
      }
      report.time = arrival.second.flatMap { Timestamp(seconds: Int64($0), nanoseconds: 0) }
      let wait = gap.take(report, now: start + .milliseconds(arrival.milliseconds))
      return Int(wait / .milliseconds(1))
    }
  }

  /// Reports of every second that come so many milliseconds after it.
  private func waits(after milliseconds: [Int]) -> [Int] {
    waits(milliseconds.map { Arrival(second: $0 / 1000, milliseconds: $0) })
  }

  @Test func `is long for the first two, and short where nothing more comes`() {
    #expect(waits(after: [0, 1000, 2000, 3000]) == [700, 700, 100, 100])
  }

  @Test func `is half as long again as the longest that was needed`() {
    let waits = waits(after: [0, 360, 390, 1000, 1300, 2000, 2360, 3000])
    #expect(waits == [700, 700, 700, 700, 700, 540, 540, 540])
  }

  @Test func `is learned from what came too late`() {
    #expect(waits(after: [0, 1000, 2000, 2360, 3000]).suffix(3) == [100, 540, 540])
  }

  @Test func `isn't learned from a clock that is stuck`() {
    let stuck = [0, 1, 2, 2, 2, 2].enumerated().map {
      Arrival(second: $0.element, milliseconds: $0.offset * 1000)
    }
    #expect(waits(stuck).last == 100)
  }

  @Test func `isn't learned from positions that are told with whole seconds`() {
    // Twice a second, at 30 m/s.
    let arrivals = (0..<20).map {
      Arrival(second: $0 / 2, milliseconds: $0 * 500, latitude: 48 + Double($0) * 0.000135)
    }
    #expect(waits(arrivals).last == 100)
  }

  @Test func `is forgotten when it isn't needed any more`() {
    let late = waits(after: [0, 1000, 2000, 2600] + (3..<100).map { $0 * 1000 })
    #expect(late[50] == 700 && late[90] == 700)
    let later = waits(after: [0, 1000, 2000, 2600] + (3..<140).map { $0 * 1000 })
    #expect(later.last == 100)
  }

  @Test func `is short without a time, and never longer than is allowed`() {
    #expect(waits([Arrival(second: nil, milliseconds: 0)]) == [100])
    #expect(waits(after: [0, 1000, 2000, 2690]).last == 700)
  }

  /// What gpsd 3.22 makes of a receiver at 9600 baud that lost its position for a second: until then one
  /// report for each epoch, afterwards two.
  @Test func `loses the second half of one epoch at most`() {
    var session = GPSDSession(
      GPSDSettings(), patience: .seconds(60), counters: GPSDCounters(), now: start)
    var merger = EpochMerger()
    var epochs: [TPV] = []
    var now = start
    func take() {
      while true {
        switch session.next(now: now) {
        case .event(.tpv(let report)): merger.add(report).map { epochs.append($0) }
        case .event(.epochComplete): merger.complete().map { epochs.append($0) }
        case .read, .close: return
        case .event, .send: continue
        }
      }
    }
    session.receive(GPSDLines.banner, now: now)
    for second in 0..<40 {
      let position = #""mode":3,"lat":48.0,"lon":11.0,"#
      let time = #""time":"2026-03-01T00:00:\#(second + 10).000Z""#
      let own = #""speed":0.05,"track":90.0,"#
      let derived = #""speed":1.3,"#
      let parts = second < 12 ? [(0, own)] : [(0, derived), (360, own)]
      for (milliseconds, speed) in parts {
        let arrival = start + .milliseconds(second * 1000 + milliseconds)
        // Whoever reads is told when its time is over.
        while now + .milliseconds(50) < arrival {
          now += .milliseconds(50)
          session.timeOut(now: now)
          take()
        }
        now = arrival
        let line = #"{"class":"TPV","device":"a","# + position + speed + time + "}"
        session.receive(GPSDLines.line(line), now: now)
        take()
      }
    }
    #expect(epochs.count == 40)
    #expect(epochs.count { $0.track == nil } == 1)
  }
}
