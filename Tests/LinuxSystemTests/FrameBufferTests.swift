import TestSupport
import Testing

@testable import LinuxSystem

struct FrameBufferTests {
  private func frames(_ pieces: [String], limit: Int) -> [FrameBuffer.Frame] {
    var buffer = FrameBuffer(delimiter: UInt8(ascii: "\n"), limit: limit)
    var frames: [FrameBuffer.Frame] = []
    for piece in pieces {
      buffer.append(Array(piece.utf8))
      while let frame = buffer.next() { frames.append(frame) }
    }
    return frames
  }

  private func frame(_ text: String) -> FrameBuffer.Frame { .frame(Array(text.utf8)) }

  @Test(
    arguments: [
      ["one\ntwo\n\nthree\nrest"], ["one", "\ntwo\n", "\n", "thr", "ee", "\nrest"],
      "one\ntwo\n\nthree\nrest".map(String.init),
    ])
  func `frames are the same however the stream is cut`(pieces: [String]) {
    #expect(
      frames(pieces, limit: 5) == [frame("one"), frame("two"), frame(""), frame("three")])
  }

  @Test(
    arguments: [
      ["123456\nok\n"], ["123456", "\nok\n"], ["12345", "6", "789", "\nok\n"],
      "1234567890\nok\n".map(String.init),
    ])
  func `a frame beyond the limit is told once and dropped up to its end`(pieces: [String]) {
    #expect(frames(pieces, limit: 5) == [.tooLong, frame("ok")])
  }

  @Test
  func `a part is held until its frame is complete`() {
    var buffer = FrameBuffer(delimiter: 0, limit: 3)
    #expect(!buffer.holdsPart)
    buffer.append([1])
    #expect(buffer.next() == nil)
    #expect(buffer.holdsPart)
    buffer.append([0])
    #expect(buffer.next() == .frame([1]))
    #expect(!buffer.holdsPart)
    buffer.append([1, 2, 3, 4])
    #expect(buffer.next() == .tooLong)
    #expect(buffer.next() == nil)
    // Its end is still to come.
    #expect(buffer.holdsPart)
    buffer.append([0])
    #expect(buffer.next() == nil)
    #expect(!buffer.holdsPart)
  }

  @Test
  func `room for a long frame is given back when it was taken`() {
    var buffer = FrameBuffer(delimiter: 0, limit: 1 << 20)
    buffer.append(Array(repeating: 1, count: 1 << 20) + [0, 2])
    #expect(buffer.next() == .frame(Array(repeating: 1, count: 1 << 20)))
    buffer.append([0])
    #expect(buffer.next() == .frame([2]))
    #expect(buffer.bytes.capacity < 1 << 17)
    buffer.append(Array(repeating: 3, count: 1 << 20) + [0])
    #expect(buffer.next() == .frame(Array(repeating: 3, count: 1 << 20)))
    #expect(buffer.count == 0)
    #expect(buffer.bytes.capacity < 1 << 17)
  }

  @Test
  func `random streams give what splitting them gives`() {
    var random = SplitMix64(seed: 1)
    for _ in 1...500 {
      let limit = Int.random(in: 0...8, using: &random)
      let length = Int.random(in: 0...100, using: &random)
      let stream = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
      var buffer = FrameBuffer(delimiter: 0, limit: limit)
      var found: [FrameBuffer.Frame] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...10, using: &random))
        rest = rest.dropFirst(piece.count)
        buffer.append(Array(piece))
        while let frame = buffer.next() { found.append(frame) }
      }
      let whole = stream.split(separator: 0, omittingEmptySubsequences: false)
      var expected = whole.dropLast().map {
        $0.count > limit ? .tooLong : FrameBuffer.Frame.frame(Array($0))
      }
      if let last = whole.last, last.count > limit { expected.append(.tooLong) }
      #expect(found == expected, "limit \(limit), stream \(stream)")
    }
  }
}
