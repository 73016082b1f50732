#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Shared with the guardian where there is one.
static opool_guard own_guard;
opool_guard *opool_the_guard = &own_guard;

int opool_share_guard(void) {
  void *memory =
      mmap(NULL, sizeof(opool_guard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
  if (memory == MAP_FAILED) return -1;
  opool_the_guard = memory;
  return 0;
}

void opool_guard_group(pid_t group) { atomic_store(&opool_the_guard->group, group); }

void opool_guard_children(int guards) { atomic_store(&opool_the_guard->guards_children, guards); }

static int copy(pid_t *place, const pid_t *numbers, int count) {
  if (count > OPOOL_MOST_SPARED) return -1;
  if (count > 0) memcpy(place, numbers, (size_t)count * sizeof *numbers);
  return 0;
}

void opool_spare(const opool_spared *spared) {
  opool_guard *guard = opool_the_guard;
  int result = copy(guard->processes, spared->processes, spared->process_count) |
               copy(guard->groups, spared->groups, spared->group_count) |
               copy(guard->sessions, spared->sessions, spared->session_count);
  guard->process_count = spared->process_count;
  guard->group_count = spared->group_count;
  guard->session_count = spared->session_count;
  atomic_store(&guard->spares_others, result != 0);
}

int opool_end_guarded(int64_t nanoseconds) {
  opool_guard *guard = opool_the_guard;
  // More than can be told apart: none of them is ended, beyond the group.
  if (atomic_load(&guard->spares_others)) return 0;
  opool_spared spared = {guard->processes,     guard->groups,      guard->sessions,
                         guard->process_count, guard->group_count, guard->session_count};
  int spares = spared.process_count + spared.group_count + spared.session_count > 0;
  return opool_end_children(spares ? &spared : NULL, nanoseconds);
}

static atomic_flag has_begun_end = ATOMIC_FLAG_INIT;

static void end_guarded_group(int number) {
  // Another thread is at it, which a second signal must not cut short.
  while (atomic_flag_test_and_set(&has_begun_end)) pause();
  pid_t group;
  // A command that is being spawned has begun to execute before its group is known here. The
  // thread that spawns it lets no signal in, so that this is another one and may wait.
  while ((group = atomic_load(&opool_the_guard->group)) == OPOOL_GROUP_TO_COME) sched_yield();
  if (group > 0) kill(-group, SIGKILL);
  // Half a second, which is less than anything gives this process that waits for its end.
  if (atomic_load(&opool_the_guard->guards_children)) opool_end_guarded(500000000);
  // This ends the process, and its status tells why.
  signal(number, SIG_DFL);
  raise(number);
}

int opool_install_group_guard(void) {
  struct sigaction action = {0};
  action.sa_handler = end_guarded_group;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGTERM, &action, NULL);
}
