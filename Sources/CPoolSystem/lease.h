// How a guardian keeps the lease of its worker. Private to this module.

#ifndef OPOOL_LEASE_H
#define OPOOL_LEASE_H

#include <stdint.h>

/// When the end of what a worker executes begins, for a lease that ends at a time.
int64_t opool_lease_due(int64_t until);

/// Lets the system send this process SIGCONT from then on, again and again, also if it is stopped;
/// replaces an earlier time. A time of 0 takes it back.
int opool_watch_lease(int64_t until);

#endif
