#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#ifdef __linux__
#include <malloc.h>
#endif
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// From linux/close_range.h and linux/ioprio.h, which older headers do not have.
#define OPOOL_CLOSE_RANGE_CLOEXEC (1U << 2)
#define OPOOL_IOPRIO_WHO_PROCESS 1
#define OPOOL_IOPRIO_IDLE (3 << 13)
#else
#include <pthread/qos.h>

extern char **environ;
#endif

int opool_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

void opool_return_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

int opool_pipe_room(int descriptor) {
#ifdef __linux__
  return fcntl(descriptor, F_GETPIPE_SZ);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int opool_set_pipe_room(int descriptor, int room) {
#ifdef __linux__
  return fcntl(descriptor, F_SETPIPE_SZ, room);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int opool_mark_close_on_exec_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  return (int)syscall(SYS_close_range, (unsigned)first, ~0U, OPOOL_CLOSE_RANGE_CLOEXEC);
#else
  (void)first;
  errno = ENOSYS;
  return -1;
#endif
}

int opool_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return INT_MAX;
  return (int)limit.rlim_cur;
}

void opool_close_beyond_limit(void) {
  int limit = opool_descriptor_limit();
  if (limit >= 1 << 20) return;
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)limit, ~0U, 0U) == 0) return;
#endif
  for (int descriptor = limit; descriptor < 1 << 16; descriptor++) close(descriptor);
}

int opool_open_unnamed(const char *directory) {
#ifdef O_TMPFILE
  return open(directory, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
#else
  (void)directory;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int opool_open_named(char *template) { return mkostemp(template, O_APPEND | O_CLOEXEC); }

int opool_open_memory_file(void) {
#if defined(__linux__) && defined(MFD_CLOEXEC)
  int memory = memfd_create("opool-output", MFD_CLOEXEC);
  if (memory < 0) return -1;
  // Like other temporary files: private, and in append mode.
  if (fchmod(memory, 0600) == 0 && fcntl(memory, F_SETFL, O_APPEND) == 0) return memory;
  int code = errno;
  close(memory);
  errno = code;
#else
  errno = ENOSYS;
#endif
  return -1;
}

int opool_open_memory(int64_t size) {
#if defined(__linux__) && defined(MFD_ALLOW_SEALING)
  int memory = memfd_create("opool-outbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  // Another process could shorten it, and reading beyond the end of a mapped file kills.
  if (ftruncate(memory, (off_t)size) == 0 &&
      fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return memory;
  int code = errno;
  close(memory);
  errno = code;
#else
  (void)size;
  errno = ENOSYS;
#endif
  return -1;
}

int opool_name_thread(const char *name) {
#ifdef __linux__
  return pthread_setname_np(pthread_self(), name);
#else
  return pthread_setname_np(name);
#endif
}

int opool_set_death_signal(int signal) {
#ifdef __linux__
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
#else
  (void)signal;
  return 0;
#endif
}

int opool_allowed_processors(void) {
#ifdef __linux__
  // The kernel refuses a set that is smaller than its own.
  for (int capacity = 1024; capacity <= 1 << 18; capacity *= 4) {
    cpu_set_t *set = CPU_ALLOC(capacity);
    if (!set) return -1;
    size_t size = CPU_ALLOC_SIZE(capacity);
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : -1;
    int code = errno;
    CPU_FREE(set);
    if (count > 0 || code != EINVAL) return count;
  }
#endif
  return -1;
}

#ifdef __linux__
// Whether the calling thread was lowered: found out once per thread.
static _Thread_local enum { UNKNOWN, USUAL, LOW, LOWERED } standing;
#endif

static int lower(pid_t process, int nice) {
#ifdef __linux__
  errno = 0;
  int current = getpriority(PRIO_PROCESS, (id_t)process);
  if (current == -1 && errno != 0) return -1;
  return setpriority(PRIO_PROCESS, (id_t)process, current + nice);
#else
  (void)process;
  (void)nice;
  return 0;
#endif
}

void opool_lower_process(pid_t process, int nice, int idle_input_output) {
#ifdef __linux__
  // A process that cannot be lowered is executed nevertheless.
  if (nice > 0) (void)lower(process, nice);
  if (idle_input_output)
    (void)syscall(SYS_ioprio_set, OPOOL_IOPRIO_WHO_PROCESS, process, OPOOL_IOPRIO_IDLE);
#else
  (void)process;
  (void)nice;
  (void)idle_input_output;
#endif
}

int opool_count_locks(int change) {
  static _Thread_local int locks;
  return locks += change;
}

int opool_is_lowered(void) {
#ifdef __linux__
  if (standing == UNKNOWN) {
    // The first thread has the number of the process, and 0 is the calling one.
    id_t first = (id_t)getpid();
    standing = getpriority(PRIO_PROCESS, 0) > getpriority(PRIO_PROCESS, first) ? LOW : USUAL;
  }
  return standing == LOWERED ? 2 : standing == LOW;
#else
  return 0;
#endif
}

int opool_lower_thread(int nice) {
#ifdef __linux__
  // On Linux the niceness belongs to the thread, and 0 is the calling one.
  int code = lower(0, nice);
  if (code == 0) standing = LOWERED;
  return code;
#else
  return pthread_set_qos_class_self_np(nice < 10 ? QOS_CLASS_UTILITY : QOS_CLASS_BACKGROUND, 0);
#endif
}

int opool_raise_thread(int nice) {
#ifdef __linux__
  return lower(0, -nice) == 0;
#else
  (void)nice;
  return 1;
#endif
}

int opool_set_idle_input_output(void) {
#ifdef __linux__
  return (int)syscall(SYS_ioprio_set, OPOOL_IOPRIO_WHO_PROCESS, 0, OPOOL_IOPRIO_IDLE);
#else
  return 0;
#endif
}

int opool_await_end(pid_t child) {
  siginfo_t info;
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
}

int opool_has_ended(pid_t child, int *code, int *signal) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) != 0) return -1;
  *code = info.si_code == CLD_EXITED ? info.si_status : -1;
  *signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
  return info.si_pid == child;
}

int opool_reap(pid_t child, int *code, int *signal, int64_t usage[3]) {
  int status = 0;
  struct rusage consumed;
  if (wait4(child, &status, 0, &consumed) != child) return -1;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  usage[0] = (int64_t)consumed.ru_utime.tv_sec * 1000000 + consumed.ru_utime.tv_usec;
  usage[1] = (int64_t)consumed.ru_stime.tv_sec * 1000000 + consumed.ru_stime.tv_usec;
#ifdef __linux__
  usage[2] = (int64_t)consumed.ru_maxrss * 1024;
#else
  usage[2] = (int64_t)consumed.ru_maxrss;
#endif
  return 0;
}

int opool_await_signal(const sigset_t *signals, int64_t nanoseconds) {
#ifdef __linux__
  if (nanoseconds < 0) return sigwaitinfo(signals, NULL);
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return sigtimedwait(signals, NULL, &limit);
#else
  // There is no sigtimedwait: an alarm ends the wait instead.
  int signal = 0;
  sigset_t set = *signals;
  sigaddset(&set, SIGALRM);
  if (nanoseconds >= 0) {
    struct itimerval timer = {
        {0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000 / 1000 + 1}};
    setitimer(ITIMER_REAL, &timer, NULL);
  }
  int code = sigwait(&set, &signal);
  if (code == 0 && signal != SIGALRM) return signal;
  errno = code == 0 ? EAGAIN : code;
  return -1;
#endif
}

char **opool_environment(void) { return environ; }

void opool_reset_signals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
}

void opool_forbid_core_file(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}
