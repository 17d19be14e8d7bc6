#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// SQLITE_TRANSIENT, a cast that Swift can't import: it makes SQLite copy a bound value.
static inline sqlite3_destructor_type sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Makes SQLite refuse SQL that can damage the file (sqlite3_db_config is variadic, which Swift can't call).
static inline int sqlite_set_defensive(sqlite3 *database, int is_defensive) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, is_defensive, (int *)0);
}

/// Turns off SQLite's memory statistics; only before its first use (sqlite3_config is variadic, too).
static inline int sqlite_forgo_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
