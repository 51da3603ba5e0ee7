#include <sqlite3.h>

/* SQLITE_TRANSIENT is a number cast to a function, which Swift cannot see: SQLite copies the text before this returns. */
static inline int deadzone_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}

/* Settings for a file of unknown origin: its views, triggers and functions are never run. sqlite3_db_config takes a
 * variable number of arguments, so Swift cannot call it. Returns 0 if every setting was accepted. */
static inline int deadzone_distrust(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, 0)
        || sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, 0)
        || sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, 0)
        || sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, 0);
}
