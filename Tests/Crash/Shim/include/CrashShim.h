#ifndef COFFER_CRASH_SHIM_H
#define COFFER_CRASH_SHIM_H

#include <sys/types.h>

// Stands between this program and the system: the calls that change files below a folder are counted, and the process
// dies, or the call fails, at one of them. A program that links this has its own calls and those of its libraries go
// through it; until it is armed they pass.

/// What becomes of the calls.
enum coffer_crash_mode {
    /// They pass.
    COFFER_CRASH_OFF = 0,
    /// They are written down, with what they write.
    COFFER_CRASH_RECORD = 1,
    /// The process is killed before one of them.
    COFFER_CRASH_KILL = 2,
    /// The process is killed in the middle of one of them, which has to be a write.
    COFFER_CRASH_KILL_HALFWAY = 3,
    /// One of them fails.
    COFFER_CRASH_FAIL_ONCE = 4,
    /// All fail from one of them on. A write that is the first comes to its half.
    COFFER_CRASH_FAIL_ON = 5,
};

/// How calls are told apart, in the log and in lists of what may fail.
enum coffer_crash_call {
    COFFER_CRASH_CREATE = 'c',
    COFFER_CRASH_WRITE = 'w',
    COFFER_CRASH_TRUNCATE = 't',
    COFFER_CRASH_SYNC = 's',
    COFFER_CRASH_RENAME = 'n',
    COFFER_CRASH_LINK = 'l',
    COFFER_CRASH_UNLINK = 'u',
    COFFER_CRASH_MAKE_FOLDER = 'm',
    COFFER_CRASH_REMOVE_FOLDER = 'd',
    /// Opening what is there, counted only where it is asked for.
    COFFER_CRASH_OPEN = 'o',
    /// Reading, counted only where it is asked for.
    COFFER_CRASH_READ = 'r',
    /// Not a call but a line that the program draws.
    COFFER_CRASH_MARK = 'k',
    /// Precedes what a call has done: the kind of the call stands in the place of the inode, its number in that of the
    /// offset.
    COFFER_CRASH_MEET = 'x',
};

/// One entry of the log; both paths and the bytes follow it.
struct coffer_crash_entry {
    int64_t kind;
    int64_t inode;
    int64_t offset;
    /// The number of bytes that follow, or a size.
    int64_t length;
    int64_t path_length;
    int64_t other_path_length;
    /// Whether a write is on disk when the call returns; whether a sync was one of a folder.
    int64_t flag;
};

/// Watches a folder.
///
/// - calls: which kinds of calls fail; the others pass and are counted all the same.
/// - log: where entries are written; negative for nowhere.
void coffer_crash_arm(
    const char *folder, int mode, long at, int error, const char *calls, int counts_reading, int log);

/// Lets calls pass from here on.
void coffer_crash_disarm(void);

/// Whether a call has failed since.
int coffer_crash_has_failed(void);

/// The calls so far.
long coffer_crash_count(void);

/// Draws a line in the log.
void coffer_crash_mark(long number);

/// Makes a copy of this process.
pid_t coffer_crash_fork(void);

/// Ends this process without running anything.
void coffer_crash_exit(int status);

/// The signal that ended a process by the status that `waitpid` gave; 0 for one that ended by itself.
int coffer_crash_signal(int status);

/// What a process that ended by itself answered.
int coffer_crash_status(int status);

#endif
