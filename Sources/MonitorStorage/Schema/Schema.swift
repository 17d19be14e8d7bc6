import SQLite

/// The tables, as the migrations that made them.
///
/// A released migration is never changed.
enum Schema {
  static let migrator = Migrator(migrations)

  static let migrations = [
    Migration(
      name: "conditions, events, consumers",
      sql: """
        -- Which log this is: a new one gets a new name, so that its numbers aren't mistaken.
        CREATE TABLE log (id TEXT NOT NULL);

        -- A record: the condition, what is known of it, and the last event that was logged.
        CREATE TABLE condition (
          user INTEGER NOT NULL,
          monitor TEXT NOT NULL,
          identifier TEXT NOT NULL,
          condition TEXT NOT NULL,
          status TEXT NOT NULL,
          added INTEGER NOT NULL,
          last_event TEXT,
          PRIMARY KEY (user, monitor, identifier)
        ) WITHOUT ROWID;

        -- AUTOINCREMENT: a number is never given twice, even when old events are gone.
        CREATE TABLE event (
          sequence INTEGER PRIMARY KEY AUTOINCREMENT,
          user INTEGER NOT NULL,
          monitor TEXT NOT NULL,
          identifier TEXT NOT NULL,
          recorded INTEGER NOT NULL,
          body TEXT NOT NULL
        );
        CREATE INDEX event_by_monitor ON event (user, monitor, sequence);
        CREATE INDEX event_by_time ON event (recorded);

        -- The last event that a consumer was given.
        CREATE TABLE consumer (
          name TEXT PRIMARY KEY,
          cursor INTEGER NOT NULL
        ) WITHOUT ROWID;

        -- The last fix that was judged; at most one row.
        CREATE TABLE last_fix (
          id INTEGER PRIMARY KEY CHECK (id = 0),
          location TEXT NOT NULL
        );
        """),
    Migration(
      name: "explanations of events",
      sql: """
        -- Why an event came about. It is no part of the event: it is asked for seldom, and larger.
        CREATE TABLE explanation (
          sequence INTEGER PRIMARY KEY,
          body TEXT NOT NULL
        );

        -- A trigger, so that whoever removes an event removes its explanation.
        CREATE TRIGGER explanation_goes_with_event AFTER DELETE ON event
        BEGIN DELETE FROM explanation WHERE sequence = OLD.sequence; END;
        """),
    Migration(
      name: "named consumers, monitors",
      sql: """
        -- Who has named it; NULL for those of the program itself.
        ALTER TABLE consumer ADD COLUMN owner INTEGER;

        -- Whose events, and of which monitor, it reads; NULL is all.
        ALTER TABLE consumer ADD COLUMN user INTEGER;
        ALTER TABLE consumer ADD COLUMN monitor TEXT;

        -- What was removed from the log before it was read, until it was told.
        ALTER TABLE consumer ADD COLUMN missed_first INTEGER;
        ALTER TABLE consumer ADD COLUMN missed_last INTEGER;
        ALTER TABLE consumer ADD COLUMN missed_count INTEGER NOT NULL DEFAULT 0;

        UPDATE consumer SET user = CAST(substr(name, length('events-socket/') + 1) AS INTEGER)
        WHERE name LIKE 'events-socket/%' AND name <> 'events-socket/0';

        -- Each page of a user's events, without those of others, in the order of the numbers.
        CREATE INDEX event_by_user ON event (user);

        -- Events leave the log in the order of their numbers.
        DROP INDEX event_by_time;

        -- What belongs to a monitor as a whole. Without launch_unit the configuration names the
        -- unit. Events up to launch_since are no reason to start it: they are older than the wish,
        -- or it was started for them.
        CREATE TABLE monitor (
          user INTEGER NOT NULL,
          monitor TEXT NOT NULL,
          launch_unit TEXT,
          launch_since INTEGER NOT NULL,
          PRIMARY KEY (user, monitor)
        ) WITHOUT ROWID;
        """),
    ColumnsMigration.migration,
    Migration(
      name: "learned motion",
      sql: """
        -- What the fixes up to the last one have taught of the motion: numbers of 64 bits, the least
        -- significant byte first. NULL where it was nothing, or where the program didn't know it.
        ALTER TABLE last_fix ADD COLUMN motion BLOB;
        """),
    Migration(
      name: "what is in progress",
      sql: """
        -- The last fixes that were judged, this one the last of them, as numbers like those of motion.
        ALTER TABLE last_fix ADD COLUMN considered BLOB;

        -- What is happening to a condition, as such numbers: a change that isn't confirmed yet, where it
        -- was surely outside, since when it lacks the altitude. NULL where nothing is, or gap_began says all.
        ALTER TABLE condition ADD COLUMN progress BLOB;
        """),
    Migration(
      name: "what survives a power cut elsewhere",
      sql: """
        -- The last event that a consumer has for sure, and the machine's boot in which it was given those
        -- after it: in another one they come again. NULL where it has all.
        ALTER TABLE consumer ADD COLUMN synced INTEGER;
        ALTER TABLE consumer ADD COLUMN boot TEXT;
        """),
    Migration(
      name: "coordinates beside conditions",
      sql: """
        -- The coordinates of polygons and corridors, of which condition.coordinates is '' alone: what is known of
        -- a condition changes with its events, and with a row SQLite writes all that is in it.
        CREATE TABLE shape (
          user INTEGER NOT NULL,
          monitor TEXT NOT NULL,
          identifier TEXT NOT NULL,
          coordinates TEXT NOT NULL,
          PRIMARY KEY (user, monitor, identifier)
        ) WITHOUT ROWID;
        INSERT INTO shape SELECT user, monitor, identifier, coordinates FROM condition
        WHERE coordinates IS NOT NULL;
        UPDATE condition SET coordinates = '' WHERE coordinates IS NOT NULL;

        CREATE TRIGGER shape_goes_with_record AFTER DELETE ON condition
        WHEN OLD.coordinates IS NOT NULL
        BEGIN DELETE FROM shape
          WHERE user = OLD.user AND monitor = OLD.monitor AND identifier = OLD.identifier; END;

        CREATE TRIGGER shape_is_replaced_by_circle AFTER UPDATE OF coordinates ON condition
        WHEN OLD.coordinates IS NOT NULL AND NEW.coordinates IS NULL
        BEGIN DELETE FROM shape
          WHERE user = OLD.user AND monitor = OLD.monitor AND identifier = OLD.identifier; END;
        """),
    Migration(
      name: "whether the last fix is the last",
      sql: """
        -- Whether no fix was judged after it, as the program has ended in order: 0 while it runs, and after a crash.
        ALTER TABLE last_fix ADD COLUMN is_final INTEGER NOT NULL DEFAULT 0;
        """),
  ]
}
