#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int opool_punch_hole(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
  return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
#else
  // F_PUNCHHOLE needs whole blocks, whose size would have to be found.
  errno = ENOSYS;
  return -1;
#endif
}

int64_t opool_copy_range(int file, int64_t offset, int64_t count, int target) {
#ifdef __linux__
  off64_t start = offset;
  return copy_file_range(file, &start, target, NULL, count, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int opool_sync_file_system(int descriptor) {
#ifdef __linux__
  return syncfs(descriptor);
#else
  return fcntl(descriptor, F_FULLFSYNC);
#endif
}
