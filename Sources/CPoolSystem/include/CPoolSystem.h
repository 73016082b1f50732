// The system calls that the Swift toolchain's own Glibc and Darwin modules lack, or that differ
// between the two systems. Nothing is decided here: each function is one call, and answers as
// that call does (-1 and errno on failure) unless its comment says otherwise.

#ifndef OPOOL_CPOOLSYSTEM_H
#define OPOOL_CPOOLSYSTEM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// How many arguments this process was given, with the program's name; 0 where the system does not hand
/// them to what a library runs first.
int opool_argument_count(void);

/// One of them, or null; it stays the system's.
const char *opool_argument(int index);

/// The bytes that the arguments take, in one piece, which `ps` shows, and where they begin; 0 where that is
/// not known.
size_t opool_argument_room(char **first);

/// The path of the running program, to be freed; null where it is not known.
char *opool_executable_path(void);

/// Calls the body: on a stack of `size` bytes, which all later threads have, too, where the limit allows less
/// than `least`; else on the caller's. Once, and in the first thread.
void opool_run_with_stack(size_t least, size_t size, void (*body)(void *), void *context);

/// Has threads share one heap where the address space is limited: a heap of its own takes 64 MiB of it for
/// each. To be called before there are threads.
void opool_spare_address_space(void);

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

/// Makes and opens an empty file that lies in memory and has no name: for reading and appending,
/// close-on-exec; ENOSYS where the system has none.
int opool_open_memory_file(void);

/// How many bytes are free where an open file lies, for those without privileges; -1 where that is not told.
int64_t opool_free_room(int descriptor);

/// Whether there may be less room for an open file's owner than `opool_free_room` says; -1 where only the
/// options of its mount can tell.
int opool_may_have_quota(int descriptor);

/// Has room put aside for an open file from an offset at or behind its end, which stays where it is.
int opool_claim_room(int descriptor, int64_t offset, int64_t count);

/// How large a file may be that this process or a child of it writes; INT64_MAX for any size.
int64_t opool_file_size_limit(void);

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

/// Removes a folder that is open, with what is in it; 0 also where it is gone already. Needs no descriptor
/// where it is empty.
int opool_remove_locked_folder(int folder, const char *path);

/// Makes a folder, as mkdtemp does, and locks it for as long as the result, a descriptor, is open; it is
/// close-on-exec. -1 and EAGAIN where a sweep was faster.
int opool_make_locked_folder(char *template);

/// Removes the folders there that `opool_make_locked_folder` made for this user with that beginning of a
/// name, and whose makers live no more. Looks at `limit` names; returns how many are gone, or -1.
int opool_sweep_folders(const char *path, const char *prefix, int limit);

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

/// Adds to how many locks that others want the calling thread has, and returns the sum; for debug builds.
int opool_count_locks(int change);

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
  /// Which signals do not have their default effect on the caller, or may not: see
  /// `opool_changed_signals`.
  uint64_t changed_signals;
  /// Whether it leads a new process group, or joins the caller's.
  int leads_group;
  /// The signal that it gets when the calling thread ends; 0 for none.
  int death_signal;
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

/// Makes SIGTERM end the guarded process group first, by SIGKILL, and then this process; so does the end of
/// the parent, also where this process was stopped.
int opool_install_group_guard(pid_t parent);

/// A group that will be known in a moment, because its leader is being spawned.
#define OPOOL_GROUP_TO_COME (-1)

/// A group whose leader was reaped, while what the command has started is still to end.
#define OPOOL_GROUP_GONE (-2)

/// Names the guarded process group; 0 for none.
void opool_guard_group(pid_t group);

/// Whether the handler of the guard ends all children of this process, too, but those that are spared.
void opool_guard_children(int guards);

/// Has this process become the parent of those whose own parent, somewhere below it, has ended; or no
/// longer. ENOSYS or another error where the system cannot do that, or does not tell the children.
int opool_adopt_orphans(int adopts);

/// Waits until a child has ended, at most that long, and leaves it to be reaped.
void opool_await_child(pid_t child, int64_t nanoseconds);

/// Kills and reaps one child, which is waited for at most that long; returns whether it has ended.
int opool_end_child(pid_t child, int64_t nanoseconds);

