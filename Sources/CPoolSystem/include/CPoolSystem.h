// System calls that the Swift toolchain's own Glibc and Darwin modules lack, or that differ between
// the two systems. A function is one call, and returns what that call does (-1 and errno on failure)
// unless its comment says otherwise. Those that decide something run where Swift cannot: in a signal
// handler, before `main`, between `vfork` and `exec`, or on a stack of their own.

#ifndef OPOOL_CPOOLSYSTEM_H
#define OPOOL_CPOOLSYSTEM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Number of arguments of this process, with the program's name; 0 if the system does not pass them
/// to constructors.
int opool_argument_count(void);

/// An argument, or null; owned by the system.
const char *opool_argument(int index);

/// Number of bytes of the arguments, in one piece, which `ps` shows, and its start; 0 if unknown.
size_t opool_argument_capacity(char **first);

/// The path of the running program, to be freed; null if unknown.
char *opool_executable_path(void);

/// Calls the body. If the limit allows less than `least`, it runs on a stack of `size` bytes, which
/// later threads get, too; otherwise on the caller's. Call it once, in the first thread.
void opool_run_with_stack(size_t least, size_t size, void (*body)(void *), void *context);

/// Makes threads share one heap if the address space is limited: a heap per thread takes 64 MiB of
/// it. Call it before there are threads.
void opool_spare_address_space(void);

/// Makes a pipe; both ends are close-on-exec.
int opool_pipe(int ends[2]);

/// Makes two connected sockets; both are close-on-exec, and a write to one whose other end is closed
/// raises no signal if it is made by `opool_send`.
int opool_socket_pair(int ends[2]);

// Local sockets with a name, which programs of one machine find each other by; -1 and errno on
// failure, ENAMETOOLONG where the path is longer than an address can be.
int opool_listen(const char *path);
int opool_accept(int listener);
// Connects, and limits each later read and write to so many milliseconds.
int opool_connect(const char *path, int milliseconds);
int opool_limit_socket(int descriptor, int milliseconds);
// The user whose process is at the other end.
int opool_peer_user(int socket, uid_t *user);

/// The process at the other end of a local socket when it connected; 0 or less if unknown.
pid_t opool_peer_process(int socket);

/// Writes to a socket; a lost reader is an error, without a signal.
ssize_t opool_send(int socket, const void *bytes, size_t count);

/// For what a descriptor is watched, or is ready; `OPOOL_FAILED` is its end, or an error.
enum { OPOOL_READABLE = 1, OPOOL_WRITABLE = 2, OPOOL_FAILED = 4 };

/// Maximum number of descriptors that one call of `opool_await_readiness` reports.
enum { OPOOL_READY_LIMIT = 256 };

/// A descriptor that is ready: its tag, and the sum of what for.
typedef struct {
  uint64_t tag;
  int readiness;
} opool_ready;

/// Opens a queue in which the system keeps which descriptors are ready; close-on-exec. ENOSYS if it
/// has none.
int opool_open_readiness(void);

/// Changes for what a descriptor is watched, from `before` to `after`; 0 is for nothing.
int opool_change_readiness(int queue, int descriptor, uint64_t tag, int before, int after);

/// Waits until a descriptor is ready, at most so many milliseconds, or without limit if negative.
/// Returns the number of those that are.
int opool_await_readiness(int queue, opool_ready *list, int capacity, int milliseconds);

/// Gives freed memory back to the system, where the allocator keeps it.
void opool_return_freed_memory(void);

/// The size of a pipe; -1 if the descriptor is not a pipe, or if the size is unknown.
int opool_pipe_capacity(int descriptor);

/// Sets the size of a pipe; -1 if it stays as it is.
int opool_set_pipe_capacity(int descriptor, int capacity);

/// Marks every open descriptor from `first` on close-on-exec; ENOSYS if no call does that.
int opool_mark_close_on_exec_from(int first);

