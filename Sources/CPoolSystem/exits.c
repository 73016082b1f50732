#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <stddef.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

static pid_t next_change(pid_t child, int *stop, int flags) {
  siginfo_t info = {0};
  idtype_t whose = child == 0 ? P_ALL : P_PID;
  *stop = 0;
  if (waitid(whose, (id_t)child, &info, WEXITED | WSTOPPED | WNOWAIT | flags) != 0) return -1;
  if (info.si_code == CLD_STOPPED) {
    // Taken, or the next call would return it again; it may have been continued meanwhile.
    siginfo_t taken = {0};
    waitid(P_PID, (id_t)info.si_pid, &taken, WSTOPPED | WNOHANG);
    *stop = info.si_status;
  }
  return info.si_pid;
}

pid_t opool_await_change(pid_t child, int *stop) { return next_change(child, stop, 0); }

pid_t opool_take_change(pid_t child, int *stop) { return next_change(child, stop, WNOHANG); }

int opool_has_ended(pid_t child, int *code, int *signal) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | WNOHANG) != 0) return -1;
  *code = info.si_code == CLD_EXITED ? info.si_status : -1;
  *signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
  return info.si_pid == child;
}

static int64_t microseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

static void take_usage(const struct rusage *consumed, int64_t usage[3]) {
  usage[0] = microseconds(consumed->ru_utime);
  usage[1] = microseconds(consumed->ru_stime);
#ifdef __linux__
  usage[2] = (int64_t)consumed->ru_maxrss * 1024;
#else
  usage[2] = (int64_t)consumed->ru_maxrss;
#endif
}

void opool_own_usage(int64_t usage[3]) {
  struct rusage own = {0}, children = {0};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  take_usage(&own, usage);
  usage[0] += microseconds(children.ru_utime);
  usage[1] += microseconds(children.ru_stime);
}

int opool_reap(pid_t child, int *code, int *signal, int64_t usage[3]) {
  int status = 0;
  struct rusage consumed;
  if (wait4(child, &status, 0, &consumed) != child) return -1;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  take_usage(&consumed, usage);
  return 0;
}

void opool_forbid_core_file(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}
