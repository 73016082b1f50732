// A clock that goes on by a microsecond each time it is read. Loaded with LD_PRELOAD by
// Scripts/instructions: what a pool decides by the time is then the same in each run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <time.h>

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
