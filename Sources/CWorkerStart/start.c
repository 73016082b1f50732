#include "CPoolSystem.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OPOOL_STARTS_LATE
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(OPOOL_STARTS_LATE)
// Before the initialisers of the libraries: a process forked after those of Swift has as many page
// faults again, and needs another thread (`Guardian.begin`).
__attribute__((section(".preinit_array"), used)) static void (*const start)(int, char **) =
    opool_start_guarded;
#else
// A file must not be empty.
typedef int opool_starts_late;
#endif
