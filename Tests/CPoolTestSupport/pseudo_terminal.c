#define _GNU_SOURCE
#include "CPoolTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/ttycom.h>
#endif

int opool_open_terminal(int columns, char *path, int capacity) {
  int descriptor = posix_openpt(O_RDWR | O_NOCTTY);
  if (descriptor < 0) return -1;
  struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
  const char *name = NULL;
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && grantpt(descriptor) == 0 &&
      unlockpt(descriptor) == 0 && ioctl(descriptor, TIOCSWINSZ, &size) == 0)
    name = ptsname(descriptor);
  if (name && strlen(name) < (size_t)capacity) {
    strcpy(path, name);
    return descriptor;
  }
  close(descriptor);
  return -1;
}

static int set_session(posix_spawnattr_t *attributes) {
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
  int code = posix_spawnattr_setflags(attributes, (short)flags);
  if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
  if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
  return code;
}

int opool_spawn_on_terminal(const char *terminal, const char *directory, char *const *arguments,
                            char *const *environment, pid_t *child) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int code = posix_spawnattr_init(&attributes);
  if (code != 0) return code;
  code = posix_spawn_file_actions_init(&actions);
  if (code == 0) {
    code = set_session(&attributes);
    // The first terminal that the leader of a session opens becomes the session's.
    if (code == 0) code = posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, 0, 1);
    if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, 0, 2);
    if (code == 0) code = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (code == 0)
      code = posix_spawn(child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return code;
}
