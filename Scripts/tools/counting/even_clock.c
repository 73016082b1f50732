// Time that goes on evenly, however long things take. Loaded with LD_PRELOAD by
// Scripts/instructions: what a pool decides by the time is then the same in each run.
//
// A clock goes on by a microsecond each time it is read. A look at descriptors of which none is
// ready waits for one, so that it is no matter how often a pool must look before a worker answers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <time.h>

// Long enough for a worker's answer, short enough where nothing is to come.
#define PATIENCE_MILLISECONDS 20

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static _Atomic long looks;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  if (clock != CLOCK_MONOTONIC) return real(clock, time);
  long now = 1000000000 + atomic_fetch_add(&looks, 1) * 1000;
  time->tv_sec = now / 1000000000;
  time->tv_nsec = now % 1000000000;
  return 0;
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  static int (*real)(struct pollfd *, nfds_t, int);
  if (!real) real = dlsym(RTLD_NEXT, "poll");
  return real(descriptors, count, timeout == 0 ? PATIENCE_MILLISECONDS : timeout);
}
