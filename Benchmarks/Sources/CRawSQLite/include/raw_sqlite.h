#ifndef RAW_SQLITE_H
#define RAW_SQLITE_H

#include <stdint.h>

// What a careful C program does with SQLite and nothing between: prepared statements that are kept, rows copied into
// structures, text copied. Functions answer an SQLite result code, 0 for success; `raw_error` says more.

/// A row of a trip: one to be stored, whose text belongs to the caller, or one that was fetched, which owns its text.
typedef struct {
    int64_t id;
    char *name;
    char *destination;
    /// NULL where the trip has no notes.
    char *notes;
    double start_date;
    double end_date;
    double budget;
    int64_t rating;
    int32_t name_length;
    int32_t destination_length;
    int32_t notes_length;
    uint8_t is_favorite;
    uint8_t has_rating;
    uint8_t uuid[16];
} raw_trip;

typedef struct {
    int64_t id;
    /// The key of its trip.
    int64_t trip;
    char *title;
    int64_t order;
    int32_t title_length;
} raw_stop;

typedef struct {
    raw_trip *rows;
    int64_t count;
    int64_t capacity;
} raw_trip_list;

typedef struct {
    raw_stop *rows;
    int64_t count;
    int64_t capacity;
} raw_stop_list;

/// Sums over rows that were read.
typedef struct {
    int64_t rows;
    int64_t text;
    int64_t number;
} raw_tally;

/// What a file holds.
typedef struct {
    int64_t trips;
    int64_t stops;
    double budget;
} raw_totals;

typedef struct raw_database raw_database;

// Opening. `table` is `Trip`, which comes with its stops, or `IndexedTrip`, which has two secondary indexes.

int raw_open(const char *path, const char *table, int is_fully_synchronous, raw_database **result);
int raw_create(raw_database *database);
void raw_close(raw_database *database);
const char *raw_error(raw_database *database);
int raw_read_totals(raw_database *database, raw_totals *totals);

// Writing, in one transaction each.

int raw_insert_trips(raw_database *database, const raw_trip *trips, int64_t count);
int raw_insert_graph(
    raw_database *database, const raw_trip *trips, int64_t trip_count, const raw_stop *stops, int64_t stop_count);
/// Stores one trip in a transaction of its own.
int raw_insert_trip(raw_database *database, const raw_trip *trip);
/// Sets the budget of rows that were fetched, as it stands in them.
int raw_update_budgets(raw_database *database, const raw_trip_list *trips);
/// Deletes rows that were fetched, and their stops.
int raw_delete_trips(raw_database *database, const raw_trip_list *trips);
int raw_delete_favorites(raw_database *database);

/// Makes a table that notes what was changed.
int raw_create_log(raw_database *database);
/// Stores one trip, and notes it, in one transaction.
int raw_insert_logged_trip(raw_database *database, const raw_trip *trip);
/// Sets when a trip starts.
int raw_move_trip(raw_database *database, int64_t id, double start_date);

// Reading.

/// Begins a transaction that the reads up to `raw_end_reading` share; without it each read has its own.
int raw_begin_reading(raw_database *database);
int raw_end_reading(raw_database *database);

int raw_fetch_trips(raw_database *database, raw_trip_list *trips);
/// Fetches the first rows.
int raw_fetch_first(raw_database *database, int64_t limit, raw_trip_list *trips);
/// Fetches one row; the row's memory is used again by the next fetch into the same list.
int raw_fetch_trip(raw_database *database, int64_t id, raw_trip_list *trips);
int raw_fetch_page(
    raw_database *database, const char *destination, double budget, int64_t limit, int64_t offset,
    raw_trip_list *trips);
/// Fetches the trips to a destination that start in a range, without its end.
int raw_fetch_range(
    raw_database *database, const char *destination, double start, double end, raw_trip_list *trips);
int raw_count_trips(raw_database *database, const char *destination, double start_date, int64_t *count);
/// Counts trips and adds their budgets up, by destination.
int raw_group_trips(raw_database *database, raw_tally *tally);
/// Reads what was noted after a number, with the texts copied, and counts the rows that were changed.
int raw_read_log(raw_database *database, int64_t after, int64_t *changes);
/// Waits for others' locks.
void raw_wait_when_busy(raw_database *database);
/// Fetches the stops of all trips, ordered by trip.
int raw_fetch_stops(raw_database *database, raw_stop_list *stops);
/// Fetches the stops of one trip.
int raw_fetch_stops_of(raw_database *database, int64_t trip, raw_stop_list *stops);

// Statements.

/// Counts the statements that are started on connections opened from now on; it slows them down.
void raw_watch_statements(void);
/// Connections opened from now on are not watched.
void raw_stop_watching_statements(void);
/// How many statements were started on watched connections until now.
int64_t raw_started_statements(void);

/// The bytes that SQLite has allocated in this process, its caches included.
int64_t raw_engine_bytes(void);

// Rows in memory.

/// Adds every member of the rows up.
void raw_tally_trips(const raw_trip_list *trips, raw_tally *tally);
void raw_tally_stops(const raw_stop_list *stops, raw_tally *tally);
/// Adds up trips with their stops, which are ordered by trip.
void raw_tally_graph(const raw_trip_list *trips, const raw_stop_list *stops, raw_tally *tally);
/// Frees the rows' text and keeps the list's memory.
void raw_clear_trips(raw_trip_list *trips);
void raw_clear_stops(raw_stop_list *stops);
void raw_free_trips(raw_trip_list *trips);
void raw_free_stops(raw_stop_list *stops);

#endif
