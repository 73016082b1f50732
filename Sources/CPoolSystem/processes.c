#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
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

static int is_pending(const char *line, const char *name) {
  size_t length = strlen(name);
  if (strncmp(line, name, length) != 0) return 0;
  return (strtoull(line + length, NULL, 16) >> (SIGKILL - 1) & 1) != 0;
}

int opool_is_kill_pending(const char *status) {
  for (const char *line = status; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (is_pending(line, "SigPnd:") || is_pending(line, "ShdPnd:")) return 1;
  }
  return 0;
}

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

// From linux/pidfd.h, which older headers do not have.
#define OPOOL_PIDFD_SIGNAL_PROCESS_GROUP (1U << 2)

int opool_numbers_match_proc(void) {
  // 0 before the first call, then 1 or -1.
  static atomic_int known;
  int answer = atomic_load_explicit(&known, memory_order_relaxed);
  if (answer == 0) {
    char number[16];
    ssize_t count = readlink("/proc/self", number, sizeof number - 1);
    number[count > 0 ? count : 0] = 0;
    answer = atoi(number) == (int)getpid() ? 1 : -1;
    atomic_store_explicit(&known, answer, memory_order_relaxed);
  }
  return answer > 0;
}

int opool_is_dumpable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1; }

// Reads the beginning of a file about a process as a string; returns whether there is one.
static int read_about(pid_t process, const char *name, char *text, size_t capacity) {
  if (!opool_numbers_match_proc()) return 0;
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, capacity - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

int opool_is_being_killed(pid_t process) {
  // `PF_SIGNALED` in linux/sched.h: set when the signal ceases to be pending, hence the order.
  const unsigned long is_signaled = 0x400;
  char text[4096];
  if (read_about(process, "status", text, sizeof text) && opool_is_kill_pending(text)) return 1;
  if (!read_about(process, "stat", text, sizeof text)) return 0;
  char *name_end = strrchr(text, ')');
  unsigned long flags = 0;
  if (!name_end || sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) != 1) return 0;
  return (flags & is_signaled) != 0;
}

pid_t opool_parent_of(pid_t process) {
  char text[512];
  if (!read_about(process, "stat", text, sizeof text)) return -1;
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

int opool_numbers_match_proc(void) { return 0; }

int opool_is_dumpable(void) { return 0; }

pid_t opool_parent_of(pid_t process) {
  struct proc_bsdinfo info;
  int count = proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &info, sizeof info);
  return count == sizeof info ? (pid_t)info.pbi_ppid : -1;
}

int opool_is_being_killed(pid_t process) {
  (void)process;
  return 0;
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
