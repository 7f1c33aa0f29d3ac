#ifndef RAW_DATABASE_H
#define RAW_DATABASE_H

#include "raw_sqlite.h"

#include <sqlite3.h>

/// The statements that are kept.
typedef enum {
    statement_begin,
    statement_begin_reading,
    statement_commit,
    statement_insert_trip,
    statement_insert_stop,
    statement_update_budget,
    statement_delete_trip,
    statement_delete_stops,
    statement_delete_favorites,
    statement_all_trips,
    statement_first_trips,
    statement_one_trip,
    statement_page,
    statement_count,
    statement_range,
    statement_all_stops,
    statement_stops_of,
    statement_groups,
    statement_move_trip,
    statement_insert_log,
    statement_read_log,
    statement_kinds
} statement_kind;

struct raw_database {
    sqlite3 *connection;
    /// The table of trips.
    char table[32];
    sqlite3_stmt *statements[statement_kinds];
};

/// The statement, prepared at its first use; NULL on failure. In `text`, `%s` stands for the table of trips.
sqlite3_stmt *raw_statement(raw_database *database, statement_kind kind, const char *text);

/// Steps a statement that gives no rows, and resets it.
int raw_run(sqlite3_stmt *statement);
int raw_begin(raw_database *database);
/// Commits where the result so far is a success, otherwise rolls back.
int raw_end(raw_database *database, int result);

#endif
