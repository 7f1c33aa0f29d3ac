#include "database.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int raw_create_log(raw_database *database) {
    return sqlite3_exec(
        database->connection,
        "CREATE TABLE log (number INTEGER PRIMARY KEY, time REAL NOT NULL, author TEXT, entity TEXT NOT NULL, "
        "kind INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL)",
        NULL, NULL, NULL);
}

int raw_insert_logged_trip(raw_database *database, const raw_trip *trip) {
    int code = raw_begin(database);
    if (code) return code;
    code = raw_insert_trip(database, trip);
    sqlite3_stmt *statement = raw_statement(
        database, statement_insert_log,
        "INSERT INTO log (time, entity, kind, first, last) VALUES (?1, 'Trip', 0, ?2, ?2)");
    if (!statement) return raw_end(database, SQLITE_ERROR);
    if (!code) {
        sqlite3_bind_double(statement, 1, (double)time(NULL));
        sqlite3_bind_int64(statement, 2, sqlite3_last_insert_rowid(database->connection));
        code = raw_run(statement);
    }
    return raw_end(database, code);
}

/// What was noted once.
typedef struct {
    int64_t number;
    double time;
    char *author;
    char *entity;
    int64_t kind;
    int64_t first;
    int64_t last;
} log_entry;

static char *copy(const unsigned char *text) { return text ? strdup((const char *)text) : NULL; }

int raw_read_log(raw_database *database, int64_t after, int64_t *changes) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_read_log,
        "SELECT number, time, author, entity, kind, first, last FROM log WHERE number > ?1 ORDER BY number");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_int64(statement, 1, after);
    log_entry *entries = NULL;
    int64_t count = 0, capacity = 0;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 16;
            log_entry *larger = realloc(entries, (size_t)capacity * sizeof *larger);
            if (!larger) break;
            entries = larger;
        }
        entries[count++] = (log_entry){
            .number = sqlite3_column_int64(statement, 0),
            .time = sqlite3_column_double(statement, 1),
            .author = copy(sqlite3_column_text(statement, 2)),
            .entity = copy(sqlite3_column_text(statement, 3)),
            .kind = sqlite3_column_int64(statement, 4),
            .first = sqlite3_column_int64(statement, 5),
            .last = sqlite3_column_int64(statement, 6),
        };
    }
    sqlite3_reset(statement);
    for (int64_t index = 0; index < count; index++) {
        *changes += entries[index].last - entries[index].first + 1;
        free(entries[index].author);
        free(entries[index].entity);
    }
    free(entries);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_move_trip(raw_database *database, int64_t id, double start_date) {
    sqlite3_stmt *statement =
        raw_statement(database, statement_move_trip, "UPDATE %s SET startDate = ?2 WHERE _pk = ?1");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_double(statement, 2, start_date);
    return raw_run(statement);
}
