// Lets Foundation start processes under valgrind. Loaded with LD_PRELOAD by Scripts/instructions.
//
// Foundation closes all descriptors in the child that it does not pass on. Valgrind keeps its own
// beyond the soft limit of open files, where the system refuses to close what a child was told to.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <sys/resource.h>

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int descriptor) {
  static int (*real)(posix_spawn_file_actions_t *, int);
  struct rlimit limit;
  if (!real) real = dlsym(RTLD_NEXT, "posix_spawn_file_actions_addclose");
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && descriptor >= (int)limit.rlim_cur) return 0;
  return real(actions, descriptor);
}
