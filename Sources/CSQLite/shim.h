#include <sqlite3.h>

/* SQLITE_TRANSIENT is a number cast to a function, which Swift cannot see: SQLite copies the text before this returns. */
static inline int deadzone_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, text, length, SQLITE_TRANSIENT);
}
