package import Geofencing
package import Varlink

/// A recording of the receiver, as callers see it.
package struct RecordingRecord: Codable, Sendable, Hashable {
  package var user: UInt32
  package var name: String
  package var bytes: Int

  /// When it was written to last.
  package var modified: Timestamp

  package var underWay = false

  // The rest is known of the one under way, and of the one that ended last.

  package var began: Timestamp?
  package var until: Timestamp?
  package var maximumBytes: Int?
  package var lines: Int?

  /// How many lines were lost because the disk was too slow, or because they were no text.
  package var dropped: Int?

  /// Why it ended.
  package var ended: String?

  package init(user: UInt32, name: String, bytes: Int, modified: Timestamp) {
    self.user = user
    self.name = name
    self.bytes = bytes
    self.modified = modified
  }
}

/// Names one recording.
package struct RecordingName: Codable, Sendable {
  /// What the name of a recording has to be, for a person.
  package static let rule = "\(Identifier.rule), the first no dot"

  /// Whether a text is the name of a recording: an identifier that doesn't begin with a dot.
  package static func isValid(_ name: String) -> Bool {
    Identifier.isValid(name) && !name.hasPrefix(".")
  }

  package var user: UInt32?
  package var name: String

  package init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

/// A reply with one recording.
package struct RecordingReply: Codable, Sendable {
  package var recording: RecordingRecord

  package init(recording: RecordingRecord) {
    self.recording = recording
  }
}

/// Begins to record what gpsd says.
package enum StartRecording: ControlMethod {
  package static let name = "StartRecording"
  package typealias Reply = RecordingReply

  package struct Parameters: Codable, Sendable {
    package var user: UInt32?
    package var name: String?
    package var seconds: Double?
    package var bytes: Int?

    /// Whether the caller's oldest give way where there are as many as may be kept.
    package var replacing: Bool?

    package init(
      user: UInt32? = nil, name: String? = nil, seconds: Double? = nil, bytes: Int? = nil,
      replacing: Bool? = nil
    ) {
      self.user = user
      self.name = name
      self.seconds = seconds
      self.bytes = bytes
      self.replacing = replacing
    }
  }
}

/// Ends the recording under way.
package enum StopRecording: ControlMethod {
  package static let name = "StopRecording"
  package typealias Parameters = NoParameters
  package typealias Reply = RecordingReply
}

/// Asks for the recordings, and for the one under way or the last that ended.
package enum Recordings: ControlMethod {
  package static let name = "Recordings"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable {
    package var newest: RecordingRecord?
    package var recordings: [RecordingRecord]

    package init(newest: RecordingRecord?, recordings: [RecordingRecord]) {
      self.newest = newest
      self.recordings = recordings
    }
  }
}

/// Asks for the contents of a recording, some lines at a time.
package enum ReadRecording: ControlMethod {
  package static let name = "ReadRecording"

  package struct Parameters: Codable, Sendable {
    package var user: UInt32?
    package var name: String
    package var offset: Int?

    package init(user: UInt32? = nil, name: String, offset: Int? = nil) {
      self.user = user
      self.name = name
      self.offset = offset
    }
  }

  package struct Reply: Codable, Sendable {
    package var text: String
    package var next: Int?

    package init(text: String, next: Int?) {
      self.text = text
      self.next = next
    }
  }
}

/// Removes a recording.
package enum DeleteRecording: ControlMethod {
  package static let name = "DeleteRecording"
  package typealias Parameters = RecordingName
  package typealias Reply = RecordingReply
}
