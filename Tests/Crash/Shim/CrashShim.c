#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
// Each name is defined as it is called, without the headers' own detours.
#undef _FORTIFY_SOURCE

#include "CrashShim.h"

#include <sys/wait.h>
#include <unistd.h>

pid_t coffer_crash_fork(void) { return fork(); }
void coffer_crash_exit(int status) { _exit(status); }
int coffer_crash_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
int coffer_crash_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static char folder[PATH_MAX];
static size_t folder_length;
static int mode;
static long target;
static int failure;
static char failing[32];
static int counts_reading;
static int log_file = -1;
static atomic_long calls;
static atomic_int has_failed;

void coffer_crash_arm(
    const char *path, int new_mode, long at, int error, const char *kinds, int reading, int log) {
    snprintf(folder, sizeof folder, "%s", path);
    folder_length = strlen(folder);
    target = at;
    failure = error;
    snprintf(failing, sizeof failing, "%s", kinds);
    counts_reading = reading;
    log_file = log;
    calls = 0;
    has_failed = 0;
    mode = new_mode;
}

void coffer_crash_disarm(void) { mode = COFFER_CRASH_OFF; }
int coffer_crash_has_failed(void) { return has_failed; }
long coffer_crash_count(void) { return calls; }

// MARK: What is watched

static int is_watched(const char *path) {
    return mode != COFFER_CRASH_OFF && path && strncmp(path, folder, folder_length) == 0
        && (path[folder_length] == '/' || path[folder_length] == 0);
}

/// The path of an open file; 0 for one that is not watched.
static int watched_file(int file, char *path) {
    if (mode == COFFER_CRASH_OFF) return 0;
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_watched(path);
}

static int exists(const char *path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

// MARK: The log

static void put(const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t done = syscall(SYS_write, log_file, bytes, count);
        if (done <= 0) abort();
        bytes = (const char *)bytes + done;
        count -= (size_t)done;
    }
}

static void note(
    int kind, long inode, off_t offset, size_t length, int flag, const char *path, const char *other,
    const void *bytes) {
    if (log_file < 0) return;
    int saved = errno;
    struct coffer_crash_entry entry = {
        .kind = kind,
        .inode = inode,
        .offset = offset,
        .length = (int64_t)length,
        .path_length = path ? (int64_t)strlen(path) : 0,
        .other_path_length = other ? (int64_t)strlen(other) : 0,
        .flag = flag,
    };
    put(&entry, sizeof entry);
    if (path) put(path, strlen(path));
    if (other) put(other, strlen(other));
    if (bytes) put(bytes, length);
    errno = saved;
}

void coffer_crash_mark(long number) {
    if (mode != COFFER_CRASH_OFF) note(COFFER_CRASH_MARK, number, 0, 0, 0, 0, 0, 0);
}

static long inode_of_file(int file) {
    struct stat status;
    return fstat(file, &status) == 0 ? (long)status.st_ino : -1;
}

static long inode_of(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? (long)status.st_ino : -1;
}

// MARK: What happens at a call

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

enum verdict { PASS, FAIL, HALF_AND_DIE, HALF };

/// Counts a call and decides what becomes of it.
static enum verdict meet(int kind) {
    long number = atomic_fetch_add(&calls, 1) + 1;
    switch (mode) {
    case COFFER_CRASH_RECORD:
        note(COFFER_CRASH_MEET, kind, number, 0, 0, 0, 0, 0);
        return PASS;
    case COFFER_CRASH_KILL:
        if (number == target) die();
        return PASS;
    case COFFER_CRASH_KILL_HALFWAY:
        return number == target ? HALF_AND_DIE : PASS;
    case COFFER_CRASH_FAIL_ONCE:
        if (number != target) return PASS;
        break;
    case COFFER_CRASH_FAIL_ON:
        if (number < target || !strchr(failing, kind)) return PASS;
        if (number == target && kind == COFFER_CRASH_WRITE) {
            has_failed = 1;
            return HALF;
        }
        break;
    default:
        return PASS;
    }
    has_failed = 1;
    errno = failure;
    return FAIL;
}

// MARK: Writing

static off_t position(int file) {
    int flags = fcntl(file, F_GETFL);
    if (flags & O_APPEND) {
        struct stat status;
        return fstat(file, &status) == 0 ? status.st_size : 0;
    }
    return lseek(file, 0, SEEK_CUR);
}

