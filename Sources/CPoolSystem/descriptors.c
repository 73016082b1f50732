#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/syscall.h>

// From linux/close_range.h, which older headers do not have.
#define OPOOL_CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

int opool_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int opool_socket_pair(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    int on = 1;
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[end], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  }
  return 0;
#endif
}

ssize_t opool_send(int socket, const void *bytes, size_t count) {
#ifdef __linux__
  return send(socket, bytes, count, MSG_NOSIGNAL);
#else
  return send(socket, bytes, count, 0);
#endif
}

int opool_pipe_capacity(int descriptor) {
#ifdef __linux__
  return fcntl(descriptor, F_GETPIPE_SZ);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int opool_set_pipe_capacity(int descriptor, int capacity) {
#ifdef __linux__
  return fcntl(descriptor, F_SETPIPE_SZ, capacity);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int opool_mark_close_on_exec_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  return (int)syscall(SYS_close_range, (unsigned)first, ~0U, OPOOL_CLOSE_RANGE_CLOEXEC);
#else
  (void)first;
  errno = ENOSYS;
  return -1;
#endif
}

int opool_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT_MAX) return INT_MAX;
  return (int)limit.rlim_cur;
}

int opool_highest_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max > INT_MAX) return INT_MAX;
  return (int)limit.rlim_max;
}

int64_t opool_process_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur > INT64_MAX) return -1;
  return (int64_t)limit.rlim_cur;
}

void opool_close_beyond_limit(void) {
  int limit = opool_descriptor_limit();
  if (limit >= 1 << 20) return;
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)limit, ~0U, 0U) == 0) return;
#endif
  for (int descriptor = limit; descriptor < 1 << 16; descriptor++) close(descriptor);
}

int opool_grant_owner(int descriptor, mode_t rights) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  if ((status.st_mode & rights) == rights) return 0;
  return fchmod(descriptor, (status.st_mode & 07777) | rights);
}

int opool_open_unnamed(const char *directory) {
#ifdef O_TMPFILE
  int descriptor = open(directory, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor >= 0) (void)opool_grant_owner(descriptor, 0600);
  return descriptor;
#else
  (void)directory;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

int opool_open_named(char *template) {
  int descriptor = mkostemp(template, O_APPEND | O_CLOEXEC);
  if (descriptor >= 0) (void)opool_grant_owner(descriptor, 0600);
  return descriptor;
}

int opool_open_memory_file(void) {
#if defined(__linux__) && defined(MFD_CLOEXEC)
  int memory = memfd_create("opool-output", MFD_CLOEXEC);
  if (memory < 0) return -1;
  // Like other temporary files: private, and in append mode.
  if (fchmod(memory, 0600) == 0 && fcntl(memory, F_SETFL, O_APPEND) == 0) return memory;
  int code = errno;
  close(memory);
  errno = code;
#else
  errno = ENOSYS;
#endif
  return -1;
}

int opool_open_memory(int64_t size) {
#if defined(__linux__) && defined(MFD_ALLOW_SEALING)
  int memory = memfd_create("opool-outbox", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory < 0) return -1;
  // Another process could shorten it, and reading beyond the end of a mapped file kills.
  if (ftruncate(memory, (off_t)size) == 0 &&
      fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return memory;
  int code = errno;
  close(memory);
  errno = code;
#else
  (void)size;
  errno = ENOSYS;
#endif
  return -1;
}

int opool_is_never_shortened(int descriptor) {
#if defined(__linux__) && defined(F_SEAL_SHRINK)
  int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
#else
  (void)descriptor;
  return 0;
#endif
}

int opool_terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int opool_unread_count(int descriptor) {
  int count;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}
