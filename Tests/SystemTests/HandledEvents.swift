import Testing

/// What a program has written of the events that it handled.
struct HandledEvents {
  enum Word: String {
    case handled
    case acknowledged
  }

  /// The words in order, each with the number of an event.
  let words: [(word: Word, sequence: Int64)]

  /// The lines of `event-handler`.
  init(_ text: String) throws {
    words = try text.split(separator: "\n").map { line in
      let parts = line.split(separator: " ")
      let word = try #require(parts.first.flatMap { Word(rawValue: String($0)) }, "\(line)")
      return (word, try #require(parts.last.flatMap { Int64($0) }, "\(line)"))
    }
  }

  /// The events that were handled, each where it was handled first.
  var firsts: [Int64] {
    var known: Set<Int64> = []
    return words.filter { $0.word == .handled && known.insert($0.sequence).inserted }
      .map(\.sequence)
  }

  /// How often an event was handled again.
  var repetitions: Int { words.count { $0.word == .handled } - firsts.count }

  /// The events that were handled again after they were acknowledged.
  var repeatedInVain: [Int64] {
    var acknowledged: Set<Int64> = []
    return words.compactMap { word, sequence in
      switch word {
      case .acknowledged:
        acknowledged.insert(sequence)
        return nil
      case .handled: return acknowledged.contains(sequence) ? sequence : nil
      }
    }
  }

  /// The places where the program went on with another event than the next one, though it had not
  /// been started anew: a number that is too large is skipped, one too small out of order.
  ///
  /// - Parameter log: all numbers that there are.
  func breaks(in log: [Int64]) -> [(after: Int64, came: Int64)] {
    let following = Dictionary(zip(log, log.dropFirst()), uniquingKeysWith: { first, _ in first })
    let handled = words.filter { $0.word == .handled }.map(\.sequence)
    return zip(handled, handled.dropFirst()).filter { last, next in
      // Going back is a new start, to an event that wasn't acknowledged; forward is one step.
      next > last && following[last] != next
    }.map { (after: $0, came: $1) }
  }

  /// Expects that every event was handled, in order, and again only if nobody had acknowledged it.
  ///
  /// - Parameters:
  ///   - log: the numbers of all events that there are.
  ///   - comment: what would help to see it again.
  func expectWhole(_ log: [Int64], _ comment: Comment) {
    #expect(firsts == log, comment)
    #expect(repeatedInVain == [], comment)
    #expect(breaks(in: log).map(\.came) == [], comment)
  }
}

/// What the crash tests look for is found where it is.
@Suite struct HandledEventsTests {
  private func events(_ words: String) throws -> HandledEvents {
    let lines = words.split(separator: " ").map { word in
      (word.hasPrefix("a") ? "acknowledged " : "handled ") + word.dropFirst()
    }
    return try HandledEvents(lines.joined(separator: "\n"))
  }

  @Test func `handling again what wasn't acknowledged is all right`() throws {
    let events = try events("h1 a1 h3 h3 a3 h4 h4")
    events.expectWhole([1, 3, 4], "")
    #expect(events.repetitions == 2)
  }

  @Test func `what is missing, early or late is seen`() throws {
    #expect(try events("h1 h3").firsts == [1, 3])
    #expect(try events("h1 h3").breaks(in: [1, 2, 3]).map(\.came) == [3])
    #expect(try events("h2 h1").firsts != [1, 2])
    #expect(try events("h1 h2 h1 h3").breaks(in: [1, 2, 3]).map(\.came) == [3])
  }

  @Test func `handling again what was acknowledged is seen`() throws {
    #expect(try events("h1 a1 h2 h1").repeatedInVain == [1])
  }
}
