#include "raw_sqlite.h"

#include <stdlib.h>
#include <string.h>

static inline void tally_trip(const raw_trip *trip, raw_tally *tally) {
    tally->rows += 1;
    tally->text += trip->name_length + trip->destination_length + trip->notes_length;
    tally->number += (int64_t)trip->start_date + (int64_t)trip->end_date + (int64_t)trip->budget + trip->is_favorite
        + (trip->has_rating ? trip->rating : 0) + trip->uuid[0];
}

static inline void tally_stop(const raw_stop *stop, raw_tally *tally) {
    tally->rows += 1;
    tally->text += stop->title_length;
    tally->number += stop->order;
}

void raw_tally_trips(const raw_trip_list *trips, raw_tally *tally) {
    for (int64_t index = 0; index < trips->count; index++) tally_trip(&trips->rows[index], tally);
}

void raw_tally_stops(const raw_stop_list *stops, raw_tally *tally) {
    for (int64_t index = 0; index < stops->count; index++) tally_stop(&stops->rows[index], tally);
}

void raw_tally_graph(const raw_trip_list *trips, const raw_stop_list *stops, raw_tally *tally) {
    int64_t next = 0;
    for (int64_t index = 0; index < trips->count; index++) {
        const raw_trip *trip = &trips->rows[index];
        tally->text += trip->name_length;
        while (next < stops->count && stops->rows[next].trip < trip->id) next++;
        for (; next < stops->count && stops->rows[next].trip == trip->id; next++) {
            tally_stop(&stops->rows[next], tally);
        }
    }
}

void raw_clear_trips(raw_trip_list *trips) {
    for (int64_t index = 0; index < trips->count; index++) {
        free(trips->rows[index].name);
        free(trips->rows[index].destination);
        free(trips->rows[index].notes);
    }
    trips->count = 0;
}

void raw_clear_stops(raw_stop_list *stops) {
    for (int64_t index = 0; index < stops->count; index++) free(stops->rows[index].title);
    stops->count = 0;
}

void raw_free_trips(raw_trip_list *trips) {
    raw_clear_trips(trips);
    free(trips->rows);
    memset(trips, 0, sizeof *trips);
}

void raw_free_stops(raw_stop_list *stops) {
    raw_clear_stops(stops);
    free(stops->rows);
    memset(stops, 0, sizeof *stops);
}
