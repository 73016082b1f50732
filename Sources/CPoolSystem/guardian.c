#define _GNU_SOURCE
#include "child_cleanup.h"
#include "lease.h"
#include "monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>

// The name in comm, which killall and pkill compare, differs from those of the programs.
static const char guardian_name[] = "pool-guardian";

// Carries the number of another signal, such as SIGKILL, for the worker.
#define REQUEST (SIGRTMIN + 7)
// Sent by the system when the parent, or one of its threads, has ended: the only signal that a
// stopped process receives.
#define PARENT_ENDED SIGCONT

static pid_t guardian_of_this;

pid_t opool_own_guardian(void) { return guardian_of_this; }

// The name of the worker, which is forked from a process with the guardian's name.
static char worker_name[16];
static char *worker_arguments;

static void take_name(void) {
  prctl(PR_SET_NAME, guardian_name, 0, 0, 0);
  char *first_argument = NULL;
  size_t capacity = opool_argument_capacity(&first_argument);
  if (capacity == 0) return;
  memset(first_argument, 0, capacity);
  strncpy(first_argument, guardian_name, capacity - 1);
}

static void keep_name(void) {
  prctl(PR_GET_NAME, worker_name, 0, 0, 0);
  char *first_argument = NULL;
  size_t capacity = opool_argument_capacity(&first_argument);
  worker_arguments = capacity > 0 ? malloc(capacity) : NULL;
  if (worker_arguments) memcpy(worker_arguments, first_argument, capacity);
}

static void restore_name(void) {
  prctl(PR_SET_NAME, worker_name, 0, 0, 0);
  char *first_argument = NULL;
  size_t capacity = opool_argument_capacity(&first_argument);
  if (worker_arguments) memcpy(first_argument, worker_arguments, capacity);
  free(worker_arguments);
}

int opool_is_guardian(pid_t process) {
  if (!opool_numbers_match_proc()) return 0;
  char path[32];
  char name[sizeof guardian_name] = {0};
  snprintf(path, sizeof path, "/proc/%d/comm", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, name, sizeof guardian_name);
  close(file);
  // A line feed follows the name.
  return count == sizeof guardian_name && memcmp(name, guardian_name, sizeof guardian_name - 1) == 0;
}

int opool_wake_guardian(pid_t guardian) {
  union sigval value = {.sival_int = SIGCONT};
  return sigqueue(guardian, SIGCONT, value);
}

int opool_ask_guardian(pid_t guardian, int number) {
  union sigval value = {.sival_int = number};
  if (sigqueue(guardian, REQUEST, value) != 0) return -1;
  // A stopped one handles the request when it continues.
  return number == SIGKILL ? opool_wake_guardian(guardian) : 0;
}

// A worker, as seen by its guardian.
typedef struct {
  pid_t worker;
  // The process that started the guardian.
  pid_t parent;
  // Whether its program is not the standard worker.
  int is_foreign;
  // Number of steps since the parent ended, or since the end of the worker was requested.
  int steps;
  // The time of the next step; 0 if there is none.
  int64_t due;
} guarded_worker;

static const int64_t millisecond = 1000000;

static void send(const guarded_worker *guarded, int number) {
  // A request is queued. A plain signal is lost where the same one of another process is pending,
  // which that guardian ignores. Only a plain SIGCONT continues a stopped process.
  if (number != SIGCONT && opool_is_guardian(guarded->worker) &&
      opool_ask_guardian(guarded->worker, number) == 0)
    return;
  if (kill(-guarded->worker, number) != 0) kill(guarded->worker, number);
}

// The worker begins no further command.
static void note_end(void) { atomic_store(&opool_the_cleanup->parent_ended, 1); }

// Ends the worker: first by the end of its input, then by force.
static void take_step(guarded_worker *guarded) {
  if (guarded->steps == 0) note_end();
  if (guarded->steps == 0 && !guarded->is_foreign) {
    guarded->due = monotonic_now() + 250 * millisecond;
  } else if (guarded->steps <= 1) {
    send(guarded, SIGTERM);
    guarded->due = monotonic_now() + 750 * millisecond;
    guarded->steps = 1;
  } else if (guarded->steps == 2) {
    send(guarded, SIGKILL);
    guarded->due = monotonic_now() + 500 * millisecond;
  } else {
    kill(guarded->worker, SIGKILL);
    guarded->due = 0;
  }
  guarded->steps++;
}

