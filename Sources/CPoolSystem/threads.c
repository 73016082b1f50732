#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>

// From linux/ioprio.h, which older headers do not have.
#define OPOOL_IOPRIO_WHO_PROCESS 1
#define OPOOL_IOPRIO_IDLE (3 << 13)

// Of libdispatch, for the run loop of CoreFoundation: a descriptor that is readable while the main
// queue has something to execute, and its execution.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *unused);
#else
#include <pthread/qos.h>
#endif

int opool_name_thread(const char *name) {
#ifdef __linux__
  return pthread_setname_np(pthread_self(), name);
#else
  return pthread_setname_np(name);
#endif
}

void opool_call_in_thread(void (*body)(void *), void (*ended)(void *), void *context) {
  pthread_cleanup_push(ended, context);
  body(context);
  pthread_cleanup_pop(0);
}

size_t opool_main_stack_size(void) {
  struct rlimit limit;
  const size_t most = (size_t)1 << 30, least = 512 << 10;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur > most) return most;
  return limit.rlim_cur < least ? least : (size_t)limit.rlim_cur;
}

#ifdef __linux__
long opool_thread_number(void) { return syscall(SYS_gettid); }

int opool_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

void opool_serve_main_queue(void) {
  struct pollfd queue = {.fd = _dispatch_get_main_queue_handle_4CF(), .events = POLLIN};
  sigset_t all;
  sigfillset(&all);
  // Signals are for the thread that executes operations.
  if (ppoll(&queue, 1, NULL, &all) != 1) return;
  uint64_t count;
  if (read(queue.fd, &count, sizeof count) > 0) _dispatch_main_queue_callback_4CF(NULL);
}
#endif

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
