package import Geofencing
import LinuxSystem

/// Reads the conditions in a GeoJSON, KML or GPX file.
///
/// The file is read in pieces, so it is never in memory as a whole. If there is any mistake, reading throws all
/// mistakes and returns no conditions.
package struct ConditionsReader: Sendable {
  /// The progress of reading a file.
  package struct Progress: Sendable, Hashable {
    package let bytesRead: Int
    /// The size of the file; nil for a pipe.
    package let bytesInAll: Int?
  }

  /// The largest file that is read, in bytes.
  package static let maximumBytes = 4 << 30

  /// The largest number of conditions in one file.
  static let maximumConditions = 1_000_000

  /// The largest number of positions in all shapes of one file.
  static let maximumPositions = 10_000_000

  /// The kind of shapes that are read if only shapes matter.
  package enum ShapeKind: String, Sendable {
    case polygon
    case line
  }

  let path: String
  let format: GeographicFormat?
  let width: Double?
  let radius: Double?
  let onlyShapes: ShapeKind?
  let now: Timestamp?
  let skipsUnlocated: Bool

  /// Makes a reader for a file; the file isn't opened yet.
  ///
  /// - Parameters:
  ///   - path: A file or a pipe; `-` is standard input.
  ///   - format: The format; nil finds it out from the path's extension, or else from the contents.
  ///   - width: The width in metres of lines that have none.
  ///   - radius: The radius in metres of points that have none.
  ///   - onlyShapes: If not nil, only shapes of this kind are read. Other shapes, identifiers and all options but the
  ///     size are ignored, with their mistakes.
  ///   - now: Conditions that expire until then are left out, with a note; nil keeps them.
  ///   - skipsUnlocated: Whether things without a place are skipped; else they are mistakes.
  package init(
    path: String, format: GeographicFormat? = nil, width: Double? = nil, radius: Double? = nil,
    onlyShapes: ShapeKind? = nil, now: Timestamp? = nil, skipsUnlocated: Bool = true
  ) {
    self.path = path
    self.format = format
    self.width = width
    self.radius = radius
    self.onlyShapes = onlyShapes
    self.now = now
    self.skipsUnlocated = skipsUnlocated
  }

  /// Reads the file to its end.
  ///
  /// - Parameters:
  ///   - progress: Called after each piece of the file.
  ///   - each: Called with each condition, in order, while the rest is read; so the caller has to be able to take them
  ///     back if the rest has mistakes. For a pipe, which may stall for long, it is called when all is read.
  /// - Throws: ``FileMistakes``, with all mistakes in the file.
  package func read(
    progress: @escaping (Progress) -> Void = { _ in },
    each: ((NamedCondition) throws -> Void)? = nil
  ) throws(FileMistakes) -> ConditionsFile {
    var collector = ConditionCollector(for: self)
    do {
      let file = try InputFile(path: path)
      guard file.size ?? 0 <= Self.maximumBytes else {
        throw FileError.tooLarge(maximumBytes: Self.maximumBytes)
      }
      let format = try self.format(of: file.beginning(), collector)
      func readPiece(into bytes: inout [UInt8]) throws {
        try file.readPiece(into: &bytes)
        guard file.bytesRead <= Self.maximumBytes else {
          throw FileError.tooLarge(maximumBytes: Self.maximumBytes)
        }
        progress(Progress(bytesRead: file.bytesRead, bytesInAll: file.size))
      }
      if file.size != nil { collector.taker = each }
      let read =
        switch format {
        case .geojson: try GeoJSONReader.read(into: collector, from: readPiece)
        case .kml: try KMLReader.read(into: collector, from: readPiece)
        case .gpx: try GPXReader.read(into: collector, from: readPiece)
        }
      guard file.size == nil, let each else { return read }
      try read.conditions.forEach(each)
      return ConditionsFile(format: read.format, conditions: [], notes: read.notes)
    } catch let mistakes as FileMistakes {
      throw mistakes
    } catch {
      throw collector.failure("\(path): \(error)")
    }
  }

  /// The format: the given one, that of the path, or that of the first bytes.
  private func format(
    of beginning: [UInt8], _ collector: ConditionCollector
  ) throws(FileMistakes) -> GeographicFormat {
    guard !beginning.isEmpty else {
      throw collector.failure("\(path): there are no conditions in it")
    }
    if beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      throw collector.failure(
        "\(path): is packed as KMZ or zip: unpack it, as with 'unzip -p FILE.kmz \"*.kml\" >FILE.kml'"
      )
    }
    if let compression = Compression(beginning: beginning) {
      throw collector.failure("\(path): \(compression.advice)")
    }
    let found =
      format ?? GeographicFormat(path: path) ?? GeographicFormat(beginning: beginning)
    guard let found else {
      throw collector.failure(
        "\(path): is neither GeoJSON nor KML nor GPX; 'ogr2ogr -f GeoJSON' makes the first of most "
          + "others, such as CSV, see Files.md for the columns")
    }
    return found
  }
}
