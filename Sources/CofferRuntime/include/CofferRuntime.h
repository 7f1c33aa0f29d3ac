#ifndef COFFER_RUNTIME_H
#define COFFER_RUNTIME_H

#include <stddef.h>
#include <string.h>

/// The Swift runtime's weak-to-strong step: retains `object` unless it is being destroyed, and answers null then.
///
/// An identity map holds models without owning them. A lookup on one thread may meet a model whose last reference is
/// just going away on another; only this call can tell the two cases apart without a side table for every model.
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

static inline void *_Nullable coffer_try_retain(void *_Nonnull object) {
    return swift_tryRetain(object);
}

/// The Swift runtime's count of strong references to an object.
extern size_t swift_retainCount(void *_Nonnull object);

static inline size_t coffer_retain_count(void *_Nonnull object) {
    return swift_retainCount(object);
}

/// The Swift runtime's allocation of an instance.
extern void *_Nonnull swift_allocObject(const void *_Nonnull metadata, size_t size, size_t alignMask);

/// The type that a mangled name stands for, in the context of a type and with its arguments; null where there is none.
__attribute__((swiftcall)) extern const void *_Nullable swift_getTypeByMangledNameInContext(
    const char *_Nonnull name, size_t length, const void *_Nullable context, const void *_Nullable arguments);

static inline const void *_Nullable coffer_type_by_mangled_name(
    const void *_Nonnull name, size_t length, const void *_Nullable context, const void *_Nullable arguments) {
    return swift_getTypeByMangledNameInContext(name, length, context, arguments);
}

/// A box with room for a value, as indirect cases of enumerations have them.
typedef struct {
    void *_Nonnull object;
    void *_Nonnull content;
} coffer_box;

__attribute__((swiftcall)) extern coffer_box swift_allocBox(const void *_Nonnull metadata);

static inline coffer_box coffer_allocate_box(const void *_Nonnull metadata) {
    return swift_allocBox(metadata);
}

/// A new instance, owned by the caller, whose instance variables are all zero bits.
static inline void *_Nonnull coffer_allocate(const void *_Nonnull metadata, size_t size, size_t alignMask) {
    const size_t header = 2 * sizeof(void *);
    char *object = swift_allocObject(metadata, size, alignMask);
    memset(object + header, 0, size - header);
    return object;
}

/// A new instance, owned by the caller, whose instance variables have the bits of another's.
///
/// Sound only where those bits own nothing: see BlankFactory.
static inline void *_Nonnull coffer_clone(
    const void *_Nonnull metadata, size_t size, size_t alignMask, const void *_Nonnull original) {
    const size_t header = 2 * sizeof(void *);
    char *object = swift_allocObject(metadata, size, alignMask);
    memcpy(object + header, (const char *)original + header, size - header);
    return object;
}

/// Asks for a line of memory that will soon be read.
static inline void coffer_prefetch(const void *_Nonnull address) {
    __builtin_prefetch(address);
}

/// How many calls of `withObservationTracking` are running in the process.
///
/// Every getter of a model looks at it, so it is one plain load and no function of Observation's, whose own check costs
/// more than the whole getter.
extern int coffer_observation_depth;

static inline int coffer_is_observing(void) {
#ifdef __APPLE__
    // SwiftUI calls Observation by itself, so here every read may be a tracked one.
    return 1;
#else
    return __atomic_load_n(&coffer_observation_depth, __ATOMIC_RELAXED);
#endif
}

static inline void coffer_observation_begin(void) {
    __atomic_fetch_add(&coffer_observation_depth, 1, __ATOMIC_ACQ_REL);
}

static inline void coffer_observation_end(void) {
    __atomic_fetch_sub(&coffer_observation_depth, 1, __ATOMIC_ACQ_REL);
}

#endif
