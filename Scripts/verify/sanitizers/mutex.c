// Tells ThreadSanitizer of a Mutex for which threads compete. Linked by Scripts/verify/sanitize alone.
//
// The quick way of Synchronization's Mutex is compiled into the program, where the sanitizer sees
// its atomic operations. The slow way, by a futex, is compiled into the toolchain's library, which
// is not instrumented: without this file races are reported that are none. The functions
// here take the library's place, call it, and say what it does: after lock, this thread knows
// what others did before their unlock. Nothing is suppressed by that: a race beside a Mutex is
// still a race.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK HANDLE "12_tryLockSlowSbyF"
#define UNLOCK HANDLE "11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void pool_lock_slow(uint32_t thread, SELF self) __asm__(LOCK);
SWIFT bool pool_try_lock_slow(SELF self) __asm__(TRY_LOCK);
SWIFT void pool_unlock_slow(SELF self) __asm__(UNLOCK);

// The library's function of the same name, looked up once.
static void *original(void **kept, const char *name) {
  void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);
  if (found == 0) {
    found = dlsym(RTLD_NEXT, name);
    __atomic_store_n(kept, found, __ATOMIC_RELAXED);
  }
  return found;
}

SWIFT void pool_lock_slow(uint32_t thread, SELF self) {
  static void *kept;
  ((SWIFT void (*)(uint32_t, SELF))original(&kept, LOCK))(thread, self);
  __tsan_acquire(self);
}

SWIFT bool pool_try_lock_slow(SELF self) {
  static void *kept;
  bool isLocked = ((SWIFT bool (*)(SELF))original(&kept, TRY_LOCK))(self);
  if (isLocked) __tsan_acquire(self);
  return isLocked;
}

SWIFT void pool_unlock_slow(SELF self) {
  static void *kept;
  __tsan_release(self);
  ((SWIFT void (*)(SELF))original(&kept, UNLOCK))(self);
}
