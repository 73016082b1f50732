#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <limits.h>

#if defined(__linux__)

#include <sys/epoll.h>

int opool_open_readiness(void) { return epoll_create1(EPOLL_CLOEXEC); }

int opool_change_readiness(int queue, int descriptor, uint64_t tag, int before, int after) {
  struct epoll_event event = {.data.u64 = tag};
  if (after & OPOOL_READABLE) event.events |= EPOLLIN;
  if (after & OPOOL_WRITABLE) event.events |= EPOLLOUT;
  int change = !after ? EPOLL_CTL_DEL : before ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return epoll_ctl(queue, change, descriptor, &event);
}

int opool_await_readiness(int queue, opool_ready *list, int capacity, int milliseconds) {
  struct epoll_event events[OPOOL_READY_LIMIT];
  if (capacity > OPOOL_READY_LIMIT) capacity = OPOOL_READY_LIMIT;
  int count = epoll_wait(queue, events, capacity, milliseconds);
  for (int place = 0; place < count; place++) {
    uint32_t found = events[place].events;
    list[place].tag = events[place].data.u64;
    list[place].readiness = (found & EPOLLIN ? OPOOL_READABLE : 0) |
                            (found & EPOLLOUT ? OPOOL_WRITABLE : 0) |
                            (found & (EPOLLHUP | EPOLLERR) ? OPOOL_FAILED : 0);
  }
  return count;
}

#elif defined(__APPLE__)

#include <fcntl.h>
#include <sys/event.h>
#include <sys/time.h>

int opool_open_readiness(void) {
  int queue = kqueue();
  if (queue >= 0) fcntl(queue, F_SETFD, FD_CLOEXEC);
  return queue;
}

int opool_change_readiness(int queue, int descriptor, uint64_t tag, int before, int after) {
  struct kevent changes[2];
  int count = 0;
  const int filters[2] = {EVFILT_READ, EVFILT_WRITE};
  for (int bit = 0; bit < 2; bit++) {
    int flag = 1 << bit;
    if (!((before | after) & flag)) continue;
    EV_SET(&changes[count++], (uintptr_t)descriptor, filters[bit],
           after & flag ? EV_ADD : EV_DELETE, 0, 0, (void *)(uintptr_t)tag);
  }
  return kevent(queue, changes, count, 0, 0, 0);
}

int opool_await_readiness(int queue, opool_ready *list, int capacity, int milliseconds) {
  struct kevent events[OPOOL_READY_LIMIT];
  if (capacity > OPOOL_READY_LIMIT) capacity = OPOOL_READY_LIMIT;
  struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  int count = kevent(queue, 0, 0, events, capacity, milliseconds < 0 ? 0 : &limit);
  for (int place = 0; place < count; place++) {
    list[place].tag = (uint64_t)(uintptr_t)events[place].udata;
    list[place].readiness = events[place].filter == EVFILT_WRITE ? OPOOL_WRITABLE : OPOOL_READABLE;
  }
  return count;
}

#else

int opool_open_readiness(void) {
  errno = ENOSYS;
  return -1;
}

int opool_change_readiness(int queue, int descriptor, uint64_t tag, int before, int after) {
  (void)queue, (void)descriptor, (void)tag, (void)before, (void)after;
  errno = ENOSYS;
  return -1;
}

int opool_await_readiness(int queue, opool_ready *list, int capacity, int milliseconds) {
  (void)queue, (void)list, (void)capacity, (void)milliseconds;
  errno = ENOSYS;
  return -1;
}

#endif
