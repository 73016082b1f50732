#include "CPoolSystem.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer must have begun.
#define OPOOL_STARTS_LATE
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(OPOOL_STARTS_LATE)
static void start(int count, char **arguments) {
  (void)count;
  (void)arguments;
  opool_catch_early_signals();
}

// Before the initialisers of the libraries: that of Swift lets a handler stay.
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char **) = start;
#else
__attribute__((constructor)) static void start(void) { opool_catch_early_signals(); }
#endif
