#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

int opool_set_death_signal(int signal) {
#ifdef __linux__
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
#else
  (void)signal;
  return 0;
#endif
}

int opool_await_signal(const sigset_t *signals, int64_t nanoseconds) {
#ifdef __linux__
  if (nanoseconds < 0) return sigwaitinfo(signals, NULL);
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return sigtimedwait(signals, NULL, &limit);
#else
  // There is no sigtimedwait: an alarm ends the wait instead.
  int signal = 0;
  sigset_t set = *signals;
  sigaddset(&set, SIGALRM);
  if (nanoseconds >= 0) {
    struct itimerval timer = {
        {0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000 / 1000 + 1}};
    setitimer(ITIMER_REAL, &timer, NULL);
  }
  int code = sigwait(&set, &signal);
  if (code == 0 && signal != SIGALRM) return signal;
  errno = code == 0 ? EAGAIN : code;
  return -1;
#endif
}

void opool_reset_signals(void) {
  for (int number = 1; number < NSIG; number++)
    if (number != SIGHUP || !opool_is_ignored(number)) signal(number, SIG_DFL);
}

// Written before the first handler is installed; read only by handlers.
static volatile int signal_pipe = -1;

// Whether SIGUSR1 came before a run could answer it.
static volatile sig_atomic_t was_asked_early = 0;

// Whether SIGCONT came after the last SIGTSTP.
static volatile sig_atomic_t was_continued = 0;

static void write_signal(int number) {
  int before = errno;
  if (number == SIGCONT) was_continued = 1;
  if (number == SIGTSTP) was_continued = 0;
  unsigned char byte = (unsigned char)number;
  // A full pipe already holds more signals than will be handled.
  ssize_t ignored = write(signal_pipe, &byte, 1);
  (void)ignored;
  errno = before;
}

int opool_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int opool_catch_signal(int number, int descriptor) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = write_signal;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  signal_pipe = descriptor;
  int code = sigaction(number, &action, NULL);
  if (code == 0 && number == SIGUSR1 && was_asked_early) write_signal(number);
  return code;
}

static void end_early(int number) { _exit(128 + number); }

static void note_early(int number) {
  (void)number;
  was_asked_early = 1;
}

void opool_catch_early_signals(void) {
  const int numbers[] = {SIGQUIT, SIGUSR1};
  for (size_t place = 0; place < sizeof numbers / sizeof *numbers; place++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = numbers[place] == SIGQUIT ? end_early : note_early;
    action.sa_flags = SA_RESTART;
    if (!opool_is_ignored(numbers[place])) sigaction(numbers[place], &action, NULL);
  }
}

void opool_stop_unless_continued(void) {
  sigset_t pending;
  // Raising SIGSTOP would drop a SIGCONT that waits for its handler.
  int waits = sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
  if (!waits && !was_continued) raise(SIGSTOP);
}
