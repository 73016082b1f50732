#ifndef OPOOL_MONOTONIC_H
#define OPOOL_MONOTONIC_H

#include <stdint.h>
#include <time.h>

// The monotonic clock in nanoseconds, also for signal handlers.
static inline int64_t monotonic_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
