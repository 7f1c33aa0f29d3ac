// Counts the statements that are started on all connections opened meanwhile, whoever opens them.

#include "raw_sqlite.h"

#include <sqlite3.h>
#include <stdatomic.h>

static atomic_llong started;

static int count(unsigned kind, void *context, void *statement, void *text) {
    (void)kind, (void)context, (void)statement, (void)text;
    atomic_fetch_add_explicit(&started, 1, memory_order_relaxed);
    return 0;
}

static int watch(sqlite3 *connection, char **message, const struct sqlite3_api_routines *routines) {
    (void)message, (void)routines;
    return sqlite3_trace_v2(connection, SQLITE_TRACE_STMT, count, 0);
}

void raw_watch_statements(void) { sqlite3_auto_extension((void (*)(void))watch); }

void raw_stop_watching_statements(void) { sqlite3_cancel_auto_extension((void (*)(void))watch); }

int64_t raw_engine_bytes(void) { return sqlite3_memory_used(); }

int64_t raw_started_statements(void) { return atomic_load(&started); }
