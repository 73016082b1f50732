#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/signalfd.h>
#else
#include <sys/event.h>
#endif

#ifdef __linux__
static sigset_t child_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

int opool_open_child_events(void) {
  sigset_t set = child_signal();
  // A thread that does not block the signal would take it, and its default effect is none.
  int code = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (code == 0) return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  errno = code;
  return -1;
}

void opool_await_child_event(int events, int64_t nanoseconds) {
  (void)events;
  sigset_t set = child_signal();
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  // One call, where the descriptor would take two.
  sigtimedwait(&set, NULL, &time);
}

static void take_child_event(int events) {
  struct signalfd_siginfo taken;
  ssize_t ignored = read(events, &taken, sizeof taken);
  (void)ignored;
}
#else
int opool_open_child_events(void) {
  int queue = kqueue();
  struct kevent change;
  EV_SET(&change, SIGCHLD, EVFILT_SIGNAL, EV_ADD, 0, 0, NULL);
  if (queue < 0 || kevent(queue, &change, 1, NULL, 0, NULL) == 0) return queue;
  int failure = errno;
  close(queue);
  errno = failure;
  return -1;
}

void opool_await_child_event(int events, int64_t nanoseconds) {
  struct kevent taken;
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  kevent(events, NULL, 0, &taken, 1, &time);
}

static void take_child_event(int events) { opool_await_child_event(events, 0); }
#endif

int opool_await_output(int events, int output, int error, int milliseconds) {
  struct pollfd all[3] = {{events, POLLIN, 0}, {output, POLLIN, 0}, {error, POLLIN, 0}};
  if (poll(all, 3, milliseconds) <= 0 || !all[0].revents) return 0;
  take_child_event(events);
  return 1;
}

int opool_output_pipe(int ends[2]) {
  if (opool_pipe(ends) != 0) return -1;
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return 0;
}

int opool_has_lost_writers(int pipe) {
  struct pollfd end = {pipe, POLLIN, 0};
  return poll(&end, 1, 0) > 0 && !(end.revents & POLLIN);
}
