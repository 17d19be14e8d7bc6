import Geofencing
import TestSupport
import Testing

@Suite struct `A shape's text` {
  @Test(arguments: [
    ("POLYGON ((8 47, 9 47, 9 48, 8 47))", 1, 1),
    ("polygon((8 47,9 47,9 48,8 47),(8.5 47.1,8.6 47.1,8.6 47.2,8.5 47.1))", 1, 2),
    ("  POLYGON Z ((8 47 400, 9 47 400, 9 48 400, 8 47 400))", 1, 1),
    ("MULTIPOLYGON (((8 47, 9 47, 9 48, 8 47)), ((1 1, 2 1, 2 2, 1 1)))", 2, 1),
  ])
  func `gives the positions of polygons`(text: String, polygons: Int, rings: Int) throws {
    guard case .polygons(let read) = try ShapeText(text) else { throw TestFailure("no polygons") }
    #expect(read.count == polygons)
    #expect(read.first?.count == rings)
    #expect(
      read.first?.first
        == [(8, 47), (9, 47), (9, 48), (8, 47)].map {
          Position(longitude: $0.0, latitude: $0.1)
        })
  }

  @Test(arguments: [
    ("LINESTRING (8 47, 9.5 48)", 1), ("LINESTRING M (8 47 3, 9.5 48 4)", 1),
    ("MULTILINESTRING ZM ((8 47 1 2, 9.5 48 3 4), (1 1 1 1, 2 2 2 2))", 2),
  ])
  func `gives the positions of lines`(text: String, count: Int) throws {
    guard case .lines(let read) = try ShapeText(text) else { throw TestFailure("no lines") }
    #expect(read.count == count)
    #expect(
      read.first == [
        Position(longitude: 8, latitude: 47), Position(longitude: 9.5, latitude: 48),
      ])
  }

  @Test(arguments: [
    ("", "has to begin with POLYGON, MULTIPOLYGON, LINESTRING, MULTILINESTRING"),
    ("POINT (8 47)", "has to begin with"),
    ("POLYGON EMPTY", "the shape is empty"), ("MULTILINESTRING EMPTY", "the shape is empty"),
    ("POLYGON ((8 47, 9 47, 9 48, 8", "Expected number"),
    ("POLYGON ((8 47, 9 47, 9 48, 8 46))", "do not form a closed"),
    ("POLYGON ((8 47, 9 47, 9 x, 8 47))", "Expected number but encountered word: 'x'"),
    ("POLYGON ((8 47, 9 47, 9 48, 8 47)) POLYGON", "the text goes on after the shape"),
    ("POLYGON ((8 47, 9 47, 9 48, 8 47))\0", "contains a NUL"),
  ])
  func `that is none is refused with the reason`(text: String, reason: String) {
    #expect {
      _ = try ShapeText(text)
    } throws: {
      "\($0)".hasPrefix("the shape can't be read: ") && "\($0)".contains(reason)
    }
  }

  @Test func `that would exhaust the stack or the memory is refused`() {
    let nested = String(repeating: "GEOMETRYCOLLECTION (", count: 100_000)
    #expect(throws: ConditionError.self) { _ = try ShapeText(nested) }
    let long = "POLYGON ((" + String(repeating: "8 47, ", count: 3 << 20)
    #expect {
      _ = try ShapeText(long)
    } throws: {
      "\($0)" == "the shape can't be read: the text is longer than 16 MiB"
    }
  }
}