/// Closes every descriptor beyond the limit of open files, which must have been inherited.
void opool_close_beyond_limit(void);

/// Number of descriptors that this process may have open at once; INT_MAX if unknown.
int opool_descriptor_limit(void);

/// The limit of descriptors that this process may raise its own to; INT_MAX if there is none.
int opool_highest_descriptor_limit(void);

/// Number of processes that this process's user may have; -1 if there is no limit.
int64_t opool_process_limit(void);

/// Opens a new file without a name in a folder: for reading and appending, close-on-exec.
int opool_open_unnamed(const char *directory);

/// Gives a file's or folder's owner rights that the umask has withheld.
int opool_grant_owner(int descriptor, mode_t rights);

/// Makes and opens a new file, as mkstemp does: for reading and appending, close-on-exec.
int opool_open_named(char *template);

/// Opens an empty file in memory without a name: for reading and appending, close-on-exec; ENOSYS
/// if the system has none.
int opool_open_memory_file(void);

/// Opens a file of that size in memory without a name, close-on-exec; ENOSYS if the system has
/// none.
int opool_open_memory(int64_t size);

/// Whether a file is sealed against being shortened, as that memory is.
int opool_is_never_shortened(int descriptor);

/// Loads the last position stored by `opool_store_position`; earlier writes are visible after it.
static inline uint64_t opool_load_position(const void *place) {
  return __atomic_load_n((const uint64_t *)place, __ATOMIC_ACQUIRE);
}

/// Stores a number that other processes load; it becomes visible after all earlier writes.
static inline void opool_store_position(void *place, uint64_t position) {
  __atomic_store_n((uint64_t *)place, position, __ATOMIC_RELEASE);
}

/// From here on, what is printed to C's `stdout` leaves by line, through a buffer of which the two
/// functions below know whether it was used.
void opool_watch_printing(void);

/// Whether `stdout` was printed to since it was watched or last flushed. What bypasses its buffer is
/// not noticed: writes to the descriptor, and pieces that are whole multiples of a page.
int opool_has_printed(void);

/// Writes what `stdout` holds of an unfinished line.
void opool_flush_printed(void);

/// Removes a folder and its content, as far as possible; follows no links.
int opool_remove_tree(const char *path);

/// Removes an open folder with its content; 0 also if it no longer exists. An empty folder needs no
/// descriptor.
int opool_remove_locked_folder(int folder, const char *path);

/// Makes a folder, as mkdtemp does, and locks it while the result, a close-on-exec descriptor, is
/// open. -1 and EAGAIN if a sweep was faster.
int opool_make_locked_folder(char *template);

/// Removes the folders of dead processes that `opool_make_locked_folder` made for this user with
/// that prefix. Reads `limit` names; returns how many folders were removed, or -1.
int opool_sweep_folders(const char *path, const char *prefix, int limit);

/// Names the calling thread, in at most 15 bytes.
int opool_name_thread(const char *name);

/// Calls the body; then `ended`, on the same thread, if the body ended the thread (`pthread_exit`)
/// instead of returning.
void opool_call_in_thread(void (*body)(void *), void (*ended)(void *), void *context);

/// The stack of the process's first thread, in bytes, 1 GiB at most.
size_t opool_main_stack_size(void);

/// The system's number of the calling thread; only on Linux.
long opool_thread_number(void);

/// Whether the caller is the process's first thread; only on Linux.
int opool_is_main_thread(void);

/// Waits until the main dispatch queue has something to execute, with all signals blocked, and
/// executes it on the calling thread, the first one; only on Linux.
void opool_serve_main_queue(void);

/// Makes the kernel send this process a signal when the thread that started it ends. Does nothing
/// if the system has no such signal.
int opool_set_death_signal(int signal);

/// Number of processors that the calling thread may run on; -1 if unknown.
int opool_allowed_processors(void);

/// Lowers the calling thread, and everything that it starts from then on, by `nice` steps; on
/// systems with classes instead of niceness, to `background` from 10 steps on, and to `utility`
/// below.
int opool_lower_thread(int nice);

