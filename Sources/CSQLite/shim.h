#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/// SQLITE_TRANSIENT, a cast that Swift can't see: SQLite makes its own copy of what is bound.
static inline sqlite3_destructor_type sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Forbids SQL to damage the file on purpose (sqlite3_db_config is variadic, which Swift can't call).
static inline int sqlite_set_defensive(sqlite3 *database, int is_defensive) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, is_defensive, (int *)0);
}

/// Leaves out the count of SQLite's memory; before its first use (sqlite3_config is variadic too).
static inline int sqlite_forgo_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
