#include "raw_jansson.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

raw_json *raw_json_read(const char *path) { return (raw_json *)json_load_file(path, 0, NULL); }

void raw_json_free(raw_json *document) { json_decref((json_t *)document); }

int raw_json_replace(raw_json *document, const char *path) {
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.new", path) >= (int)sizeof beside) return -1;
    FILE *file = fopen(beside, "w");
    if (!file) return -1;
    int result = json_dumpf((json_t *)document, file, 0);
    if (fflush(file) || fsync(fileno(file))) result = -1;
    if (fclose(file)) result = -1;
    return result ? result : rename(beside, path);
}

static json_t *rows(raw_json *document, const char *entity) {
    return json_object_get(json_object_get((json_t *)document, "rows"), entity);
}

long raw_json_rows(raw_json *document, const char *entity) { return (long)json_array_size(rows(document, entity)); }

double raw_json_sum(raw_json *document, const char *entity, const char *member) {
    double sum = 0;
    size_t index;
    json_t *row;
    json_array_foreach(rows(document, entity), index, row) { sum += json_number_value(json_object_get(row, member)); }
    return sum;
}
