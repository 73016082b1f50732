// The two timers by which a process ends when its lease does. Private to this module.

#ifndef OPOOL_LEASE_H
#define OPOOL_LEASE_H

#include <stdint.h>

/// When the end of what a worker executes begins, for a lease that ends at a time.
int64_t opool_lease_due(int64_t until);

/// Lets the system send this process a signal when that is due, and SIGKILL a margin before the
/// lease ends, even if it is stopped; replaces earlier times. A time of 0 takes both back.
int opool_arm_lease(int number, int64_t until, int64_t margin);

#endif
