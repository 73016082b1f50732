#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

pid_t opool_holder_of(int journal) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(journal, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
  // On another machine or in another container, the process has no number here.
  return lock.l_pid > 0 ? lock.l_pid : -1;
}

#ifdef __linux__
#include <sys/syscall.h>

// From linux/pidfd.h, which older headers do not have.
#define OPOOL_PIDFD_SIGNAL_PROCESS_GROUP (1U << 2)

pid_t opool_parent_of(pid_t process) {
  char path[32];
  char text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return -1;
  text[count] = 0;
  // The name, in parentheses, may contain any character; the state and the parent follow it.
  char *name_end = strrchr(text, ')');
  int parent;
  return name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : -1;
}

int opool_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0U); }

int opool_signal_group(int process, int number) {
#ifdef SYS_pidfd_send_signal
  return (int)syscall(SYS_pidfd_send_signal, process, number, NULL,
                      OPOOL_PIDFD_SIGNAL_PROCESS_GROUP);
#else
  errno = ENOSYS;
  return -1;
#endif
}
#else
#include <libproc.h>

pid_t opool_parent_of(pid_t process) {
  struct proc_bsdinfo info;
  int count = proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &info, sizeof info);
  return count == sizeof info ? (pid_t)info.pbi_ppid : -1;
}

int opool_open_process(pid_t process) {
  (void)process;
  errno = ENOSYS;
  return -1;
}

int opool_signal_group(int process, int number) {
  (void)process;
  (void)number;
  errno = ENOSYS;
  return -1;
}
#endif
