// Pseudo-terminals, in place of a person's: only tests open them.

#ifndef OPOOL_CPOOLTESTSUPPORT_H
#define OPOOL_CPOOLTESTSUPPORT_H

#include <sys/types.h>

/// Opens a new pseudo-terminal with that width, close-on-exec, and returns the path of its other
/// side.
int opool_open_terminal(int columns, char *path, int capacity);

/// Starts a program in a folder and in a new session with that terminal, which is its standard
/// streams. Returns 0 or the error number.
int opool_spawn_on_terminal(const char *terminal, const char *directory, char *const *arguments,
                            char *const *environment, pid_t *child);

#endif
