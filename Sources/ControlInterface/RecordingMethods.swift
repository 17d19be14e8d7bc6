package import Geofencing
package import Varlink

/// A recording of the receiver, as callers get it.
///
/// The members from ``began`` on are set only for the recording under way, and for the last one that ended since the
/// daemon started; for others they are nil.
package struct RecordingRecord: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the recordings of the owner; see ``RecordingName/rule``.
  package var name: String

  /// The number of bytes written.
  package var bytes: Int

  /// The last time it was written to, by the system's clock; for the recording under way, the present.
  package var modified: Timestamp

  /// Whether the recording is under way.
  package var underWay = false

  /// The time when it began, by the system's clock.
  package var began: Timestamp?

  /// The time when it ends at the latest, or would have ended, by the system's clock.
  package var until: Timestamp?

  /// The largest number of bytes that it may have.
  package var maximumBytes: Int?

  /// The number of lines written.
  package var lines: Int?

  /// The number of lines lost because the disk was too slow, or because they weren't text.
  package var dropped: Int?

  /// Why it ended; nil for the recording under way.
  package var ended: String?

  package init(user: UInt32, name: String, bytes: Int, modified: Timestamp) {
    self.user = user
    self.name = name
    self.bytes = bytes
    self.modified = modified
  }
}

/// The owner and the name of a recording.
package struct RecordingName: Codable, Sendable {
  /// The rule for names of recordings, for people.
  package static let rule = "\(Identifier.rule), the first no dot"

  /// Whether a text may be the name of a recording: an identifier that doesn't begin with a dot.
  package static func isValid(_ name: String) -> Bool {
    Identifier.isValid(name) && !name.hasPrefix(".")
  }

  /// The owner's uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// The name of the recording; see ``rule``.
  package var name: String

  package init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

/// A reply with one recording.
package struct RecordingReply: Codable, Sendable {
  /// The recording as it is now, or was when it was removed.
  package var recording: RecordingRecord

  package init(recording: RecordingRecord) {
    self.recording = recording
  }
}

/// Begins to record what gpsd sends.
package enum StartRecording: ControlMethod {
  package static let name = "StartRecording"
  package typealias Reply = RecordingReply

  package struct Parameters: Codable, Sendable {
    /// The uid of the recording's owner; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The name, see ``RecordingName/rule``; nil makes one from the present time.
    package var name: String?

    /// The longest time in seconds, from 1 to `MaximumRecordingSec=`; nil is the most.
    package var seconds: Double?

    /// The largest size in bytes, from 4096 to `MaximumRecordingBytes=`; nil is the most.
    package var bytes: Int?

    /// Whether the owner's oldest recordings are removed if no more may be kept; nil is no.
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

/// Asks for all recordings, and for the one that is under way or ended last.
package enum Recordings: ControlMethod {
  package static let name = "Recordings"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable {
    /// The recording that is under way, or ended last; nil if it belongs to another user, or there is none.
    package var newest: RecordingRecord?

    /// All recordings, sorted by owner and name, including the one under way.
    package var recordings: [RecordingRecord]

    package init(newest: RecordingRecord?, recordings: [RecordingRecord]) {
      self.newest = newest
      self.recordings = recordings
    }
  }
}

/// Asks for the contents of a recording; a reply has some of its lines.
package enum ReadRecording: ControlMethod {
  package static let name = "ReadRecording"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The name of the recording; see ``RecordingName/rule``.
    package var name: String

    /// The offset of the first byte, 0 or a value of ``ReadRecording/Reply/next``; nil is 0.
    package var offset: Int?

    package init(user: UInt32? = nil, name: String, offset: Int? = nil) {
      self.user = user
      self.name = name
      self.offset = offset
    }
  }

  package struct Reply: Codable, Sendable {
    /// Whole lines with their line ends, at most 64 KiB together; empty after the last line.
    package var text: String

    /// The offset after this text; nil if the text is empty.
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
