#include "database.h"

#include <stdlib.h>
#include <string.h>

#define TRIP_COLUMNS "_pk, name, destination, startDate, endDate, budget, isFavorite, rating, notes, uuid"

static inline char *copy_text(sqlite3_stmt *statement, int column, int32_t *length) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    if (!text) {
        *length = 0;
        return NULL;
    }
    *length = sqlite3_column_bytes(statement, column);
    char *copy = malloc((size_t)*length + 1);
    if (copy) memcpy(copy, text, (size_t)*length + 1);
    return copy;
}

static inline raw_trip *append_trip(raw_trip_list *list) {
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity ? list->capacity * 2 : 16;
        raw_trip *rows = realloc(list->rows, (size_t)capacity * sizeof *rows);
        if (!rows) return NULL;
        list->rows = rows;
        list->capacity = capacity;
    }
    return &list->rows[list->count++];
}

static inline int read_trip(sqlite3_stmt *statement, raw_trip_list *list) {
    raw_trip *trip = append_trip(list);
    if (!trip) return SQLITE_NOMEM;
    trip->id = sqlite3_column_int64(statement, 0);
    trip->name = copy_text(statement, 1, &trip->name_length);
    trip->destination = copy_text(statement, 2, &trip->destination_length);
    trip->start_date = sqlite3_column_double(statement, 3);
    trip->end_date = sqlite3_column_double(statement, 4);
    trip->budget = sqlite3_column_double(statement, 5);
    trip->is_favorite = sqlite3_column_int(statement, 6) != 0;
    trip->has_rating = sqlite3_column_type(statement, 7) != SQLITE_NULL;
    trip->rating = sqlite3_column_int64(statement, 7);
    trip->notes = copy_text(statement, 8, &trip->notes_length);
    const void *uuid = sqlite3_column_blob(statement, 9);
    if (uuid && sqlite3_column_bytes(statement, 9) == sizeof trip->uuid) memcpy(trip->uuid, uuid, sizeof trip->uuid);
    return SQLITE_OK;
}

static int read_trips(sqlite3_stmt *statement, raw_trip_list *list) {
    if (!statement) return SQLITE_ERROR;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (read_trip(statement, list)) break;
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_fetch_trips(raw_database *database, raw_trip_list *trips) {
    return read_trips(raw_statement(database, statement_all_trips, "SELECT " TRIP_COLUMNS " FROM %s"), trips);
}

int raw_fetch_first(raw_database *database, int64_t limit, raw_trip_list *trips) {
    sqlite3_stmt *statement =
        raw_statement(database, statement_first_trips, "SELECT " TRIP_COLUMNS " FROM %s LIMIT ?1");
    if (statement) sqlite3_bind_int64(statement, 1, limit);
    return read_trips(statement, trips);
}

int raw_fetch_trip(raw_database *database, int64_t id, raw_trip_list *trips) {
    raw_clear_trips(trips);
    sqlite3_stmt *statement =
        raw_statement(database, statement_one_trip, "SELECT " TRIP_COLUMNS " FROM %s WHERE _pk = ?1");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_int64(statement, 1, id);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) code = read_trip(statement, trips);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_fetch_page(
    raw_database *database, const char *destination, double budget, int64_t limit, int64_t offset, raw_trip_list *trips
) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_page,
        "SELECT " TRIP_COLUMNS " FROM %s WHERE destination = ?1 AND budget < ?2 ORDER BY startDate LIMIT ?3 OFFSET ?4");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_text(statement, 1, destination, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, budget);
    sqlite3_bind_int64(statement, 3, limit);
    sqlite3_bind_int64(statement, 4, offset);
    return read_trips(statement, trips);
}

int raw_fetch_range(
    raw_database *database, const char *destination, double start, double end, raw_trip_list *trips
) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_range,
        "SELECT " TRIP_COLUMNS
        " FROM %s WHERE destination = ?1 AND startDate >= ?2 AND startDate < ?3 ORDER BY startDate");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_text(statement, 1, destination, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, start);
    sqlite3_bind_double(statement, 3, end);
    return read_trips(statement, trips);
}

int raw_count_trips(raw_database *database, const char *destination, double start_date, int64_t *count) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_count, "SELECT count(*) FROM %s WHERE destination = ?1 AND startDate >= ?2");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_text(statement, 1, destination, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 2, start_date);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        *count = sqlite3_column_int64(statement, 0);
        code = SQLITE_OK;
    }
    sqlite3_reset(statement);
    return code;
}

int raw_group_trips(raw_database *database, raw_tally *tally) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_groups, "SELECT destination, count(*), sum(budget) FROM %s GROUP BY destination");
    if (!statement) return SQLITE_ERROR;
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!sqlite3_column_text(statement, 0)) continue;
        tally->rows += sqlite3_column_int64(statement, 1);
        tally->text += sqlite3_column_bytes(statement, 0);
        tally->number += (int64_t)sqlite3_column_double(statement, 2);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void raw_wait_when_busy(raw_database *database) { sqlite3_busy_timeout(database->connection, 60000); }

static int read_stops(sqlite3_stmt *statement, raw_stop_list *list) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (list->count == list->capacity) {
            int64_t capacity = list->capacity ? list->capacity * 2 : 16;
            raw_stop *rows = realloc(list->rows, (size_t)capacity * sizeof *rows);
            if (!rows) break;
            list->rows = rows;
            list->capacity = capacity;
        }
        raw_stop *stop = &list->rows[list->count++];
        stop->id = sqlite3_column_int64(statement, 0);
        stop->title = copy_text(statement, 1, &stop->title_length);
        stop->order = sqlite3_column_int64(statement, 2);
        stop->trip = sqlite3_column_int64(statement, 3);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int raw_fetch_stops(raw_database *database, raw_stop_list *stops) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_all_stops, "SELECT _pk, title, \"order\", trip FROM Stop ORDER BY trip, _pk");
    return statement ? read_stops(statement, stops) : SQLITE_ERROR;
}

int raw_fetch_stops_of(raw_database *database, int64_t trip, raw_stop_list *stops) {
    sqlite3_stmt *statement = raw_statement(
        database, statement_stops_of, "SELECT _pk, title, \"order\", trip FROM Stop WHERE trip = ?1 ORDER BY _pk");
    if (!statement) return SQLITE_ERROR;
    sqlite3_bind_int64(statement, 1, trip);
    return read_stops(statement, stops);
}