/// Whether the calling thread is lower than the process's first one: 2 if `opool_lower_thread` has
/// lowered it, 1 if it was so at the first call on this thread, otherwise 0. Always 0 on systems
/// that lower by class, since they raise a thread with a contended lock.
int opool_is_lowered(void);

/// Adds to the calling thread's number of contended locks, and returns the sum; for debug builds.
int opool_count_locks(int change);

/// Raises the calling thread, which was lowered by `nice` steps, if that is possible; returns
/// whether.
int opool_raise_thread(int nice);

/// Moves the calling thread, and everything that it starts from then on, to the idle class of input
/// and output. Does nothing on systems without such a class.
int opool_set_idle_input_output(void);

/// The description of a program to start.
typedef struct {
  /// Where the program is; PATH is not looked at.
  const char *path;
  /// Its arguments, beginning with its name; ended by a null pointer.
  char *const *arguments;
  /// Its environment; ended by a null pointer.
  char *const *environment;
  /// Its working directory, or null for the caller's.
  const char *directory;
  /// Its descriptors 0, 1 and 2.
  int descriptors[3];
  /// The signals that may not have their default effect on the caller: see `opool_changed_signals`.
  uint64_t changed_signals;
  /// Whether it gets no other descriptors, where the system can close them all at once.
  int closes_descriptors;
  /// Whether it leads a new process group; otherwise it joins the caller's.
  int leads_group;
  /// The signal that it gets when the calling thread ends; 0 for none.
  int death_signal;
  /// Number of steps by which it is lowered, as by `opool_lower_thread`.
  int nice;
  /// Whether it is moved to the idle class of input and output.
  int idle_input_output;
} opool_program;

/// The signals without their default effect on this process; the lowest bit is signal 1.
uint64_t opool_changed_signals(void);

/// Lowers a process by `nice` steps, and moves it to the idle class of input and output if asked.
/// Process 0 is the calling thread. Only system calls: a child that shares memory may call it.
void opool_lower_process(pid_t process, int nice, int idle_input_output);

/// Starts a program with an empty signal mask and every signal's default effect. Returns 0 or the
/// error number.
int opool_spawn(const opool_program *program, pid_t *child);

/// Waits until the child, or any child if it is 0, has ended or was stopped; returns its number, or
/// -1. One that has ended is left unreaped, and `stop` is 0; else it is the signal that stopped it.
pid_t opool_await_change(pid_t child, int *stop);

/// The same without waiting; 0 if nothing has changed.
pid_t opool_take_change(pid_t child, int *stop);

/// Opens a descriptor that can be read when a child has ended or stopped. On Linux, it blocks SIGCHLD
/// in the calling thread; all other threads of the process must block it, too.
int opool_open_child_events(void);

/// Waits until a child has ended or stopped, at most that long, and takes the event.
void opool_await_child_event(int events, int64_t nanoseconds);

/// Waits until one of two pipes can be read or has ended, or a child has ended or stopped: takes that
/// event and returns 1. -1 stands for no descriptor, and for no limit of time.
int opool_await_output(int events, int output, int error, int milliseconds);

/// Makes a close-on-exec pipe whose read end does not block.
int opool_output_pipe(int ends[2]);

/// Whether a pipe is empty and has no writer any more.
int opool_has_lost_writers(int pipe);

/// Whether a thread of the process, or of its descendants, is runnable or waits for a disk; 0 if
/// unknown.
int opool_is_busy(pid_t process);

/// Whether the process is gone, or about to be: it ends, and its files are closed.
int opool_is_gone(pid_t process);

/// Whether the child has ended: 1 or 0, or -1 without such a child; leaves it unreaped. `code` is
/// its exit code, or -1 if `signal` ended it.
int opool_has_ended(pid_t child, int *code, int *signal);

