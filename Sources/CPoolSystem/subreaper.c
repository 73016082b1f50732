#define _GNU_SOURCE
#include "CPoolSystem.h"
#include "monotonic.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

// The first thread adopts orphans, and the children of threads that have ended.
static char children_path[64];
static pid_t children_parent;

int opool_adopt_orphans(int adopts) {
  if (children_parent != getpid()) {
    snprintf(children_path, sizeof children_path, "/proc/self/task/%d/children", (int)getpid());
    if (!opool_numbers_match_proc() || access(children_path, R_OK) != 0) return -1;
    children_parent = getpid();
  }
  return prctl(PR_SET_CHILD_SUBREAPER, adopts, 0, 0, 0);
}

// Calls the visitor with each listed child. Nothing here or below takes a lock or memory, since a
// signal handler uses it, too.
static int visit(const char *path, void (*visitor)(pid_t, void *), void *context) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[1024];
  ssize_t count;
  pid_t child = 0;
  while ((count = read(file, text, sizeof text)) > 0) {
    for (ssize_t index = 0; index < count; index++) {
      if (text[index] >= '0' && text[index] <= '9') {
        child = child * 10 + (text[index] - '0');
      } else if (child > 0) {
        visitor(child, context);
        child = 0;
      }
    }
  }
  close(file);
  return 0;
}

static int visit_children(void (*visitor)(pid_t, void *), void *context) {
  return visit(children_path, visitor, context);
}

typedef struct {
  pid_t *children;
  int capacity;
  int count;
} listing;

static void list(pid_t child, void *context) {
  listing *all = context;
  if (all->count < all->capacity) all->children[all->count] = child;
  all->count++;
}

int opool_list_children(pid_t parent, pid_t *children, int capacity) {
  listing all = {children, capacity, 0};
  if (!opool_numbers_match_proc()) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
  return visit(path, list, &all) == 0 ? all.count : 0;
}

static int contains(const pid_t *numbers, int count, pid_t number) {
  for (int index = 0; index < count; index++)
    if (numbers[index] == number) return 1;
  return 0;
}

static int is_spared(const opool_spared *spared, pid_t child) {
  if (spared->only_session > 0 && spared->only_session != getsid(child)) return 1;
  return contains(spared->processes, spared->process_count, child) ||
         contains(spared->groups, spared->group_count, getpgid(child)) ||
         contains(spared->sessions, spared->session_count, getsid(child));
}

#define MOST_AT_ONCE 64

typedef struct {
  const opool_spared *spared;
  pid_t killed[MOST_AT_ONCE];
  int count;
  int refusals;
} kill_round;

static void kill_unless_spared(pid_t child, void *context) {
  kill_round *all = context;
  if (all->spared && is_spared(all->spared, child)) return;
  // Its number is not reused until it is reaped here. A process of another user refuses.
  if (kill(child, SIGKILL) != 0)
    all->refusals++;
  else if (all->count < MOST_AT_ONCE)
    all->killed[all->count++] = child;
}

// Pauses for processes whose ends cannot be waited for.
static void pause_for(int64_t nanoseconds) {
  struct timespec time = {0, (long)(nanoseconds < 1000000 ? nanoseconds : 1000000)};
  nanosleep(&time, NULL);
}

// Waits until one of the killed processes has ended, or until the deadline.
static void await_one(const kill_round *all, int64_t deadline) {
  int64_t rest = deadline - monotonic_now();
  if (rest <= 0) return;
  struct pollfd ends[MOST_AT_ONCE];
  int count = 0;
  for (int index = 0; index < all->count; index++) {
    int file = (int)syscall(SYS_pidfd_open, all->killed[index], 0U);
    if (file >= 0) ends[count++] = (struct pollfd){file, POLLIN, 0};
  }
  if (count > 0)
    poll(ends, (nfds_t)count, (int)(rest / 1000000) + 1);
  else
    pause_for(rest);
  for (int index = 0; index < count; index++) close(ends[index].fd);
}

// Reaps killed processes that have ended; returns whether there were any.
static int reap_killed(const kill_round *all) {
  int count = 0;
  for (int index = 0; index < all->count; index++)
    if (waitpid(all->killed[index], NULL, WNOHANG) != 0) count++;
  return count > 0;
}

void opool_await_child(pid_t child, int64_t nanoseconds) {
  int64_t deadline = monotonic_now() + nanoseconds;
  kill_round one = {.killed = {child}, .count = 1};
  int code;
  int signal;
  // If no process can be opened, without free descriptors or on an old system, it pauses instead.
  do await_one(&one, deadline);
  while (opool_has_ended(child, &code, &signal) == 0 && monotonic_now() < deadline);
}

int opool_end_child(pid_t child, int64_t nanoseconds) {
  if (kill(child, SIGKILL) != 0) return 0;
  opool_await_child(child, nanoseconds);
  return waitpid(child, NULL, WNOHANG) != 0;
}

static int has_children(void) {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

int opool_end_children(const opool_spared *spared, int64_t nanoseconds) {
  int64_t deadline = monotonic_now() + nanoseconds;
  int was_empty = 0;
  // The children of a child become children by its end, so that this reaches all descendants. One
  // that does not end delays no other.
  for (;;) {
    kill_round all = {.spared = spared};
    if (visit_children(kill_unless_spared, &all) != 0) {
      // Too many files may be open now, and fewer in a moment.
      if (errno != EMFILE && errno != ENFILE) return 0;
      pause_for(1000000);
      if (monotonic_now() >= deadline) return 0;
      continue;
    }
    if (all.count > 0) was_empty = 0;
    if (all.count == 0) {
      if (all.refusals > 0) return 0;
      // The list may lack some children if others ended meanwhile.
      if (spared ? was_empty : !has_children()) return 1;
      was_empty = 1;
      pause_for(1000000);
    } else if (!reap_killed(&all)) {
      await_one(&all, deadline);
      reap_killed(&all);
    }
    // They may start new ones faster than these end.
    if (monotonic_now() >= deadline) return 0;
  }
}

#else
int opool_adopt_orphans(int adopts) {
  (void)adopts;
  errno = ENOSYS;
  return -1;
}

void opool_await_child(pid_t child, int64_t nanoseconds) {
  (void)child;
  (void)nanoseconds;
}

int opool_end_child(pid_t child, int64_t nanoseconds) {
  (void)child;
  (void)nanoseconds;
  return 0;
}

int opool_list_children(pid_t parent, pid_t *children, int capacity) {
  (void)parent;
  (void)children;
  (void)capacity;
  return 0;
}

int opool_end_children(const opool_spared *spared, int64_t nanoseconds) {
  (void)spared;
  (void)nanoseconds;
  return 0;
}
#endif

int opool_reap_ended(void) {
  pid_t child;
  while ((child = waitpid(-1, NULL, WNOHANG)) > 0) continue;
  return child == 0;
}

void opool_reap_orphan(pid_t child) { (void)waitpid(child, NULL, WNOHANG); }