/// A write of bytes to a place of a file; -1 for where it stands.
static ssize_t write_at(int file, const void *bytes, size_t count, off_t offset, const char *path) {
    switch (meet(COFFER_CRASH_WRITE)) {
    case FAIL:
        return -1;
    case HALF_AND_DIE:
        if (offset < 0) syscall(SYS_write, file, bytes, count / 2);
        else syscall(SYS_pwrite64, file, bytes, count / 2, offset);
        die();
        return -1;
    case HALF:
        count = count > 1 ? count / 2 : count;
        break;
    case PASS:
        break;
    }
    off_t start = offset < 0 ? position(file) : offset;
    ssize_t done =
        offset < 0 ? syscall(SYS_write, file, bytes, count) : syscall(SYS_pwrite64, file, bytes, count, offset);
    if (done > 0 && mode == COFFER_CRASH_RECORD) {
        int flags = fcntl(file, F_GETFL);
        note(
            COFFER_CRASH_WRITE, inode_of_file(file), start, (size_t)done, (flags & (O_SYNC | O_DSYNC)) != 0, path, 0,
            bytes);
    }
    return done;
}

ssize_t write(int file, const void *bytes, size_t count) {
    char path[PATH_MAX];
    if (!watched_file(file, path)) return syscall(SYS_write, file, bytes, count);
    return write_at(file, bytes, count, -1, path);
}

static ssize_t write_at_place(int file, const void *bytes, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (!watched_file(file, path)) return syscall(SYS_pwrite64, file, bytes, count, offset);
    return write_at(file, bytes, count, offset, path);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    return write_at_place(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    return write_at_place(file, bytes, count, offset);
}

static ssize_t write_pieces(int file, const struct iovec *pieces, int count, off_t offset) {
    char path[PATH_MAX];
    if (!watched_file(file, path)) {
        return offset < 0 ? syscall(SYS_writev, file, pieces, count)
                          : syscall(SYS_pwritev, file, pieces, count, offset, 0);
    }
    size_t size = 0;
    for (int i = 0; i < count; i++) size += pieces[i].iov_len;
    char *bytes = malloc(size + 1);
    size_t done = 0;
    for (int i = 0; i < count; i++) {
        memcpy(bytes + done, pieces[i].iov_base, pieces[i].iov_len);
        done += pieces[i].iov_len;
    }
    ssize_t result = write_at(file, bytes, size, offset, path);
    int saved = errno;
    free(bytes);
    errno = saved;
    return result;
}

ssize_t writev(int file, const struct iovec *pieces, int count) { return write_pieces(file, pieces, count, -1); }

ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset) {
    return write_pieces(file, pieces, count, offset);
}

ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t offset) {
    return write_pieces(file, pieces, count, offset);
}

// MARK: Sizes

static int set_size(int file, off_t size) {
    char path[PATH_MAX];
    if (watched_file(file, path)) {
        if (meet(COFFER_CRASH_TRUNCATE) == FAIL) return -1;
        note(COFFER_CRASH_TRUNCATE, inode_of_file(file), 0, (size_t)size, 1, path, 0, 0);
    }
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size) { return set_size(file, size); }
int ftruncate64(int file, off64_t size) { return set_size(file, size); }

static int set_size_at(const char *path, off_t size) {
    if (is_watched(path)) {
        if (meet(COFFER_CRASH_TRUNCATE) == FAIL) return -1;
        note(COFFER_CRASH_TRUNCATE, inode_of(path), 0, (size_t)size, 1, path, 0, 0);
    }
    return (int)syscall(SYS_truncate, path, size);
}

int truncate(const char *path, off_t size) { return set_size_at(path, size); }
int truncate64(const char *path, off64_t size) { return set_size_at(path, size); }

