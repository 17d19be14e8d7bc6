import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

/// What gives a feature its identifier.
@Suite struct `The names of GeoJSON's features` {
  private static let place = #"{"type":"Point","coordinates":[16.3,48.2]}"#

  @Test(arguments: [
    ("Дом", "place-b2f1caeb"), ("집", "place-6c312d4f"), ("مدرسة", "place-adb4e29f"),
    ("강남역 2번", "place-12ed225c"), ("Дом 10", "place-04296d70"), ("!!!", "place-2d53a722"),
    ("Łódź", "Lodz"), ("Übersee Straße", "Ubersee-Strasse"), ("Æbelø, cœur", "AEbelo-coeur"),
    ("Đà Nẵng", "Da-Nang"), ("Iğdır", "Igdir"), ("Þór", "or"), ("5 µm, № 7", "5-m-7"),
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
      // An id, an identifier, a name, the property id, a number: the first of them that is there.
      (#""x""#, #""Name":"n","identifier":"i""#, "x"), (nil, #""identifier":"i","name":"n""#, "i"),
      (#""x""#, #""identifier":"urn:a""#, "x"), (nil, #""identifier":"urn:a","Name":"n""#, "n"),
      (nil, #""id":"l.1","id2":"p""#, "p"), (nil, #""id":"q","id2":"p""#, "q"),
      (nil, #""id":"p","identifier":"urn:a""#, "urn-a"), (nil, #""identifier":null"#, "feature-2"),
      (nil, #""id":"p","NAME":"n""#, "n"), (nil, #""nAme":"m","name":"n","Name":"o""#, "n"),
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

  @Test func `an id that can't be an identifier is taken for a name, and told`() throws {
    let ids = ["truck 5", "fleet:7", "fleet 7", "🚚", "way/4/5", "road/4", "way/4a"]
    let number = String(repeating: "9", count: 130)
    let file = try read(
      collection(
        (ids.map { feature(id: "\"\($0)\"") } + [feature(id: number)]).joined(separator: ",")),
      as: .geojson)
    let identifiers = file.conditions.map(\.identifier)
    #expect(identifiers.prefix(3) == ["truck-5", "fleet-7", "fleet-7-2"])
    #expect(identifiers[3].hasPrefix("place-"))
    #expect(
      identifiers.dropFirst(4) == ["way-4-5", "road-4", "way-4a", String(number.prefix(128))])
    #expect(file.notes.count == 2)
  }

  @Test func `a property id that is there twice is told apart, with advice`() throws {
    let twice = feature(id: nil, Self.place, #"{"id":7,"radius":9}"#)
    let file = try read(collection(twice, twice), as: .geojson)
    #expect(file.conditions.map(\.identifier) == ["7", "7-2"])
    #expect(
      file.notes.first?.hasSuffix(
        "told apart by -2, -3, …: 7-2 is '7'; give them ids, as their numbers change when one is removed"
      )
        == true)
  }

  @Test func `it is told which place is which where a name couldn't stay`() throws {
    let names = ["Склад 1", "空港", "Muller", "Müller"]
    let features = names.map { feature(id: nil, Self.place, #"{"name":"\#($0)","radius":9}"#) }
    let file = try read(collection(features.joined(separator: ",")), as: .geojson)
    let identifiers = file.conditions.map(\.identifier)
    #expect(identifiers.suffix(2) == ["Muller", "Muller-2"])
    #expect(
      file.notes.map { String($0.drop { $0 != " " }) } == [
        " names without a letter from A to Z (2) became place- and eight hexadecimal digits: "
          + "\(identifiers[0]) is 'Склад 1', \(identifiers[1]) is '空港'",
        " names that give the same identifier (1) are told apart by -2, -3, …: Muller-2 is 'Müller'; "
          + "give them ids, as their numbers change when one is removed",
      ])
  }

  @Test func `of many names that couldn't stay some are told`() throws {
    let features = (1...25).map { number in
      feature(
        id: nil, Self.place, #"{"name":"\#(String(repeating: "Ж", count: number))","radius":9}"#)
    }
    let file = try read(collection(features.joined(separator: ",")), as: .geojson)
    #expect(file.notes.first?.hasSuffix(" and 5 more") == true)
  }

  @Test func `a size that nothing takes is told of`() throws {
    let (own, none) = (feature(id: #""a""#), feature(id: #""b""#, Self.place, "{}"))
    let line = feature(
      id: #""c""#, #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, #"{"width":9}"#)
    func notes(_ features: String..., width: Double? = nil, radius: Double? = 80) throws -> [String]
    {
      try read(
        collection(features.joined(separator: ",")), as: .geojson, width: width, radius: radius
      )
      .notes.map { String($0.drop { $0 != " " }) }
    }
    let end = " changed nothing: all that it is for have one of their own"
    #expect(try notes(own) == [" --radius" + end])
    #expect(try notes(own, none) == [])
    #expect(try notes(own, radius: nil) == [])
    #expect(try notes(line, width: 7, radius: nil) == [" --width" + end])
    #expect(try notes(line) == [])
    #expect(try notes(line, width: 7) == [" --width" + end])
    #expect(try notes(line, none, width: 7) == [" --width" + end])
    #expect(try notes(line, own, width: 7) == [" --radius" + end, " --width" + end])
  }

  @Test(arguments: [
    ("1.0", "1"), ("12345678901234567890", "12345678901234567890"), ("-7.000", "-7"),
  ])
  func `a number that is a property id keeps all that it says`(number: String, expected: String)
    throws
  {
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let text =
      #"{"type":"Feature","geometry":\#(point),"properties":{"radius":50,"id":\#(number)}}"#
    #expect(try read(text, as: .geojson).conditions.map(\.identifier) == [expected])
  }

  @Test func `an empty id is none`() throws {
    let point = #"{"type":"Point","coordinates":[190,2]}"#
    let text =
      #"{"type":"Feature","id":" ","geometry":\#(point),"properties":{"radius":50,"name":"x"}}"#
    let named = try #require(try read(text, as: .geojson).conditions.first)
    #expect(named.identifier == "x")
    // Lines and polygons may lie beyond the antimeridian: points may, too.
    guard case .circle(let circle) = named.condition.shape else { throw TestFailure("\(named)") }
    #expect(circle.center.longitude == -170)
  }
}
