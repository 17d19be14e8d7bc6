import Geofencing
import TestSupport
import Testing

/// How long somebody stayed who was seen inside by a single fix.
@Suite struct BriefStaysTests {
  /// Beside the line from the 20th second to the 40th, in the middle in the 50th, and out again in the 58th: it stayed
  /// for 18 seconds at most, whatever share of the straight way lies inside.
  @Test(arguments: [(15, true), (18, true), (19, false), (30, false)])
  func `a stay is no longer than since the fix before it`(asked: Int, isTold: Bool) throws {
    var engine = engine(try circle(enterAfter: .seconds(asked)), assuming: .unsatisfied)
    let fixes = [(0.0, -150.0), (20, -100), (40, -100), (50, 0), (58, 150)].map { fix($0, $1) }
    let (told, refused) = engine.judge(fixes)
    #expect(refused == [])
    #expect(told.map(\.kind) == (isTold ? [.crossed] : []))
  }

  /// At 3 m from the line for a while, and through in less time than is asked for.
  @Test(arguments: [8.0, 20], [(20, 3.0), (40, 3), (90, 3), (40, -0.5), (90, -0.5)])
  func `who waits beside the line stays no longer for that`(
    radius: Double, wait: (seconds: Int, outside: Double)
  ) throws {
    let far = 120.0
    let (wait, outside) = wait
    let (stop, go) = (-radius - outside, Int(far - 3 - radius) / 10)
    let fixes = (0..<go + wait + 30).map { second in
      let metres =
        second <= go
        ? max(-far, stop - 10 * Double(go - second))
        : max(stop, stop + 10 * Double(second - go - wait))
      return fix(Double(second), metres)
    }
    for asked in [10.0, 15, 25] {
      var engine = engine(try circle(radius, enterAfter: .seconds(asked)), assuming: .unsatisfied)
      #expect(engine.judge(fixes).transitions.map(\.kind) == [], "asked for \(asked) s")
    }
    // Without a stay, passing through is told.
    var plain = engine(try circle(radius), assuming: .unsatisfied)
    #expect(!plain.judge(fixes).transitions.isEmpty)
    var parameters = DecisionParameters.leaping
    parameters.crossedWithin = .zero
    var blind = engine(try circle(8), assuming: .unsatisfied, parameters: parameters)
    #expect(blind.judge(fixes).transitions.allSatisfy { $0.kind != .crossed })
  }

  /// Half a minute in it without a fix, and then a wait behind it.
  @Test func `what wasn't seen counts, however long was seen behind it`() throws {
    let before = (0...3).map { fix(Double($0), -88 + 4 * Double($0)) }
    let wait = (0...12).map { fix(40 + Double($0), 62) }
    let away = (1...5).map { fix(52 + Double($0), 62 + 8 * Double($0)) }
    for (asked, isTold) in [(10, true), (60, false)] {
      var engine = engine(try circle(60, enterAfter: .seconds(asked)), assuming: .unsatisfied)
      let told = engine.judge(before + wait + away).transitions
      #expect(told.map(\.kind) == (isTold ? [.crossed] : []), "\(asked)")
    }
  }

  /// At 3 m from the line on either side, and six seconds without a fix between.
  @Test(arguments: [8, 13, 30])
  func `a wait on both sides is no stay between`(asked: Int) throws {
    let before = [fix(0, -27)] + (1...40).map { fix(Double($0), -23) }
    let behind =
      (46...58).map { fix(Double($0), 23) }
      + (59...62).map { fix(Double($0), Double($0) * 8 - 441) }
    var engine = engine(try circle(20, enterAfter: .seconds(asked)), assuming: .unsatisfied)
    #expect(engine.judge(before + behind).transitions.map(\.short) == [])
  }

  /// Whatever altitudes say: somebody who stands isn't taken to walk for that.
  @Test func `altitudes that jump make no walk of a wait`() throws {
    let there = (0...9).map { fix(Double($0), -110 + 10 * Double($0)) }
    let wait = (10...50).map { second in
      var fix = fix(Double(second), -19.5)
      fix.altitude = second.isMultiple(of: 2) ? 100 : 103
      return fix
    }
    let away = (51...65).map { fix(Double($0), -19.5 + 10 * Double($0 - 50)) }
    var engine = engine(try circle(20, enterAfter: .seconds(15)), assuming: .unsatisfied)
    #expect(engine.judge(there + wait + away).transitions.map(\.short) == [])
  }

  /// A single sure fix inside, on the way to a wait behind the line.
  @Test func `a wait behind what was passed through is no stay`() throws {
    let there = [fix(0, -60), fix(6, 0)]
    let wait = (7...40).map { fix(Double($0), 23) }
    let away = (41...48).map { fix(Double($0), 23 + 8 * Double($0 - 40)) }
    var engine = engine(try circle(20, enterAfter: .seconds(15)), assuming: .unsatisfied)
    #expect(engine.judge(there + wait + away).transitions.map(\.short) == [])
  }

  /// Out of sight for long, and then a wait behind it.
  @Test func `what nobody saw may be a stay`() throws {
    let behind = 12
    let before = [fix(0, -200)]
    let wait = (0..<behind).map { fix(25 + Double($0), 62) }
    let away = (1...8).map { fix(24 + Double(behind + $0), 62 + 8 * Double($0)) }
    var engine = engine(try circle(60, enterAfter: .seconds(15)), assuming: .unsatisfied)
    #expect(engine.judge(before + wait + away).transitions.map(\.kind) == [.crossed])
  }
}
