#ifndef BENCHMARK_METER_H
#define BENCHMARK_METER_H

#include <stdint.h>

/// Processor time that the process has used, in nanoseconds; waiting for disks is not in it.
int64_t meter_cpu_nanoseconds(void);

/// What the process has allocated since `meter_start`.
typedef struct {
    /// Calls that allocated, those that moved a block included.
    int64_t allocations;
    /// Bytes that are allocated now beyond those at the start, as the allocator rounds them.
    int64_t live_bytes;
    /// The most that `live_bytes` ever was.
    int64_t peak_bytes;
    /// What `live_bytes` was at the last `meter_mark`, without the engine's share.
    int64_t marked_bytes;
} meter_counts;

/// Begins to count allocations, from zero. Counting slows allocation down, so nothing is timed meanwhile.
///
/// `engine_bytes` is what the engine has allocated; what it has more at the mark is its own.
void meter_start(int64_t engine_bytes);
/// Ends counting.
void meter_stop(void);
/// The counts so far; all zero where allocations cannot be counted on this platform.
meter_counts meter_read(void);
/// Notes how many bytes are allocated now.
void meter_mark(int64_t engine_bytes);
/// Whether allocations can be counted on this platform.
int meter_counts_allocations(void);

#endif
