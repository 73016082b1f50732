#define _GNU_SOURCE
#include "child_cleanup.h"
#include "monotonic.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Shared with the guardian if there is one.
static opool_cleanup own_cleanup;
opool_cleanup *opool_the_cleanup = &own_cleanup;

int opool_share_cleanup(void) {
  void *memory =
      mmap(NULL, sizeof(opool_cleanup), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0);
  if (memory == MAP_FAILED) return -1;
  opool_the_cleanup = memory;
  return 0;
}

// Since when groups are stopped, or 0; and for how long they were, before.
static _Atomic int64_t stopped_since, stopped_before;

void opool_set_cleanup_group(pid_t group) {
  atomic_store(&opool_the_cleanup->group, group);
  // One of the two sees the other's change.
  if (group <= 0 || atomic_load(&stopped_since) == 0) return;
  kill(-group, SIGTSTP);
  // They may have been continued in between.
  if (atomic_load(&stopped_since) == 0) kill(-group, SIGCONT);
}

void opool_stop_group(int is_stopped) {
  int64_t since = atomic_load(&stopped_since);
  if ((since != 0) == (is_stopped != 0)) return;
  int64_t now = monotonic_now();
  if (!is_stopped) atomic_fetch_add(&stopped_before, now - since);
  atomic_store(&stopped_since, is_stopped ? now : 0);
  pid_t group = atomic_load(&opool_the_cleanup->group);
  if (group > 0) kill(-group, is_stopped ? SIGTSTP : SIGCONT);
}

int64_t opool_stopped_time(void) {
  int64_t since = atomic_load(&stopped_since);
  return atomic_load(&stopped_before) + (since == 0 ? 0 : monotonic_now() - since);
}

void opool_set_cleanup_children(int ends) { atomic_store(&opool_the_cleanup->ends_children, ends); }

int opool_guardian_saw_end(void) {
  return atomic_load_explicit(&opool_the_cleanup->parent_ended, memory_order_relaxed);
}

static int copy(pid_t *place, const pid_t *numbers, int count) {
  if (count > OPOOL_MOST_SPARED) return -1;
  if (count > 0) memcpy(place, numbers, (size_t)count * sizeof *numbers);
  return 0;
}

void opool_spare(const opool_spared *spared) {
  opool_cleanup *cleanup = opool_the_cleanup;
  int result = copy(cleanup->processes, spared->processes, spared->process_count) |
               copy(cleanup->groups, spared->groups, spared->group_count) |
               copy(cleanup->sessions, spared->sessions, spared->session_count);
  cleanup->process_count = spared->process_count;
  cleanup->group_count = spared->group_count;
  cleanup->session_count = spared->session_count;
  atomic_store(&cleanup->spares_others, result != 0);
}

int opool_end_unspared(int64_t nanoseconds) {
  opool_cleanup *cleanup = opool_the_cleanup;
  // The command is killed and not reaped: if this process is killed, too, its number tells the
  // process that adopts the rest which ones are older, and which are not.
  pid_t group = atomic_load(&cleanup->group);
  int is_ending = 0;
  pid_t processes[OPOOL_MOST_SPARED + 1];
  int count = 0;
  if (group > 0) {
    kill(-group, SIGKILL);
    is_ending = kill(group, SIGKILL) == 0;
    processes[count++] = group;
  }
  // Too many to list: only the group is ended.
  if (atomic_load(&cleanup->spares_others)) {
    if (is_ending) opool_await_child(group, nanoseconds);
    return 0;
  }
  memcpy(processes + count, cleanup->processes, (size_t)cleanup->process_count * sizeof *processes);
  count += cleanup->process_count;
  opool_spared spared = {processes, cleanup->groups,      cleanup->sessions,
                         count,     cleanup->group_count, cleanup->session_count};
  if (is_ending) {
    // Those that were adopted before need not wait for it.
    opool_end_children(&spared, 0);
    // Its children become children of this process when it ends.
    opool_await_child(group, nanoseconds);
  }
  return opool_end_children(&spared, nanoseconds);
}

static atomic_flag has_begun_end = ATOMIC_FLAG_INIT;

// Half a second is shorter than any other process waits for the end of this one.
static const int64_t usual_limit = 500000000;
// After the guardian has ended, no other process does this, and on a busy machine many take long.
static const int64_t orphan_limit = 5000000000;

static void end_guarded(int number, int64_t limit) {
  // Another thread does this already; a second signal must not interrupt it.
  while (atomic_flag_test_and_set(&has_begun_end)) pause();
  pid_t group;
  // A command that is being spawned may execute before its group is known here. The thread that
  // spawns it blocks all signals, so that this is another thread, and may wait.
  while ((group = atomic_load(&opool_the_cleanup->group)) == OPOOL_GROUP_TO_COME) sched_yield();
  if (group > 0) kill(-group, SIGKILL);
  if (atomic_load(&opool_the_cleanup->ends_children)) opool_end_unspared(limit);
  // Ends this process, with a status that tells the signal.
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}

static pid_t parent_of_this;
static atomic_int has_far_coordinator;

void opool_obey_others(void) { atomic_store(&has_far_coordinator, 1); }

// Service managers and batch systems send signals to all processes of a run at once. What becomes of
// the commands is for the coordinator to decide: so a signal of any process but the guardian has no
// effect while that lives. A coordinator on another machine does not get the signal: there the batch
// system ends this worker, and not the command by itself.
static void end_if_asked(int number, siginfo_t *info, void *context) {
  (void)context;
  int is_guarded = opool_own_guardian() != 0 && getppid() == parent_of_this;
  int is_near = !atomic_load(&has_far_coordinator);
  // The timer of a lease is this process's own.
  int is_timer = info->si_code == SI_TIMER;
  if (is_guarded && is_near && !is_timer && info->si_pid != parent_of_this) return;
  end_guarded(number, usual_limit);
}

// The parent has ended, or this process was stopped and continues.
static void look_for_parent(int number) {
  (void)number;
  if (getppid() != parent_of_this) end_guarded(SIGTERM, orphan_limit);
}

int opool_install_cleanup(pid_t parent) {
  parent_of_this = parent;
  const int ending[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};
  const size_t count = sizeof ending / sizeof *ending;
  struct sigaction action = {0};
  // No handler may interrupt another one, which would then wait forever.
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGCONT);
  for (size_t place = 0; place < count; place++) sigaddset(&action.sa_mask, ending[place]);
  action.sa_sigaction = end_if_asked;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  for (size_t place = 0; place < count; place++) {
    int is_needed = opool_own_guardian() != 0 && !opool_is_ignored(ending[place]);
    if (ending[place] != SIGTERM && !is_needed) continue;
    if (sigaction(ending[place], &action, NULL) != 0) return -1;
  }
  action.sa_handler = look_for_parent;
  action.sa_flags = SA_RESTART;
  if (sigaction(SIGCONT, &action, NULL) != 0) return -1;
  // A stopped process receives only this signal.
  if (opool_set_death_signal(SIGCONT) != 0) return -1;
  if (getppid() != parent) raise(SIGTERM);
  return 0;
}
