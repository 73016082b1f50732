// State shared by a worker and its guardian. Private to this module.

#ifndef OPOOL_CHILD_CLEANUP_H
#define OPOOL_CHILD_CLEANUP_H

#include "CPoolSystem.h"

#include <stdatomic.h>

/// Maximum number of listed processes, groups and sessions.
#define OPOOL_MOST_SPARED 512

/// The processes that end with a worker, and the spared ones.
typedef struct {
  /// The group of the executing command; 0 if there is none.
  _Atomic pid_t group;
  /// Whether all children but the spared ones end with this process.
  atomic_int ends_children;
  /// Whether there are more to spare than the list can hold.
  atomic_int spares_others;
  /// Whether the guardian has seen the end of the process that started it.
  atomic_int parent_ended;
  /// When everything must have ended, by the clock of leases; 0 for never.
  _Atomic int64_t lease_until;
  /// The same, as the guardian has last seen it.
  _Atomic int64_t lease_seen;
  int process_count;
  int group_count;
  int session_count;
  pid_t processes[OPOOL_MOST_SPARED];
  pid_t groups[OPOOL_MOST_SPARED];
  pid_t sessions[OPOOL_MOST_SPARED];
} opool_cleanup;

extern opool_cleanup *opool_the_cleanup;

/// Keeps the arguments of this program; called before its constructors if necessary.
void opool_keep_arguments(int count, char **list);

/// Puts this state into memory that a forked child shares.
int opool_share_cleanup(void);

/// Kills all children that are not spared, as `opool_end_children` does.
int opool_end_unspared(int64_t nanoseconds);

#endif
