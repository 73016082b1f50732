#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/vfs.h>

// From linux/quota.h and linux/magic.h, which older headers do not have in full.
#define OPOOL_GET_QUOTA 0x800007
#define OPOOL_QUOTACTL_FD 443
#define OPOOL_QUOTA_SIZE 128
#endif

int64_t opool_free_space(int descriptor) {
  struct statvfs space;
  if (fstatvfs(descriptor, &space) != 0) return -1;
  // A file system without a size of its own, such as one in memory, reports nothing.
  if (space.f_blocks == 0) return INT64_MAX;
  return (int64_t)space.f_bavail * (int64_t)space.f_frsize;
}

#ifdef __linux__
// 1 if that kind of quota is on, 0 if it is not, -1 if unknown.
static int has_quota(int descriptor, int kind, unsigned owner) {
  // The values do not matter: an answer means that the kind is on.
  uint64_t quota[OPOOL_QUOTA_SIZE / sizeof(uint64_t)];
  int command = (int)((unsigned)OPOOL_GET_QUOTA << 8 | (unsigned)kind);
  if (syscall(OPOOL_QUOTACTL_FD, descriptor, command, owner, quota) == 0) return 1;
  if (errno == ESRCH) return 0;
  return errno == ENOSYS || errno == EPERM ? -1 : 1;
}

static int has_any_quota(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return 1;
  int of_user = has_quota(descriptor, 0, status.st_uid);
  return of_user != 0 ? of_user : has_quota(descriptor, 1, status.st_gid);
}
#endif

int opool_may_have_quota(int descriptor) {
#ifdef __linux__
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return 1;
  switch ((unsigned long)system.f_type) {
    case 0xEF53:      // ext2, ext3 and ext4
    case 0x58465342:  // xfs
    case 0xF2F52010:  // f2fs
    case 0x01021994:  // tmpfs
      return has_any_quota(descriptor);
    case 0x794C7630:  // overlayfs, in containers: what limits them is told as their size
      return 0;
    default:
      return 1;
  }
#else
  (void)descriptor;
  return 0;
#endif
}

int opool_reserve_space(int descriptor, int64_t offset, int64_t count) {
#ifdef __linux__
  int code;
  do code = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)count);
  while (code != 0 && errno == EINTR);
  return code;
#else
  (void)offset;
  fstore_t store = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, (off_t)count, 0};
  return fcntl(descriptor, F_PREALLOCATE, &store) == -1 ? -1 : 0;
#endif
}

int64_t opool_file_size_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur > INT64_MAX) return INT64_MAX;
  return (int64_t)limit.rlim_cur;
}

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
