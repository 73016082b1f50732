// The system calls that the Swift toolchain's own Glibc and Darwin modules lack, or that differ
// between the two systems. Nothing is decided here: each function is one call, and answers as
// that call does (-1 and errno on failure) unless its comment says otherwise.

#ifndef OPOOL_CPOOLSYSTEM_H
#define OPOOL_CPOOLSYSTEM_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/// Makes a pipe; both ends are close-on-exec.
int opool_pipe(int ends[2]);

/// How much a pipe holds; -1 where the descriptor is none, or where the system does not say.
int opool_pipe_room(int descriptor);

/// Has a pipe hold that much; -1 where it stays as it is.
int opool_set_pipe_room(int descriptor, int room);

/// Marks every open descriptor from `first` on as close-on-exec; ENOSYS where no call does that.
int opool_mark_close_on_exec_from(int first);

/// Closes every descriptor that is not below the limit of open files, and that the process could
/// therefore not have opened itself.
void opool_close_beyond_limit(void);

/// How many descriptors this process may have open at once; INT_MAX where the system does not say.
int opool_descriptor_limit(void);

/// Opens a new file without a name in a folder: for reading and appending, close-on-exec.
int opool_open_unnamed(const char *directory);

/// Makes and opens a new file, as mkstemp does: for reading and appending, close-on-exec.
int opool_open_named(char *template);

/// Makes an open file of that size that lies in memory and has no name, close-on-exec; ENOSYS where the
/// system has none.
int opool_open_memory(int64_t size);

/// What `opool_store_position` wrote there last, and all that was written before that.
static inline uint64_t opool_load_position(const void *place) {
  return __atomic_load_n((const uint64_t *)place, __ATOMIC_ACQUIRE);
}

/// Writes a number that other processes read, after all that was written before.
static inline void opool_store_position(void *place, uint64_t position) {
  __atomic_store_n((uint64_t *)place, position, __ATOMIC_RELEASE);
}

/// Removes a folder and what is in it, as far as that can be removed; follows no links.
int opool_remove_tree(const char *path);

/// Names the calling thread, in at most 15 bytes.
int opool_name_thread(const char *name);

/// Has the kernel send this process a signal when the thread that started it ends.
/// Does nothing where the system has no such thing.
int opool_set_death_signal(int signal);

/// Number of processors that the calling thread may run on; -1 where the system does not say.
int opool_allowed_processors(void);

/// Lowers the calling thread, and what it starts from then on, by `nice` steps; where classes take
/// the place of niceness, to the class `background` from 10 steps on, and to `utility` below.
int opool_lower_thread(int nice);

/// Whether the calling thread is lower than the process's first one: 2 where `opool_lower_thread` has
/// lowered it, 1 where it was so when this was first asked on it, else 0. Never where the system lowers by
/// class, and raises whoever has a lock that is wanted.
int opool_is_lowered(void);

/// Whether the calling thread, which was lowered by `nice` steps, can be raised again: it is, if so.
int opool_raise_thread(int nice);

/// Moves the calling thread, and what it starts from then on, to the idle class of input and
/// output. Does nothing where the system has none.
int opool_set_idle_input_output(void);

/// What a program is started with.
typedef struct {
  /// Where the program is; PATH is not looked at.
  const char *path;
  /// Its arguments, the first of which names it; ended by a null pointer.
  char *const *arguments;
  /// Its environment; ended by a null pointer.
  char *const *environment;
  /// The folder that it starts in, or null for the caller's.
  const char *directory;
  /// What its descriptors 0, 1 and 2 stand for.
  int descriptors[3];
  /// Which signals do not have their default effect on the caller: see `opool_changed_signals`.
  uint64_t changed_signals;
  /// Whether it leads a new process group, or joins the caller's.
  int leads_group;
  /// By how many steps it is lowered, as `opool_lower_thread` does it.
  int nice;
  /// Whether it is moved to the idle class of input and output.
  int idle_input_output;
} opool_program;

/// The signals that do not have their default effect on this process; the lowest bit stands for 1.
uint64_t opool_changed_signals(void);

/// Lowers a process by `nice` steps, and moves it to the idle class of input and output where asked.
/// Process 0 is the calling thread. Only system calls: a child that shares memory may call it.
void opool_lower_process(pid_t process, int nice, int idle_input_output);

/// Starts a program with an empty signal mask and with every signal's default effect.
/// Returns 0 or the error's number.
int opool_spawn(const opool_program *program, pid_t *child);

/// Waits until the child has ended, and leaves it to be reaped.
int opool_await_end(pid_t child);

/// Whether the child has ended: 1 or 0, or -1 where there is no such child; leaves it to be reaped.
/// `code` is its exit code, or -1 where `signal` ended it.
int opool_has_ended(pid_t child, int *code, int *signal);

/// Reaps a child that has ended; times in microseconds, peak memory in bytes.
/// `code` is its exit code, or -1 where `signal` ended it.
int opool_reap(pid_t child, int *code, int *signal, int64_t usage[3]);

/// Waits for one of the signals, at most that long; negative: without limit.
/// Returns the signal.
int opool_await_signal(const sigset_t *signals, int64_t nanoseconds);

/// The environment, ended by a null pointer.
char **opool_environment(void);

/// Gives every signal its default effect on this process.
void opool_reset_signals(void);

/// Keeps this process from leaving a core file.
void opool_forbid_core_file(void);

/// Makes SIGTERM end the guarded process group first, by SIGKILL, and then this process.
int opool_install_group_guard(void);

/// A group that will be known in a moment, because its leader is being spawned.
#define OPOOL_GROUP_TO_COME (-1)

/// Names the guarded process group; 0 for none.
void opool_guard_group(pid_t group);

/// Whether the handler of the guard ends all children of this process, too.
void opool_guard_children(int guards);

/// Has this process become the parent of those whose own parent, somewhere below it, has ended; or no
/// longer. ENOSYS or another error where the system cannot do that, or does not tell the children.
int opool_adopt_orphans(int adopts);

/// The children of this process, at most `capacity` of them; returns how many there are.
int opool_list_children(pid_t *children, int capacity);

/// Waits until any child has ended, and leaves it to be reaped; returns its number, or -1.
pid_t opool_await_any_end(void);

/// Reaps a child that is known to have ended.
void opool_reap_orphan(pid_t child);

/// Reaps all children that have ended; returns whether others live.
int opool_reap_ended(void);

/// Which children are left alone: these, and all of these groups and sessions.
typedef struct {
  const pid_t *processes;
  const pid_t *groups;
  const pid_t *sessions;
  int process_count;
  int group_count;
  int session_count;
} opool_spared;

/// Kills and reaps the children of this process, and what becomes its child by that, for at most that
/// long; returns whether none is left. Null spares nobody. May be called by a signal's handler.
int opool_end_children(const opool_spared *spared, int64_t nanoseconds);

/// How many columns a terminal has, or -1.
int opool_terminal_columns(int descriptor);

/// Whether the signal is ignored.
int opool_is_ignored(int number);

/// Has the signal's number written, as one byte, to a descriptor that does not block.
/// All signals caught so share the descriptor of the last call.
int opool_catch_signal(int number, int descriptor);

#endif