/// Reaps an ended child; times in microseconds, peak memory in bytes. `code` is its exit code, or
/// -1 if `signal` ended it.
int opool_reap(pid_t child, int *code, int *signal, int64_t usage[3]);

/// What this process has used so far, together with its children that were waited for: as above.
void opool_own_usage(int64_t usage[3]);

/// Waits for one of the signals, at most that long, or without limit if negative. Returns the
/// signal.
int opool_await_signal(const sigset_t *signals, int64_t nanoseconds);

/// The environment, ended by a null pointer.
char **opool_environment(void);

/// Gives every signal its default effect on this process.
void opool_reset_signals(void);

/// Keeps this process from writing a core file.
void opool_forbid_core_file(void);

/// Makes the parent's SIGTERM kill the command's process group before it ends this process; so does the
/// end of the parent, even if this process was stopped. If the parent is a guardian, the same holds for
/// SIGHUP, SIGINT, SIGQUIT, SIGUSR1 and SIGUSR2 that are not ignored; sent by another process, none of
/// the six has an effect while the guardian lives.
int opool_install_cleanup(pid_t parent);

/// Lets signals of any process end this one, too, and not only the guardian's.
void opool_obey_others(void);

/// A group that is not known yet, because its leader is being spawned.
#define OPOOL_GROUP_TO_COME (-1)

/// A group whose leader was reaped, while other processes of the command must still end.
#define OPOOL_GROUP_GONE (-2)

/// Stops the group that ends with this process, by SIGTSTP, and each later one, or continues them.
void opool_stop_group(int is_stopped);

/// Nanoseconds for which they were stopped so far, by the monotonic clock.
int64_t opool_stopped_time(void);

/// Sets the process group that ends with this process; 0 for none.
void opool_set_cleanup_group(pid_t group);

/// Sets whether the cleanup also ends all children of this process but the spared ones.
void opool_set_cleanup_children(int ends);

/// Makes this process adopt the orphans below it, or stops that. ENOSYS or another error if the
/// system cannot, or does not list children.
int opool_adopt_orphans(int adopts);

/// Waits until a child has ended, at most that long, and leaves it unreaped.
void opool_await_child(pid_t child, int64_t nanoseconds);

/// Kills and reaps one child, and waits at most that long; returns whether it has ended.
int opool_end_child(pid_t child, int64_t nanoseconds);

/// Lists at most `capacity` children of a process's first thread; returns their number.
int opool_list_children(pid_t parent, pid_t *children, int capacity);

/// Reaps a child that has ended.
void opool_reap_orphan(pid_t child);

/// Reaps all ended children; returns whether others live.
int opool_reap_ended(void);

/// The spared children: these, and all of these groups and sessions; if `only_session` is not 0,
/// also all of other sessions.
typedef struct {
  const pid_t *processes;
  const pid_t *groups;
  const pid_t *sessions;
  int process_count;
  int group_count;
  int session_count;
  pid_t only_session;
} opool_spared;

/// Kills and reaps the children of this process, and their children, which it adopts, for at most
/// that long; returns whether none is left. Null spares none. A signal handler may call it.
int opool_end_children(const opool_spared *spared, int64_t nanoseconds);

/// Frees the blocks of a range of a file, which keeps its length; ENOSYS or another error if the
/// system cannot.
int opool_punch_hole(int descriptor, int64_t offset, int64_t count);

/// Copies from an offset of a file to the place of another one's descriptor, once, within the
/// system; returns the number of bytes, or ENOSYS or another error if the system cannot.
int64_t opool_copy_range(int file, int64_t offset, int64_t count, int target);

/// Waits until the disk has everything written to the file system of a file, including names.
int opool_sync_file_system(int descriptor);

/// Sets the processes that the cleanup and the guardian spare.
void opool_spare(const opool_spared *spared);

