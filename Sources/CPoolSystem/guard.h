// What a worker and its guardian share. Private to this module.

#ifndef OPOOL_GUARD_H
#define OPOOL_GUARD_H

#include "CPoolSystem.h"

#include <stdatomic.h>

/// The most processes, groups and sessions that are told apart.
#define OPOOL_MOST_SPARED 512

/// What is to end with a worker, and what is not.
typedef struct {
  /// The group of the command that executes; 0 where none does.
  _Atomic pid_t group;
  /// Whether all children but those that are spared end with this process.
  atomic_int guards_children;
  /// Whether there is more to spare than can be told apart.
  atomic_int spares_others;
  int process_count;
  int group_count;
  int session_count;
  pid_t processes[OPOOL_MOST_SPARED];
  pid_t groups[OPOOL_MOST_SPARED];
  pid_t sessions[OPOOL_MOST_SPARED];
} opool_guard;

extern opool_guard *opool_the_guard;

/// Keeps the arguments of this program, before its constructors where it has to be.
void opool_keep_arguments(int count, char **list);

/// Has the guard lie in memory that a process which is forked from here shares.
int opool_share_guard(void);

/// Kills all children that are not spared, as `opool_end_children` does.
int opool_end_guarded(int64_t nanoseconds);

#endif
