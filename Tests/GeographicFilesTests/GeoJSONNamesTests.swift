import Testing

@testable import GeographicFiles

/// What gives a feature its identifier.
@Suite struct `The names of GeoJSON's features` {
  private static let place = #"{"type":"Point","coordinates":[16.3,48.2]}"#

  @Test(arguments: [
    ("Дом", "place-b2f1caeb"), ("집", "place-6c312d4f"), ("مدرسة", "place-adb4e29f"),
    ("강남역 2번", "place-12ed225c"), ("Дом 10", "place-04296d70"), ("!!!", "place-2d53a722"),
    ("Кафе B", "B"), ("12/3", "12-3"), ("", "feature-2"), (" ", "feature-2"),
  ])
  func `a name without a letter that may stay gives the same identifier wherever it stands`(
    name: String, identifier: String
  ) throws {
    let named = feature(id: nil, Self.place, #"{"name":"\#(name)","radius":9}"#)
    #expect(
      try read(collection(feature(), named, named), as: .geojson).conditions.map(\.identifier)
        == ["a", identifier, identifier == "feature-2" ? "feature-3" : identifier + "-2"])
  }

  @Test(
    arguments: [
      // An id, a name, the property id, a number: the first of them that is there.
      (#""x""#, #""name":"n","id":"p""#, "x"), (#""x""#, #""id":"p""#, "x"),
      (nil, #""id":"p","name":"n""#, "n"), (nil, #""name":"","id":"p""#, "p"),
      (nil, #""id":"p","name":null"#, "p"), (nil, #""id":17"#, "17"),
      (nil, #""id":"Yard 3""#, "Yard-3"),
      (nil, #""id":"way/4253""#, "way-4253"), (nil, #""id":null"#, "feature-2"),
      (nil, #""name":"","id":7"#, "7"), (nil, #""id":7,"name":" ""#, "7"),
      (nil, #""name":"","id":"""#, "feature-2"),
      ("9223372036854775808", #""fid":1"#, "9223372036854775808"),
      (nil, #""id":1.5"#, "feature-2"), (nil, #""id":[1]"#, "feature-2"),
      (nil, #""fid":1"#, "feature-2"), ("true", #""fid":1"#, "feature-2"),
    ] as [(String?, String, String)])
  func `the property id names what has no other name, and what has none is numbered`(
    id: String?, properties: String, identifier: String
  ) throws {
    let text = feature(id: id, Self.place, "{\(properties),\"radius\":9}")
    let file = try read(collection(feature(), text), as: .geojson)
    #expect(file.conditions.map(\.identifier) == ["a", identifier])
    #expect(
      file.notes.map { $0.contains("what has no name (1) is numbered") }
        == (identifier == "feature-2" ? [true] : []))
  }

  @Test func `a property id that is there twice is told apart, with advice`() throws {
    let twice = feature(id: nil, Self.place, #"{"id":7,"radius":9}"#)
    let file = try read(collection(twice, twice), as: .geojson)
    #expect(file.conditions.map(\.identifier) == ["7", "7-2"])
    #expect(
      file.notes.first?.hasSuffix(
        "told apart by -2, -3, …: give them ids, as their numbers change when one is removed")
        == true)
  }
}
