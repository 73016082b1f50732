#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int opool_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : -1;
}

int opool_unread_count(int descriptor) {
  int count;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

// Written before the first handler is installed; read only by handlers.
static volatile int signal_pipe = -1;

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
  return sigaction(number, &action, NULL);
}

void opool_stop_unless_continued(void) {
  sigset_t pending;
  // Raising SIGSTOP would drop a SIGCONT that waits for its handler.
  int waits = sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
  if (!waits && !was_continued) raise(SIGSTOP);
}