/// The children of the first thread of a process, at most `capacity` of them; returns how many there are.
int opool_list_children(pid_t parent, pid_t *children, int capacity);

/// Waits until any child has ended, and leaves it to be reaped; returns its number, or -1.
pid_t opool_await_any_end(void);

/// Reaps a child that is known to have ended.
void opool_reap_orphan(pid_t child);

/// Reaps all children that have ended; returns whether others live.
int opool_reap_ended(void);

/// Which children are left alone: these, and all of these groups and sessions; and where `only_session`
/// is not 0, all of other sessions.
typedef struct {
  const pid_t *processes;
  const pid_t *groups;
  const pid_t *sessions;
  int process_count;
  int group_count;
  int session_count;
  pid_t only_session;
} opool_spared;

/// Kills and reaps the children of this process, and what becomes its child by that, for at most that
/// long; returns whether none is left. Null spares nobody. May be called by a signal's handler.
int opool_end_children(const opool_spared *spared, int64_t nanoseconds);

/// Gives the blocks of a range of a file back, whose length stays; ENOSYS or another error where the
/// system cannot do that.
int opool_punch_hole(int descriptor, int64_t offset, int64_t count);

/// Waits until the disk has all that was written to the file system of an open file, names included.
int opool_sync_file_system(int descriptor);

/// Names what the guard, and the guardian, are to spare.
void opool_spare(const opool_spared *spared);

/// Makes a child that goes on as the worker, and of this process its guardian: it outlives the worker,
/// ends what that leaves of a command, and then itself, as the worker ended.
///
/// Both keep a journal from being opened by a later run while they live, where a path is given.
///
/// Returns 0 in the child, and in this process only where that fails: -1. To be called while there is
/// one thread.
///
/// Where `opool_start_guarded` has done so, it does nothing.
int opool_fork_guarded(const char *journal);

/// Does that for a program with these arguments before its libraries are initialised, where they are those of
/// a worker of commands: none, or `--journal=FILE`.
void opool_start_guarded(int count, char **arguments);

/// The guardian of this process, or 0.
pid_t opool_own_guardian(void);

/// Makes this process ready to be the guardian of what it starts next; -1 where the system has no means.
/// Where a path is given, it keeps that journal from being opened by a later run while it lives.
int opool_prepare_guarding(const char *journal);

/// Makes this process the guardian of a worker that it has started, for its parent.
_Noreturn void opool_guard_worker(pid_t worker, pid_t parent, int is_foreign);

/// Whether a process calls itself a guardian.
int opool_is_guardian(pid_t process);

/// Has a guardian that was stopped go on; its worker hears nothing of it.
int opool_wake_guardian(pid_t guardian);

/// Has a guardian send its worker a signal; after SIGKILL nothing of it is left.
int opool_ask_guardian(pid_t guardian, int number);

/// The process that keeps others from opening a journal (`opool_fork_guarded`): 0 where none does, -1 where it
/// has no number here.
pid_t opool_holder_of(int journal);

/// The parent of a process, or -1.
pid_t opool_parent_of(pid_t process);

/// Opens a process, for `opool_signal_group`; -1 where the system has no such thing.
int opool_open_process(pid_t process);

/// Signals the group that a process leads, which stands for it even where its number is another's by
/// now. ENOSYS or EINVAL where the system cannot.
int opool_signal_group(int process, int number);

/// Opens a new pseudo-terminal of that width, close-on-exec, and says where its other side is.
int opool_open_terminal(int columns, char *path, int capacity);

/// Starts a program in a folder and in a session of its own, whose terminal is that one; its streams lead
/// there. Returns 0 or the error's number.
int opool_spawn_on_terminal(const char *terminal, const char *directory, char *const *arguments,
                            char *const *environment, pid_t *child);

/// How many columns a terminal has, or -1.
int opool_terminal_columns(int descriptor);

/// How many bytes lie in a pipe, also one that nothing will read any more; -1 where that is not known.
int opool_unread_count(int descriptor);

/// Whether the signal is ignored.
int opool_is_ignored(int number);

/// Has the signal's number written, as one byte, to a descriptor that does not block.
/// All signals caught so share the descriptor of the last call.
int opool_catch_signal(int number, int descriptor);

#endif
