#ifndef COFFER_LIBFUZZER_H
#define COFFER_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer over a function, with the options of its command line.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*target)(const uint8_t *bytes, size_t size));

#endif
