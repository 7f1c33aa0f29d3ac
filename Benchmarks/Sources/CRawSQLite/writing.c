#include "database.h"

static sqlite3_stmt *insert_statement(raw_database *database) {
    return raw_statement(
        database, statement_insert_trip,
        "INSERT INTO %s (name, destination, startDate, endDate, budget, isFavorite, rating, notes, uuid) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
}

static inline int insert_trip(sqlite3_stmt *statement, const raw_trip *trip) {
    sqlite3_bind_text(statement, 1, trip->name, trip->name_length, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, trip->destination, trip->destination_length, SQLITE_STATIC);
    sqlite3_bind_double(statement, 3, trip->start_date);
    sqlite3_bind_double(statement, 4, trip->end_date);
    sqlite3_bind_double(statement, 5, trip->budget);
    sqlite3_bind_int64(statement, 6, trip->is_favorite);
    if (trip->has_rating) sqlite3_bind_int64(statement, 7, trip->rating);
    else sqlite3_bind_null(statement, 7);
    if (trip->notes) sqlite3_bind_text(statement, 8, trip->notes, trip->notes_length, SQLITE_STATIC);
    else sqlite3_bind_null(statement, 8);
    sqlite3_bind_blob(statement, 9, trip->uuid, sizeof trip->uuid, SQLITE_STATIC);
    return raw_run(statement);
}

int raw_insert_trips(raw_database *database, const raw_trip *trips, int64_t count) {
    return raw_insert_graph(database, trips, count, 0, 0);
}

int raw_insert_graph(
    raw_database *database, const raw_trip *trips, int64_t trip_count, const raw_stop *stops, int64_t stop_count
) {
    int code = raw_begin(database);
    if (code) return code;
    sqlite3_stmt *trip_statement = insert_statement(database);
    if (!trip_statement) return raw_end(database, SQLITE_ERROR);
    for (int64_t index = 0; index < trip_count && !code; index++) code = insert_trip(trip_statement, &trips[index]);
    if (stop_count && !code) {
        sqlite3_stmt *statement = raw_statement(
            database, statement_insert_stop, "INSERT INTO Stop (title, \"order\", trip) VALUES (?1, ?2, ?3)");
        if (!statement) return raw_end(database, SQLITE_ERROR);
        for (int64_t index = 0; index < stop_count && !code; index++) {
            const raw_stop *stop = &stops[index];
            sqlite3_bind_text(statement, 1, stop->title, stop->title_length, SQLITE_STATIC);
            sqlite3_bind_int64(statement, 2, stop->order);
            sqlite3_bind_int64(statement, 3, stop->trip);
            code = raw_run(statement);
        }
    }
    return raw_end(database, code);
}

int raw_insert_trip(raw_database *database, const raw_trip *trip) {
    sqlite3_stmt *statement = insert_statement(database);
    return statement ? insert_trip(statement, trip) : SQLITE_ERROR;
}

int raw_update_budgets(raw_database *database, const raw_trip_list *trips) {
    int code = raw_begin(database);
    if (code) return code;
    sqlite3_stmt *statement =
        raw_statement(database, statement_update_budget, "UPDATE %s SET budget = ?2 WHERE _pk = ?1");
    if (!statement) return raw_end(database, SQLITE_ERROR);
    for (int64_t index = 0; index < trips->count && !code; index++) {
        sqlite3_bind_int64(statement, 1, trips->rows[index].id);
        sqlite3_bind_double(statement, 2, trips->rows[index].budget);
        code = raw_run(statement);
    }
    return raw_end(database, code);
}

int raw_delete_trips(raw_database *database, const raw_trip_list *trips) {
    int code = raw_begin(database);
    if (code) return code;
    // Deleting the stops first is what the cascade of the model asks for.
    sqlite3_stmt *stops = raw_statement(database, statement_delete_stops, "DELETE FROM Stop WHERE trip = ?1");
    sqlite3_stmt *trip = raw_statement(database, statement_delete_trip, "DELETE FROM %s WHERE _pk = ?1");
    if (!stops || !trip) return raw_end(database, SQLITE_ERROR);
    for (int64_t index = 0; index < trips->count && !code; index++) {
        sqlite3_bind_int64(stops, 1, trips->rows[index].id);
        code = raw_run(stops);
        if (code) break;
        sqlite3_bind_int64(trip, 1, trips->rows[index].id);
        code = raw_run(trip);
    }
    return raw_end(database, code);
}

int raw_delete_favorites(raw_database *database) {
    sqlite3_stmt *statement =
        raw_statement(database, statement_delete_favorites, "DELETE FROM %s WHERE isFavorite = 1");
    return statement ? raw_run(statement) : SQLITE_ERROR;
}
