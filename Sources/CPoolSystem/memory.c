#define _GNU_SOURCE
#include "CPoolSystem.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifdef __GLIBC__
#include <ucontext.h>

static ucontext_t caller;
static ucontext_t large_stack;
static void (*body_to_run)(void *);
static void *context_to_run;

static void run_body(void) { body_to_run(context_to_run); }

static void give_threads(size_t size) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, size) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}
#endif

void opool_return_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void opool_spare_address_space(void) {
#ifdef __GLIBC__
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
#endif
}

void opool_run_with_stack(size_t least, size_t size, void (*body)(void *), void *context) {
#ifdef __GLIBC__
  struct rlimit limit;
  // The limit stays as it is, because commands must inherit it.
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < least) {
    void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack != MAP_FAILED && getcontext(&large_stack) == 0) {
      give_threads(size);
      body_to_run = body;
      context_to_run = context;
      large_stack.uc_stack.ss_sp = stack;
      large_stack.uc_stack.ss_size = size;
      large_stack.uc_link = &caller;
      makecontext(&large_stack, run_body, 0);
      if (swapcontext(&caller, &large_stack) == 0) return;
    }
  }
#else
  (void)least;
  (void)size;
#endif
  body(context);
}