static int queued_value(const siginfo_t *info) {
  int has_value = info->si_code == SI_QUEUE || info->si_code == SI_TIMER;
  return has_value ? info->si_value.sival_int : 0;
}

static void receive(guarded_worker *guarded, const siginfo_t *info) {
  int number = info->si_signo;
  int value = queued_value(info);
  if (number == REQUEST) {
    send(guarded, value);
    if (value != SIGKILL) return;
    // The step cannot be left to a guardian below this one, which may not act.
    guarded->steps = 3;
    guarded->due = monotonic_now() + 500 * millisecond;
    return;
  }
  // It only wakes this process. A stopped worker would continue for a moment, and answer.
  if (number == SIGCONT && value != 0) return;
  switch (number) {
  case SIGHUP:
  case SIGINT:
  case SIGQUIT:
  case SIGTERM:
  case SIGUSR1:
  case SIGUSR2:
  case SIGTSTP:
    // Another process sends it to all of a run, and the coordinator decides.
    if (info->si_pid != guarded->parent) return;
    send(guarded, number);
    return;
  case SIGCONT:
    send(guarded, number);
  }
}

// Reaps ended descendants of the worker, and the worker; returns whether it has ended.
static int reap(const guarded_worker *guarded, int *status) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return 0;
    // A command becomes a child only by its worker's end. It is left: see `opool_end_unspared`.
    int is_command = info.si_pid == atomic_load(&opool_the_cleanup->group);
    if (!is_command && info.si_pid != guarded->worker) {
      waitpid(info.si_pid, NULL, WNOHANG);
      continue;
    }
    return waitpid(guarded->worker, status, 0) == guarded->worker;
  }
}

// Waits for the next signal; returns 0 when the next step is due.
static int next_signal(const guarded_worker *guarded, siginfo_t *info) {
  sigset_t all;
  sigfillset(&all);
  struct timespec limit = {0, 0};
  int64_t rest = guarded->due == 0 ? 0 : guarded->due - monotonic_now();
  if (rest > 0) limit = (struct timespec){rest / 1000000000, rest % 1000000000};
  if (guarded->due != 0 && rest <= 0) return 0;
  int number = sigtimedwait(&all, info, guarded->due == 0 ? NULL : &limit);
  return number > 0 ? number : 0;
}

// Ends everything when the lease of the worker is over, whatever else is under way.
static void keep_lease(guarded_worker *guarded) {
  int64_t until = atomic_load(&opool_the_cleanup->lease_until);
  if (until == 0 || guarded->steps > 2) return;
  if (opool_lease_clock() < opool_lease_due(until)) {
    if (until == atomic_load(&opool_the_cleanup->lease_seen)) return;
    if (opool_watch_lease(until) == 0) atomic_store(&opool_the_cleanup->lease_seen, until);
    return;
  }
  note_end();
  guarded->steps = 2;
  take_step(guarded);
}

static int await_worker(guarded_worker *guarded) {
  int status = 0;
  while (!reap(guarded, &status)) {
    keep_lease(guarded);
    siginfo_t info = {0};
    int number = next_signal(guarded, &info);
    int is_due = guarded->due != 0 && monotonic_now() >= guarded->due;
    if (is_due || (guarded->steps == 0 && getppid() != guarded->parent)) take_step(guarded);
    // The thread that started this process has ended, and others of a killed parent are still to end.
    // The last of them frees the memory first, and then closes the pipes.
    int is_thread_end = number == PARENT_ENDED && queued_value(&info) == 0;
    if (is_thread_end && guarded->steps == 0 && opool_is_being_killed(guarded->parent)) note_end();
    if (number > 0) receive(guarded, &info);
  }
  return status;
}

// Ends the processes that the worker left, unless it left them on purpose.
static void end_rest(const guarded_worker *guarded, int status) {
  // On a busy machine the last of many take that long. An impatient coordinator kills this process.
  const int64_t limit = 5000 * millisecond;
  if (!guarded->is_foreign) {
    if (atomic_load(&opool_the_cleanup->group) != 0) opool_end_unspared(limit);
    return;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && getppid() == guarded->parent) return;
  // A session of its own, made by another program, may serve others, as a shared connection of ssh
  // does.
  opool_spared spared = {.only_session = getsid(0)};
  opool_end_children(&spared, limit);
}

