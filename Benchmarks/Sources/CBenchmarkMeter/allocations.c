// Counts allocations by standing in for malloc and its kin, which the dynamic linker then takes from the executable for
// every library of the process. Only glibc offers the functions behind them by name; elsewhere nothing is counted.

#include "benchmark_meter.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_int is_counting;
static atomic_llong allocations;
static atomic_llong live_bytes;
static atomic_llong peak_bytes;
static atomic_llong marked_bytes;
static atomic_llong first_engine_bytes;

void meter_start(int64_t engine_bytes) {
    atomic_store(&first_engine_bytes, engine_bytes);
    atomic_store(&allocations, 0);
    atomic_store(&live_bytes, 0);
    atomic_store(&peak_bytes, 0);
    atomic_store(&marked_bytes, 0);
    atomic_store(&is_counting, 1);
}

void meter_stop(void) {
    atomic_store(&is_counting, 0);
}

meter_counts meter_read(void) {
    meter_counts counts = {
        atomic_load(&allocations), atomic_load(&live_bytes), atomic_load(&peak_bytes), atomic_load(&marked_bytes)};
    return counts;
}

void meter_mark(int64_t engine_bytes) {
    atomic_store(&marked_bytes, atomic_load(&live_bytes) - (engine_bytes - atomic_load(&first_engine_bytes)));
}

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

int meter_counts_allocations(void) { return 1; }

static inline int counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }

static void count_block(void *block) {
    if (!block) return;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    long long size = (long long)malloc_usable_size(block);
    long long live = atomic_fetch_add_explicit(&live_bytes, size, memory_order_relaxed) + size;
    long long peak = atomic_load_explicit(&peak_bytes, memory_order_relaxed);
    while (live > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, live)) {}
}

static void discount_block(void *block) {
    if (!block) return;
    atomic_fetch_sub_explicit(&live_bytes, (long long)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) {
    void *block = __libc_malloc(size);
    if (__builtin_expect(counts(), 0)) count_block(block);
    return block;
}

void *calloc(size_t count, size_t size) {
    void *block = __libc_calloc(count, size);
    if (__builtin_expect(counts(), 0)) count_block(block);
    return block;
}

void *realloc(void *block, size_t size) {
    int counting = counts();
    if (__builtin_expect(counting, 0)) discount_block(block);
    void *moved = __libc_realloc(block, size);
    if (__builtin_expect(counting, 0)) count_block(moved);
    return moved;
}

void free(void *block) {
    if (__builtin_expect(counts(), 0)) discount_block(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    if (__builtin_expect(counts(), 0)) count_block(block);
    return block;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = memalign(alignment, size);
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

#else

int meter_counts_allocations(void) { return 0; }

#endif