/// Forks: the child continues as the worker, and this process becomes its guardian. The guardian
/// outlives the worker, ends the processes of its command, and then ends as the worker did.
///
/// With a path, both keep later runs from opening that journal while they live.
///
/// Returns 0 in the child, and -1 in this process only on failure. Call it while there is one
/// thread.
///
/// Does nothing after `opool_start_guarded` has done the same.
int opool_fork_guarded(const char *journal);

/// Does the same before the libraries of a program are initialised, if the arguments are those of a
/// worker of commands: none, or `--journal=FILE`.
void opool_start_guarded(int count, char **arguments);

/// The guardian of this process, or 0.
pid_t opool_own_guardian(void);

/// Nanoseconds of a clock that also goes on while the machine sleeps.
int64_t opool_lease_clock(void);

/// Sets the time at which this process and all that it has started must have ended. The system kills
/// this process before then, even if it is stopped, and lets its guardian go on, which ends the rest.
///
/// EAGAIN where the guardian has not seen the time before: it may be stopped. ENOSYS or another
/// error if the system cannot.
int opool_set_lease(int64_t until);

/// Whether the guardian has seen the time at which the lease ends; a load from shared memory.
int opool_is_lease_shared(void);

/// Whether the guardian of this process has seen its parent's end; a load from shared memory.
int opool_guardian_saw_end(void);

/// Makes this process ready to guard its next child; -1 if the system cannot. With a path, it keeps
/// later runs from opening that journal while it lives.
int opool_prepare_guarding(const char *journal);

/// Makes this process the guardian of a worker that it has started, on behalf of its parent.
_Noreturn void opool_guard_worker(pid_t worker, pid_t parent, int is_foreign);

/// Whether a signal is ending a process, or SIGKILL is about to; 0 if the system has no `/proc`.
int opool_is_being_killed(pid_t process);

/// Whether SIGKILL is among the pending signals in the text of a process's `status`.
int opool_is_kill_pending(const char *status);

/// Whether `/proc` lists processes by the numbers that they have for this one, unlike that of
/// another PID namespace, in which each number is another process's.
int opool_numbers_match_proc(void);

/// Whether other processes of the user may inspect this one, and so open its files.
int opool_is_dumpable(void);

/// Whether a process has the name of a guardian.
int opool_is_guardian(pid_t process);

/// Continues a stopped guardian; its worker does not notice.
int opool_wake_guardian(pid_t guardian);

/// Asks a guardian to signal its worker; SIGKILL also ends all descendants of the worker.
int opool_ask_guardian(pid_t guardian, int number);

/// The process that keeps others from opening a journal (`opool_fork_guarded`): 0 if there is none,
/// -1 if it has no number here.
pid_t opool_holder_of(int journal);

/// The parent of a process, or -1.
pid_t opool_parent_of(pid_t process);

/// Opens a process, for `opool_signal_group`; -1 if the system cannot.
int opool_open_process(pid_t process);

/// Signals the group that an opened process leads, even if its number was reused. ENOSYS or EINVAL
/// if the system cannot.
int opool_signal_group(int process, int number);

/// Stores the columns and rows of a terminal, each 0 where it does not say them; -1 if there is none.
int opool_terminal_size(int descriptor, int *columns, int *rows);

/// Number of bytes in a pipe, even without a reader; -1 if unknown.
int opool_unread_count(int descriptor);

/// Whether the signal is ignored.
int opool_is_ignored(int number);

/// Writes the signal's number, as one byte, to a non-blocking descriptor. All caught signals use
/// the descriptor of the last call.
int opool_catch_signal(int number, int descriptor);

/// For a command that has not begun its run: SIGQUIT ends the process with 128 and its number, without
/// a core file or a report of Swift's; a SIGUSR1 is written as soon as `opool_catch_signal` catches it.
/// A signal that the caller ignores stays ignored.
void opool_catch_early_signals(void);

/// Stops this process, and returns when it was continued; does nothing if SIGCONT came after the
/// last SIGTSTP, as far as the two are caught.
void opool_stop_unless_continued(void);

#endif
