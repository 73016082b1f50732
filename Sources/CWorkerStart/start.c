#include "CPoolSystem.h"

#if defined(__linux__) && defined(__GLIBC__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer must have begun; Swift has not used a lock yet (`Guardian.begin`).
__attribute__((constructor)) static void start(int count, char **arguments) {
  opool_start_guarded(count, arguments);
}
#define OPOOL_STARTS_LATE
#endif
#endif
#ifndef OPOOL_STARTS_LATE
// Before the initialisers of the libraries: a process forked after those of Swift has as many page
// faults again.
__attribute__((section(".preinit_array"), used)) static void (*const start)(int, char **) =
    opool_start_guarded;
#endif
#else
// A file must not be empty.
typedef int opool_starts_late;
#endif
