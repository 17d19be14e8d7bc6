import SQLite

/// Conditions and statuses leave their JSON for columns, which are read ten times as fast, and a last
/// event is stored once.
enum ColumnsMigration {
  static let migration = Migration(
    name: "conditions in columns",
    sql: """
      -- A record: the condition, what is known of it, and the last event that was logged. Times
      -- are nanoseconds since 1970 UTC, durations nanoseconds, lengths metres, angles degrees.
      CREATE TABLE new_condition (
        user INTEGER NOT NULL,
        monitor TEXT NOT NULL,
        identifier TEXT NOT NULL,

        -- What is known. States: 0 unknown, 1 satisfied, 2 unsatisfied, 3 unmonitored.
        state INTEGER NOT NULL,
        known_state INTEGER,
        accuracy_limited INTEGER NOT NULL,
        watched_since INTEGER,
        -- The stay that is under way; its name only where it isn't IDENTIFIER@BEGINNING.
        visit_began INTEGER,
        visit TEXT,
        gap_began INTEGER,

        -- A circle has a radius; a polygon the coordinates of an RFC 7946 MultiPolygon; a corridor
        -- those of a MultiLineString, and a width.
        latitude REAL,
        longitude REAL,
        radius REAL,
        coordinates TEXT,
        width REAL,

        -- NULL where nothing was asked for.
        minimum_altitude REAL,
        maximum_altitude REAL,
        altitude_reference TEXT,
        enter_after INTEGER,
        exit_after INTEGER,
        confidence REAL,
        expires INTEGER,

        added INTEGER NOT NULL,
        -- The number of the last event other than 'crossed'.
        last_event INTEGER,

        PRIMARY KEY (user, monitor, identifier),
        CHECK ((radius IS NULL) <> (coordinates IS NULL))
      ) WITHOUT ROWID;

      INSERT INTO new_condition
      SELECT user, monitor, identifier,
        \(state("$.state")), \(state("$.knownState")),
        coalesce(json_extract(status, '$.isAccuracyLimited'), 0),
        \(time("status", "$.watchedSince")),
        \(time("status", "$.visit.began")), json_extract(status, '$.visit.id'),
        \(time("status", "$.gapBegan")),
        json_extract(condition, '$.circle.center.latitude'),
        json_extract(condition, '$.circle.center.longitude'),
        json_extract(condition, '$.circle.radius'),
        coalesce(json_extract(condition, '$.polygon.coordinates'),
          json_extract(condition, '$.corridor.coordinates')),
        json_extract(condition, '$.corridor.width'),
        json_extract(condition, '$.minimumAltitude'),
        json_extract(condition, '$.maximumAltitude'),
        json_extract(condition, '$.altitudeReference'),
        CAST(round(json_extract(condition, '$.enterAfter') * 1e9) AS INTEGER),
        CAST(round(json_extract(condition, '$.exitAfter') * 1e9) AS INTEGER),
        json_extract(condition, '$.confidence'),
        \(time("condition", "$.expires")),
        added, json_extract(last_event, '$.sequence')
      FROM condition;

      -- The last events of records that the log itself has dropped.
      CREATE TABLE last_event (
        sequence INTEGER PRIMARY KEY,
        body TEXT NOT NULL
      );
      INSERT INTO last_event
      SELECT json_extract(last_event, '$.sequence') AS number, last_event FROM condition
      WHERE number IS NOT NULL AND number NOT IN (SELECT sequence FROM event);

      DROP TABLE condition;
      ALTER TABLE new_condition RENAME TO condition;

      -- Triggers, so that whoever removes an event keeps what a record needs, and only that.
      CREATE TRIGGER last_event_is_kept AFTER DELETE ON event
      WHEN OLD.sequence = (
        SELECT last_event FROM condition
        WHERE user = OLD.user AND monitor = OLD.monitor AND identifier = OLD.identifier)
      BEGIN INSERT INTO last_event (sequence, body) VALUES (OLD.sequence, OLD.body); END;

      CREATE TRIGGER last_event_is_replaced AFTER UPDATE OF last_event ON condition
      WHEN OLD.last_event IS NOT NEW.last_event
      BEGIN DELETE FROM last_event WHERE sequence = OLD.last_event; END;

      CREATE TRIGGER last_event_goes_with_record AFTER DELETE ON condition
      WHEN OLD.last_event IS NOT NULL
      BEGIN DELETE FROM last_event WHERE sequence = OLD.last_event; END;
      """)

  /// The number of the state that a status names.
  private static func state(_ path: String) -> String {
    """
    CASE json_extract(status, '\(path)') WHEN 'unknown' THEN 0 WHEN 'satisfied' THEN 1 \
    WHEN 'unsatisfied' THEN 2 WHEN 'unmonitored' THEN 3 END
    """
  }

  /// The nanoseconds of a time that was written as `2026-11-20T23:26:37.250Z`.
  private static func time(_ column: String, _ path: String) -> String {
    let text = "json_extract(\(column), '\(path)')"
    return """
      CAST(strftime('%s', substr(\(text), 1, 19)) AS INTEGER) * 1000000000 \
      + CAST(substr(\(text), 21, 3) AS INTEGER) * 1000000
      """
  }
}
