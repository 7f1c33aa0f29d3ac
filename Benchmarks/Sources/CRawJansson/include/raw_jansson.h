#ifndef RAW_JANSSON_H
#define RAW_JANSSON_H

// What a careful C program does with jansson: a whole document is read into a tree, or written from one.

typedef struct raw_json raw_json;

/// Reads a document; NULL where it cannot be read.
raw_json *raw_json_read(const char *path);
void raw_json_free(raw_json *document);
/// Writes a document beside a file, stores it, and puts it in the file's place; 0 for success.
int raw_json_replace(raw_json *document, const char *path);
/// How many rows an entity has in an archive.
long raw_json_rows(raw_json *document, const char *entity);
/// The sum of one member of all rows of an entity.
double raw_json_sum(raw_json *document, const char *entity, const char *member);

#endif
