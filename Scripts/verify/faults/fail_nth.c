// Fails the n-th call of one function of libc, once or from then on. Loaded with LD_PRELOAD by
// Scripts/verify/fail-calls, which sets what is read here:
//   FAIL_PROGRAM  the short name of the program that it is for; others are left alone
//   FAIL_CALL     the function
//   FAIL_NTH      from 1
//   FAIL_FOREVER  1 to fail all that follow, too
//   FAIL_ERRNO    the error
//   FAIL_MARK     a file that is made when a call was failed
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *call;
static long nth;
static int forever;
static int error;
static atomic_long count;

static int is_prepared;

// A variable of the environment, as libc may not have been initialised yet: a worker forks then.
static const char *setting(const char *name) {
  static char bytes[1 << 16];
  static long count;
  if (!count) {
    int file = syscall(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY);
    for (long size; (size = syscall(SYS_read, file, bytes + count, sizeof bytes - 1 - count)) > 0;)
      count += size;
    syscall(SYS_close, file);
  }
  size_t length = strlen(name);
  for (char *entry = bytes; entry < bytes + count; entry += strlen(entry) + 1)
    if (strncmp(entry, name, length) == 0 && entry[length] == '=') return entry + length + 1;
  return NULL;
}

static void prepare(void) {
  is_prepared = 1;
  const char *program = setting("FAIL_PROGRAM"), *path = (const char *)getauxval(AT_EXECFN);
  const char *name = path ? strrchr(path, '/') : NULL;
  if (!program || !path || strcmp(program, name ? name + 1 : path) != 0) return;
  call = setting("FAIL_CALL");
  nth = atol(setting("FAIL_NTH"));
  forever = atoi(setting("FAIL_FOREVER"));
  error = atoi(setting("FAIL_ERRNO"));
}

static int fails(const char *name) {
  if (!is_prepared) prepare();
  if (!call || strcmp(call, name) != 0) return 0;
  long number = atomic_fetch_add(&count, 1) + 1;
  if (number != nth && !(forever && number > nth)) return 0;
  const char *mark = setting("FAIL_MARK");
  // By number, so that nothing that is failed here is called.
  if (mark) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600));
  errno = error;
  return 1;
}

// The next definition of a function: libc's.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int descriptor, void *bytes, size_t size) {
  return fails("read") ? -1 : REAL(read)(descriptor, bytes, size);
}

// Only where a disk may be full: a pipe to oneself does not fail so, and with the error stream
// nothing could be said of what has failed.
ssize_t write(int descriptor, const void *bytes, size_t size) {
  struct stat status;
  int is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return is_file && fails("write") ? -1 : REAL(write)(descriptor, bytes, size);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  return fails("pread") ? -1 : REAL(pread)(descriptor, bytes, size, offset);
}

int poll(struct pollfd *list, nfds_t size, int timeout) {
  return fails("poll") ? -1 : REAL(poll)(list, size, timeout);
}

int pipe2(int ends[2], int flags) { return fails("pipe2") ? -1 : REAL(pipe2)(ends, flags); }

int pipe(int ends[2]) { return fails("pipe") ? -1 : REAL(pipe)(ends); }

int dup2(int from, int to) { return fails("dup2") ? -1 : REAL(dup2)(from, to); }

int fsync(int descriptor) { return fails("fsync") ? -1 : REAL(fsync)(descriptor); }

int fdatasync(int descriptor) { return fails("fdatasync") ? -1 : REAL(fdatasync)(descriptor); }

int mkostemp(char *path, int flags) {
  return fails("mkostemp") ? -1 : REAL(mkostemp)(path, flags);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return fails("open") ? -1 : REAL(open)(path, flags, mode);
}

int fcntl(int descriptor, int request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fails("fcntl") ? -1 : REAL(fcntl)(descriptor, request, argument);
}

