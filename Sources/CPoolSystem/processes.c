#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <dirent.h>
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

// The flags of a process, from linux/sched.h; 0 if unknown.
#define OPOOL_PF_EXITING 0x4UL
#define OPOOL_PF_SIGNALED 0x400UL

static unsigned long flags_of(pid_t process) {
  char text[512];
  if (!read_about(process, "stat", text, sizeof text)) return 0;
  // The name, in parentheses, may contain any character.
  char *name_end = strrchr(text, ')');
  unsigned long flags = 0;
  if (!name_end || sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) != 1) return 0;
  return flags;
}

int opool_is_being_killed(pid_t process) {
  char text[4096];
  if (read_about(process, "status", text, sizeof text) && opool_is_kill_pending(text)) return 1;
  // Set when the signal ceases to be pending, hence the order.
  return (flags_of(process) & OPOOL_PF_SIGNALED) != 0;
}

int opool_is_gone(pid_t process) {
  // A process that has ended has these flags until it is reaped; it may be reaped just before they
  // are read, hence the order.
  return opool_numbers_match_proc() &&
         ((flags_of(process) & OPOOL_PF_EXITING) != 0 || (kill(process, 0) != 0 && errno == ESRCH));
}

pid_t opool_parent_of(pid_t process) {
  char text[512];
  if (!read_about(process, "stat", text, sizeof text)) return -1;
  // The name, in parentheses, may contain any character; the state and the parent follow it.
  char *name_end = strrchr(text, ')');
  int parent;
  return name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? (pid_t)parent : -1;
}

// A thread has, waits for, or is about to get a processor (R), or waits for a disk (D).
static int is_thread_busy(const char *path) {
  char text[512];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  char *name_end = strrchr(text, ')');
  return name_end && (name_end[1] == ' ') && (name_end[2] == 'R' || name_end[2] == 'D');
}

static int is_any_busy(pid_t process, int *budget);

static int is_any_child_busy(const char *path, int *budget) {
  FILE *children = fopen(path, "re");
  int child;
  int is_busy = 0;
  if (!children) return 0;
  while (!is_busy && fscanf(children, "%d", &child) == 1) is_busy = is_any_busy(child, budget);
  fclose(children);
  return is_busy;
}

// The budget is the number of threads that are looked at.
static int is_any_busy(pid_t process, int *budget) {
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  DIR *threads = opendir(path);
  struct dirent *thread;
  int is_busy = 0;
  if (!threads) return 0;
  while (!is_busy && (thread = readdir(threads)) && (*budget)-- > 0) {
    if (thread->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)process, thread->d_name);
    is_busy = is_thread_busy(path);
    if (is_busy) break;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread->d_name);
    is_busy = is_any_child_busy(path, budget);
  }
  closedir(threads);
  return is_busy;
}

int opool_is_busy(pid_t process) {
  int budget = 4096;
  return opool_numbers_match_proc() && is_any_busy(process, &budget);
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

int opool_is_gone(pid_t process) {
  (void)process;
  return 0;
}

int opool_is_busy(pid_t process) {
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