static _Noreturn void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  // The worker has written a core file if one was wanted.
  opool_forbid_core_file();
  int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  kill(getpid(), number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  _exit(128 + number);
}

// Closes everything by which other processes would take this process for the worker.
static void detach_streams(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int number = 0; number < 3; number++)
    if (null < 0 || dup2(null, number) < 0) close(number);
  if (null > 2) close(null);
  if (chdir("/") != 0) return;
}

static int journal = -1;

// Locks the journal, so that no later run uses it while this process lives. Forked and started
// processes do not have this lock.
static void hold_journal(void) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  if (journal >= 0) (void)fcntl(journal, F_SETLK, &lock);
}

int opool_prepare_guarding(const char *path) {
  if (path) journal = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  hold_journal();
  // If the parent ignores this signal, this process would not be told of its children's ends.
  signal(SIGCHLD, SIG_DFL);
  return opool_adopt_orphans(1) != 0 || opool_share_cleanup() != 0 ? -1 : 0;
}

void opool_guard_worker(pid_t worker, pid_t parent, int is_foreign) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  // The worker leads its own group. So does this process, unless it leads its session.
  setpgid(worker, worker);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, PARENT_ENDED, 0, 0, 0);
  take_name();
  detach_streams();
  guarded_worker guarded = {.worker = worker, .parent = parent, .is_foreign = is_foreign};
  if (getppid() != parent) take_step(&guarded);
  int status = await_worker(&guarded);
  end_rest(&guarded, status);
  end_as(status);
}

int opool_fork_guarded(const char *path) {
  if (guardian_of_this != 0) return 0;
  pid_t parent = getppid();
  sigset_t all;
  sigset_t previous;
  sigfillset(&all);
  if (opool_prepare_guarding(path) != 0) return -1;
  sigprocmask(SIG_SETMASK, &all, &previous);
  pid_t guardian = getpid();
  // Before the worker exists: so a signal by name, or a stop, finds a guardian at any moment.
  prctl(PR_SET_PDEATHSIG, PARENT_ENDED, 0, 0, 0);
  keep_name();
  take_name();
  pid_t worker = fork();
  if (worker > 0) opool_guard_worker(worker, parent, 0);
  if (worker == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() != guardian) _exit(1);
    guardian_of_this = guardian;
    // From now on a signal to all processes of a run does not end this one, nor has Swift handle it.
    opool_install_cleanup(guardian);
    restore_name();
    hold_journal();
  } else {
    restore_name();
    opool_adopt_orphans(0);
  }
  sigprocmask(SIG_SETMASK, &previous, NULL);
  return worker;
}

void opool_start_guarded(int count, char **arguments) {
  static const char journal_option[] = "--journal=";
  static const char pass_option[] = "--pass-fd=";
  const size_t length = sizeof journal_option - 1;
  const char *path = NULL;
  if (count > 1 && strcmp(arguments[1], "launch") == 0) {
    // They wait until the command exists, and then it gets them; Swift handles none.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    return;
  }
  for (int number = 1; number < count; number++) {
    if (number == 1 && strncmp(arguments[1], journal_option, length) == 0)
      path = arguments[1] + length;
    else if (strncmp(arguments[number], pass_option, sizeof pass_option - 1) != 0)
      return;
  }
  // Started by hand: the program only prints how it is used.
  if (isatty(0)) return;
  opool_keep_arguments(count, arguments);
  opool_fork_guarded(path);
}
#else
int opool_is_guardian(pid_t process) {
  (void)process;
  return 0;
}

int opool_wake_guardian(pid_t guardian) { return kill(guardian, SIGCONT); }

int opool_ask_guardian(pid_t guardian, int number) { return kill(guardian, number); }

pid_t opool_own_guardian(void) { return 0; }

int opool_prepare_guarding(const char *path) {
  (void)path;
  errno = ENOSYS;
  return -1;
}

void opool_guard_worker(pid_t worker, pid_t parent, int is_foreign) {
  (void)worker;
  (void)parent;
  (void)is_foreign;
  abort();
}

int opool_fork_guarded(const char *path) {
  (void)path;
  errno = ENOSYS;
  return -1;
}

void opool_start_guarded(int count, char **arguments) {
  (void)count;
  (void)arguments;
}
#endif
