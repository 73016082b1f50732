#define _GNU_SOURCE
#include "child_cleanup.h"
#include "lease.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#ifdef __linux__

static const int64_t millisecond = 1000000;

int64_t opool_lease_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Sends this process a signal at a time; makes the timer with the first call. A time of 0 stops it.
static int set_timer(timer_t *timer, int *exists, int number, int64_t time) {
  if (!*exists) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    if (timer_create(CLOCK_BOOTTIME, &event, timer) != 0) return -1;
    *exists = 1;
  }
  struct itimerspec setting = {.it_value = {time / 1000000000, time % 1000000000}};
  return timer_settime(*timer, TIMER_ABSTIME, &setting, NULL);
}

// A process has only one of each, and a forked one none.
static timer_t first_timer, last_timer;
static int has_first, has_last;

int opool_arm_lease(int number, int64_t until, int64_t margin) {
  int64_t first = until == 0 ? 0 : opool_lease_due(until);
  int64_t last = until == 0 ? 0 : until - margin;
  // Of a time that is over, the timers fire at once.
  if (until != 0 && first < 1) first = 1;
  if (until != 0 && last < 1) last = 1;
  if (set_timer(&last_timer, &has_last, SIGKILL, last) != 0) return -1;
  return set_timer(&first_timer, &has_first, number, first);
}

int64_t opool_lease_due(int64_t until) { return until - 2000 * millisecond; }

int opool_is_lease_shared(void) {
  if (opool_own_guardian() == 0) return 1;
  opool_cleanup *cleanup = opool_the_cleanup;
  return atomic_load(&cleanup->lease_seen) == atomic_load(&cleanup->lease_until);
}

int opool_extend_lease(int64_t until) {
  opool_cleanup *cleanup = opool_the_cleanup;
  if (!opool_is_lease_shared()) {
    errno = EAGAIN;
    return -1;
  }
  if (until <= atomic_load(&cleanup->lease_until)) return 0;
  if (opool_arm_lease(SIGTERM, until, 1500 * millisecond) != 0) return -1;
  atomic_store(&cleanup->lease_until, until);
  if (opool_own_guardian() != 0) opool_wake_guardian(opool_own_guardian());
  return 0;
}
#else
int64_t opool_lease_clock(void) { return 0; }

int opool_is_lease_shared(void) { return 1; }

int opool_extend_lease(int64_t until) {
  (void)until;
  errno = ENOSYS;
  return -1;
}
#endif