static int allocate(int file, off_t offset, off_t length) {
    char path[PATH_MAX];
    if (watched_file(file, path) && meet(COFFER_CRASH_WRITE) == FAIL) return failure;
    return syscall(SYS_fallocate, file, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate(int file, off_t offset, off_t length) { return allocate(file, offset, length); }
int posix_fallocate64(int file, off64_t offset, off64_t length) { return allocate(file, offset, length); }

// MARK: Syncing

static int sync_file(int file, long number) {
    char path[PATH_MAX];
    if (watched_file(file, path)) {
        if (meet(COFFER_CRASH_SYNC) == FAIL) return -1;
        struct stat status;
        int is_folder = fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
        note(COFFER_CRASH_SYNC, inode_of_file(file), 0, 0, is_folder, path, 0, 0);
        // What the power would lose is worked out from the log; waiting for a real disk would show nothing.
        return 0;
    }
    return (int)syscall(number, file);
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

// MARK: Names

static int rename_path(const char *old, const char *new, unsigned flags) {
    if (is_watched(old) || is_watched(new)) {
        if (meet(COFFER_CRASH_RENAME) == FAIL) return -1;
        int result = (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, flags);
        if (result == 0) note(COFFER_CRASH_RENAME, inode_of(new), 0, 0, 0, old, new, 0);
        return result;
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, flags);
}

int rename(const char *old, const char *new) { return rename_path(old, new, 0); }

int link(const char *old, const char *new) {
    if (is_watched(new)) {
        if (meet(COFFER_CRASH_LINK) == FAIL) return -1;
        int result = (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
        if (result == 0) note(COFFER_CRASH_LINK, inode_of(new), 0, 0, 0, old, new, 0);
        return result;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, old, AT_FDCWD, new, 0);
}

static int remove_path(int base, const char *path, int flags) {
    if (is_watched(path) && exists(path)) {
        int kind = flags & AT_REMOVEDIR ? COFFER_CRASH_REMOVE_FOLDER : COFFER_CRASH_UNLINK;
        if (meet(kind) == FAIL) return -1;
        int result = (int)syscall(SYS_unlinkat, base, path, flags);
        if (result == 0) note(kind, 0, 0, 0, 0, path, 0, 0);
        return result;
    }
    return (int)syscall(SYS_unlinkat, base, path, flags);
}

int unlink(const char *path) { return remove_path(AT_FDCWD, path, 0); }
int unlinkat(int base, const char *path, int flags) { return remove_path(base, path, flags); }
int rmdir(const char *path) { return remove_path(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t rights) {
    if (is_watched(path) && !exists(path)) {
        if (meet(COFFER_CRASH_MAKE_FOLDER) == FAIL) return -1;
        int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, rights);
        if (result == 0) note(COFFER_CRASH_MAKE_FOLDER, 0, 0, 0, 0, path, 0, 0);
        return result;
    }
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, rights);
}

int mknod(const char *path, mode_t rights, dev_t device) {
    if (is_watched(path) && !exists(path)) {
        if (meet(COFFER_CRASH_CREATE) == FAIL) return -1;
        int result = (int)syscall(SYS_mknodat, AT_FDCWD, path, rights, device);
        if (result == 0) note(COFFER_CRASH_CREATE, inode_of(path), 0, 0, 0, path, 0, 0);
        return result;
    }
    return (int)syscall(SYS_mknodat, AT_FDCWD, path, rights, device);
}

// MARK: Reports of writes

/// Nobody is told of writes: copies of the process would lack the thread that waits for reports, and have the lock that
/// it held when they were made.
int inotify_init1(int flags) {
    errno = EMFILE;
    return -1;
}

// MARK: Opening and reading

static int open_path(int base, const char *path, int flags, mode_t rights) {
    if (!is_watched(path)) return (int)syscall(SYS_openat, base, path, flags, rights);
    int was_there = exists(path);
    int is_new = (flags & O_CREAT) && !was_there;
    int is_cut = (flags & O_TRUNC) && was_there;
    if (is_new || is_cut) {
        if (meet(COFFER_CRASH_CREATE) == FAIL) return -1;
    } else if (counts_reading && was_there) {
        if (meet(COFFER_CRASH_OPEN) == FAIL) return -1;
    }
    int file = (int)syscall(SYS_openat, base, path, flags, rights);
    if (file < 0) return file;
    if (is_new) note(COFFER_CRASH_CREATE, inode_of_file(file), 0, 0, 0, path, 0, 0);
    if (is_cut) note(COFFER_CRASH_TRUNCATE, inode_of_file(file), 0, 0, 0, path, 0, 0);
    return file;
}

#define RIGHTS(flags) \
    mode_t rights = 0; \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list list; \
        va_start(list, flags); \
        rights = va_arg(list, mode_t); \
        va_end(list); \
    }

int open(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_path(AT_FDCWD, path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_path(AT_FDCWD, path, flags, rights);
}

int openat(int base, const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_path(base, path, flags, rights);
}

int openat64(int base, const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_path(base, path, flags, rights);
}

int __open_2(const char *path, int flags) { return open_path(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_path(AT_FDCWD, path, flags, 0); }

static ssize_t read_at(int file, void *bytes, size_t count, off_t offset) {
    char path[PATH_MAX];
    if (counts_reading && watched_file(file, path) && meet(COFFER_CRASH_READ) == FAIL) return -1;
    return offset < 0 ? syscall(SYS_read, file, bytes, count) : syscall(SYS_pread64, file, bytes, count, offset);
}

ssize_t read(int file, void *bytes, size_t count) { return read_at(file, bytes, count, -1); }
ssize_t pread(int file, void *bytes, size_t count, off_t offset) { return read_at(file, bytes, count, offset); }
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) { return read_at(file, bytes, count, offset); }
ssize_t __read_chk(int file, void *bytes, size_t count, size_t limit) { return read_at(file, bytes, count, -1); }
ssize_t __pread_chk(int file, void *bytes, size_t count, off_t offset, size_t limit) {
    return read_at(file, bytes, count, offset);
}
ssize_t __pread64_chk(int file, void *bytes, size_t count, off64_t offset, size_t limit) {
    return read_at(file, bytes, count, offset);
}

#else

void coffer_crash_arm(
    const char *path, int new_mode, long at, int error, const char *kinds, int reading, int log) {}
void coffer_crash_disarm(void) {}
int coffer_crash_has_failed(void) { return 0; }
long coffer_crash_count(void) { return 0; }
void coffer_crash_mark(long number) {}

#endif
