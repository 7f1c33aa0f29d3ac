#include "database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The columns, indexes and settings are those of Coffer's store, which leaves foreign keys to be looked after by itself;
// only the cache has the library's default size, as it would have in a program that does not think of it.

static const char *const trip_table =
    "CREATE TABLE %s (_pk INTEGER PRIMARY KEY, name TEXT NOT NULL, destination TEXT NOT NULL, "
    "startDate REAL NOT NULL, endDate REAL NOT NULL, budget REAL NOT NULL, isFavorite INTEGER NOT NULL, "
    "rating INTEGER, notes TEXT, uuid BLOB NOT NULL)";

static const char *const stop_table =
    "CREATE TABLE Stop (_pk INTEGER PRIMARY KEY, title TEXT NOT NULL, \"order\" INTEGER NOT NULL, "
    "trip INTEGER REFERENCES Trip(_pk) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED, _trip_position INTEGER);"
    "CREATE INDEX Stop_trip ON Stop (trip)";

static const char *const trip_indexes =
    "CREATE INDEX trip_by_destination ON IndexedTrip (destination, startDate);"
    "CREATE INDEX trip_by_name ON IndexedTrip (name)";

int raw_open(const char *path, const char *table, int is_fully_synchronous, raw_database **result) {
    raw_database *database = calloc(1, sizeof *database);
    *result = database;
    if (!database) return SQLITE_NOMEM;
    snprintf(database->table, sizeof database->table, "%s", table);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(path, &database->connection, flags, NULL);
    if (code) return code;
    return sqlite3_exec(
        database->connection,
        is_fully_synchronous ? "PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF"
                             : "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF",
        NULL, NULL, NULL);
}

int raw_create(raw_database *database) {
    char text[1024];
    snprintf(text, sizeof text, trip_table, database->table);
    int code = sqlite3_exec(database->connection, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
    if (!code) code = sqlite3_exec(database->connection, text, NULL, NULL, NULL);
    if (code) return code;
    int is_indexed = strcmp(database->table, "IndexedTrip") == 0;
    return sqlite3_exec(database->connection, is_indexed ? trip_indexes : stop_table, NULL, NULL, NULL);
}

void raw_close(raw_database *database) {
    if (!database) return;
    for (int kind = 0; kind < statement_kinds; kind++) sqlite3_finalize(database->statements[kind]);
    sqlite3_close(database->connection);
    free(database);
}

const char *raw_error(raw_database *database) {
    return database ? sqlite3_errmsg(database->connection) : "out of memory";
}

int raw_read_totals(raw_database *database, raw_totals *totals) {
    int has_stops = strcmp(database->table, "Trip") == 0;
    char text[256];
    snprintf(
        text, sizeof text, "SELECT count(*), total(budget), %s FROM %s",
        has_stops ? "(SELECT count(*) FROM Stop)" : "0", database->table);
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database->connection, text, -1, &statement, NULL);
    if (code) return code;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        totals->trips = sqlite3_column_int64(statement, 0);
        totals->budget = sqlite3_column_double(statement, 1);
        totals->stops = sqlite3_column_int64(statement, 2);
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    return code;
}

sqlite3_stmt *raw_statement(raw_database *database, statement_kind kind, const char *text) {
    if (database->statements[kind]) return database->statements[kind];
    char expanded[512];
    snprintf(expanded, sizeof expanded, text, database->table);
    sqlite3_prepare_v3(
        database->connection, expanded, -1, SQLITE_PREPARE_PERSISTENT, &database->statements[kind], NULL);
    return database->statements[kind];
}

int raw_run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_begin(raw_database *database) {
    sqlite3_stmt *statement = raw_statement(database, statement_begin, "BEGIN IMMEDIATE");
    return statement ? raw_run(statement) : SQLITE_ERROR;
}

int raw_end(raw_database *database, int result) {
    if (result) {
        sqlite3_exec(database->connection, "ROLLBACK", NULL, NULL, NULL);
        return result;
    }
    sqlite3_stmt *statement = raw_statement(database, statement_commit, "COMMIT");
    return statement ? raw_run(statement) : SQLITE_ERROR;
}

int raw_begin_reading(raw_database *database) {
    sqlite3_stmt *statement = raw_statement(database, statement_begin_reading, "BEGIN");
    return statement ? raw_run(statement) : SQLITE_ERROR;
}

int raw_end_reading(raw_database *database) { return raw_end(database, SQLITE_OK); }
