package import Geofencing
package import Varlink

/// A recording of the receiver, as callers see it.
///
/// From ``began`` on all is nil but of the one under way, and of the one that ended last since the daemon started.
package struct RecordingRecord: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the owner's; see ``RecordingName/rule``.
  package var name: String

  /// How much has been written.
  package var bytes: Int

  /// When it was written to last, by the system's clock; of the one under way, now.
  package var modified: Timestamp

  /// Whether more is being written.
  package var underWay = false

  /// When it began, by the system's clock.
  package var began: Timestamp?

  /// When it ends at the latest, or would have, by the system's clock.
  package var until: Timestamp?

  /// How many bytes it may have.
  package var maximumBytes: Int?

  /// How many lines were written.
  package var lines: Int?

  /// How many lines were lost because the disk was too slow, or because they were no text.
  package var dropped: Int?

  /// Why it ended; nil of the one under way.
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

  /// Whose recording, by uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// Which of them; see ``rule``.
  package var name: String

  package init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

/// A reply with one recording.
package struct RecordingReply: Codable, Sendable {
  /// As it is now, or was when it was removed.
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
    /// Whose it becomes, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// What it is called, see ``RecordingName/rule``; nil is the present time.
    package var name: String?

    /// How long it may last, from 1 to `MaximumRecordingSec=`; nil is the most.
    package var seconds: Double?

    /// How large it may get, from 4096 to `MaximumRecordingBytes=`; nil is the most.
    package var bytes: Int?

    /// Whether the owner's oldest give way where there are as many as may be kept; nil is no.
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
    /// The one under way, or the one that ended last; nil where that is another's, or there is none.
    package var newest: RecordingRecord?

    /// In the order of owners and names, with the one under way.
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
    /// Whose recording, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Which of them; see ``RecordingName/rule``.
    package var name: String

    /// The byte to begin with, from 0, as ``ReadRecording/Reply/next`` names it; nil is 0.
    package var offset: Int?

    package init(user: UInt32? = nil, name: String, offset: Int? = nil) {
      self.user = user
      self.name = name
      self.offset = offset
    }
  }

  package struct Reply: Codable, Sendable {
    /// Whole lines with their ends, of 64 KiB together at most; empty behind the last.
    package var text: String

    /// The offset of what follows; nil where the text is empty.
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
