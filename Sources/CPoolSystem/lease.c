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

typedef struct {
  timer_t number;
  int exists;
} lease_timer;

// Sends this process a signal at a time, and then in intervals, if there are any; makes the timer
// with the first call. A time of 0 stops it. Of a time that is over, it fires at once.
static int set_timer(lease_timer *timer, int number, int64_t time, int64_t interval) {
  if (!timer->exists) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    event.sigev_value.sival_int = number;
    if (timer_create(CLOCK_BOOTTIME, &event, &timer->number) != 0) return -1;
    timer->exists = 1;
  }
  struct itimerspec setting = {.it_value = {time / 1000000000, time % 1000000000},
                               .it_interval = {interval / 1000000000, interval % 1000000000}};
  return timer_settime(timer->number, TIMER_ABSTIME, &setting, NULL);
}

// A process has one of each at most, and a forked one none.
static lease_timer first_timer, last_timer;

int opool_watch_lease(int64_t until) {
  int64_t first = until == 0 ? 0 : opool_lease_due(until);
  // The only signal that a stopped process acts on; it stays alive to end the rest, also of a worker
  // that was killed, and of a machine that has slept for longer than the lease.
  return set_timer(&first_timer, SIGCONT, first, 100 * millisecond);
}

int64_t opool_lease_due(int64_t until) { return until - 2000 * millisecond; }

int opool_is_lease_shared(void) {
  if (opool_own_guardian() == 0) return 1;
  opool_cleanup *cleanup = opool_the_cleanup;
  return atomic_load(&cleanup->lease_seen) == atomic_load(&cleanup->lease_until);
}

int opool_set_lease(int64_t until) {
  opool_cleanup *cleanup = opool_the_cleanup;
  if (!opool_is_lease_shared()) {
    errno = EAGAIN;
    return -1;
  }
  if (until == atomic_load(&cleanup->lease_until)) return 0;
  int64_t first = opool_lease_due(until);
  if (set_timer(&first_timer, SIGTERM, first, 0) != 0) return -1;
  // If this process is stopped. Its guardian ends the rest.
  if (set_timer(&last_timer, SIGKILL, first + 500 * millisecond, 0) != 0) return -1;
  atomic_store(&cleanup->lease_until, until);
  if (opool_own_guardian() != 0) opool_wake_guardian(opool_own_guardian());
  return 0;
}
#else
int64_t opool_lease_clock(void) { return 0; }

int opool_is_lease_shared(void) { return 1; }

int opool_set_lease(int64_t until) {
  (void)until;
  errno = ENOSYS;
  return -1;
}
#endif
