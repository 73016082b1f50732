#define _GNU_SOURCE
#include "child_cleanup.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>
#else
#include <mach-o/dyld.h>

extern char **environ;
#endif

static int argument_count;
static char **argument_list;
static char *arguments_end;

// These systems pass a constructor the arguments of main. Swift reads /proc, which may be missing.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor))
#endif
void opool_keep_arguments(int count, char **list) {
  argument_count = count;
  argument_list = list;
  if (count > 0 && list[0]) arguments_end = list[count - 1] + strlen(list[count - 1]) + 1;
}

int opool_argument_count(void) { return argument_count; }

const char *opool_argument(int index) {
  return index >= 0 && index < argument_count ? argument_list[index] : NULL;
}

size_t opool_argument_capacity(char **first) {
  if (!arguments_end) return 0;
  *first = argument_list[0];
  return arguments_end > *first ? (size_t)(arguments_end - *first) : 0;
}

char *opool_executable_path(void) {
  char path[PATH_MAX + 1];
#ifdef __linux__
  ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
  if (count > 0) {
    path[count] = 0;
    return strdup(path);
  }
  // Without /proc: the path that was executed, which may be relative to the first folder.
  const char *executed = (const char *)getauxval(AT_EXECFN);
  if (executed) return realpath(executed, NULL);
  errno = ENOENT;
  return NULL;
#else
  uint32_t size = sizeof path;
  return _NSGetExecutablePath(path, &size) == 0 ? realpath(path, NULL) : NULL;
#endif
}

char **opool_environment(void) { return environ; }
