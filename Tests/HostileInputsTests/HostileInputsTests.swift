import Foundation
import HostileInputs
import TestSupport
import Testing

/// That nothing from outside ends the program, whatever is wrong with it.
@Suite struct HostileInputsTests {
  private static let seeds = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Seeds")

  /// Texts that an input has in common, and how often each one is damaged.
  private static func seeds(of input: HostileInput) throws -> [[UInt8]] {
    let folder = seeds.appending(path: input.rawValue)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      Array(try Data(contentsOf: folder.appending(path: $0)))
    }
  }

  @Test(arguments: HostileInput.allCases) func `what is right is read`(input: HostileInput) throws {
    let folder = try TemporaryFolder()
    let seeds = try Self.seeds(of: input)
    try #require(!seeds.isEmpty)
    for seed in seeds {
      #expect(try input.read(seed, in: folder.path) > 0, "\(String(decoding: seed, as: UTF8.self))")
    }
  }

  @Test(arguments: HostileInput.allCases)
  func `what is damaged at random is read or refused, by all readers alike`(
    input: HostileInput
  ) throws {
    let folder = try TemporaryFolder(in: "/dev/shm")
    var random = SplitMix64(seed: 11)
    var refused = 0
    let seeds = try Self.seeds(of: input)
    for _ in 0..<120 {
      for seed in seeds {
        let damaged = Self.damage(seed, from: seeds, &random)
        if try input.read(damaged, in: folder.path) == 0 { refused += 1 }
      }
    }
    #expect(refused > 0)
  }

  /// Changes, removes, doubles or takes from elsewhere some bytes.
  private static func damage(
    _ seed: [UInt8], from others: [[UInt8]], _ random: inout SplitMix64
  ) -> [UInt8] {
    var bytes = seed
    func place(in bytes: [UInt8]) -> Int { .random(in: 0...bytes.count, using: &random) }
    func piece(of bytes: [UInt8]) -> ArraySlice<UInt8> {
      let start = place(in: bytes)
      return bytes[start..<min(bytes.count, start + .random(in: 1...12, using: &random))]
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        guard let index = bytes.indices.randomElement(using: &random) else { continue }
        bytes[index] = .random(in: .min ... .max, using: &random)
      case 1: bytes.removeSubrange(piece(of: bytes).indices)
      case 2: bytes.insert(contentsOf: piece(of: bytes), at: place(in: bytes))
      default:
        guard let other = others.randomElement(using: &random) else { continue }
        bytes.insert(contentsOf: piece(of: other), at: place(in: bytes))
      }
    }
    return bytes
  }
}
