#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int new_socket(void) {
#ifdef __linux__
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0) return -1;
  int on = 1;
  fcntl(made, F_SETFD, FD_CLOEXEC);
  setsockopt(made, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return made;
#endif
}

// Fills an address; fails where the path is longer than one can be.
static int set_path(struct sockaddr_un *address, const char *path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

static int limit(int descriptor, int option, int milliseconds) {
  struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  return setsockopt(descriptor, SOL_SOCKET, option, &time, sizeof time);
}

int opool_limit_socket(int descriptor, int milliseconds) {
  int received = limit(descriptor, SO_RCVTIMEO, milliseconds);
  return limit(descriptor, SO_SNDTIMEO, milliseconds) | received;
}

int opool_listen(const char *path) {
  struct sockaddr_un address;
  if (set_path(&address, path) != 0) return -1;
  int made = new_socket();
  if (made < 0) return -1;
  if (bind(made, (struct sockaddr *)&address, sizeof address) == 0 && listen(made, 16) == 0) {
    return made;
  }
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

int opool_accept(int listener) {
#ifdef __linux__
  return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
  int made = accept(listener, NULL, NULL);
  if (made >= 0) fcntl(made, F_SETFD, FD_CLOEXEC);
  return made;
#endif
}

int opool_connect(const char *path, int milliseconds) {
  struct sockaddr_un address;
  if (set_path(&address, path) != 0) return -1;
  int made = new_socket();
  if (made < 0) return -1;
  if (opool_limit_socket(made, milliseconds) == 0 &&
      connect(made, (struct sockaddr *)&address, sizeof address) == 0) {
    return made;
  }
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

pid_t opool_peer_process(int socket) {
#ifdef __linux__
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
  return credentials.pid;
#else
  pid_t process = -1;
  socklen_t length = sizeof process;
  if (getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &process, &length) != 0) return -1;
  return process;
#endif
}

int opool_peer_user(int socket, uid_t *user) {
#ifdef __linux__
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
  *user = credentials.uid;
  return 0;
#else
  gid_t group;
  return getpeereid(socket, user, &group);
#endif
}