ssize_t copy_file_range(int from, off_t *offset, int to, off_t *other, size_t size,
                        unsigned flags) {
  return fails("copy_file_range") ? -1
                                  : REAL(copy_file_range)(from, offset, to, other, size, flags);
}

int waitid(idtype_t kind, id_t id, siginfo_t *info, int options) {
  return fails("waitid") ? -1 : REAL(waitid)(kind, id, info, options);
}

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage) {
  return fails("wait4") ? -1 : REAL(wait4)(child, status, options, usage);
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[],
                char *const environment[]) {
  if (fails("posix_spawn")) return error;
  return REAL(posix_spawn)(child, path, actions, attributes, arguments, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) {
  if (fails("pthread_create")) return error;
  return REAL(pthread_create)(thread, attributes, body, argument);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return fails("openat") ? -1 : REAL(openat)(folder, path, flags, mode);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fails("ioctl") ? -1 : REAL(ioctl)(descriptor, request, argument);
}

int prctl(int request, ...) {
  va_list rest;
  va_start(rest, request);
  unsigned long first = va_arg(rest, unsigned long), second = va_arg(rest, unsigned long);
  unsigned long third = va_arg(rest, unsigned long), fourth = va_arg(rest, unsigned long);
  va_end(rest);
  return fails("prctl") ? -1 : REAL(prctl)(request, first, second, third, fourth);
}

void *mmap(void *place, size_t size, int access, int flags, int descriptor, off_t offset) {
  return fails("mmap") ? MAP_FAILED : REAL(mmap)(place, size, access, flags, descriptor, offset);
}

DIR *opendir(const char *path) { return fails("opendir") ? NULL : REAL(opendir)(path); }

DIR *fdopendir(int descriptor) { return fails("fdopendir") ? NULL : REAL(fdopendir)(descriptor); }

char *mkdtemp(char *path) { return fails("mkdtemp") ? NULL : REAL(mkdtemp)(path); }

char *realpath(const char *path, char *place) {
  return fails("realpath") ? NULL : REAL(realpath)(path, place);
}

off_t lseek(int descriptor, off_t offset, int origin) {
  return fails("lseek") ? -1 : REAL(lseek)(descriptor, offset, origin);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
  return fails("sendfile") ? -1 : REAL(sendfile)(to, from, offset, size);
}

ssize_t readlink(const char *path, char *place, size_t size) {
  return fails("readlink") ? -1 : REAL(readlink)(path, place, size);
}

pid_t fork(void) { return fails("fork") ? -1 : REAL(fork)(); }

// Functions that return an int, or -1 with an error.
#define FAILING(name, parameters, ...) \
  int name parameters { return fails(#name) ? -1 : REAL(name)(__VA_ARGS__); }

FAILING(memfd_create, (const char *name, unsigned flags), name, flags)
FAILING(ftruncate, (int descriptor, off_t size), descriptor, size)
FAILING(fallocate, (int descriptor, int mode, off_t offset, off_t size), descriptor, mode, offset, size)
FAILING(fstat, (int descriptor, struct stat *status), descriptor, status)
FAILING(fstatvfs, (int descriptor, struct statvfs *status), descriptor, status)
FAILING(stat, (const char *path, struct stat *status), path, status)
FAILING(flock, (int descriptor, int operation), descriptor, operation)
FAILING(rename, (const char *from, const char *to), from, to)
FAILING(renameat, (int from_folder, const char *from, int to_folder, const char *to), from_folder, from,
        to_folder, to)
FAILING(linkat, (int from_folder, const char *from, int to_folder, const char *to, int flags),
        from_folder, from, to_folder, to, flags)
FAILING(chdir, (const char *path), path)
FAILING(kill, (pid_t process, int signal), process, signal)
FAILING(setpgid, (pid_t process, pid_t group), process, group)
FAILING(sigaction, (int signal, const struct sigaction *new, struct sigaction *old), signal, new, old)
FAILING(access, (const char *path, int mode), path, mode)
