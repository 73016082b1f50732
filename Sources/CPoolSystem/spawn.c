#define _GNU_SOURCE

#include "CPoolSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
#include <pthread/qos.h>
#else
#include <sys/prctl.h>
#endif

// ThreadSanitizer turns vfork into fork, after which the child cannot tell what failed.
#if defined(__linux__) && defined(__has_feature)
#if !__has_feature(thread_sanitizer)
#define OPOOL_USES_VFORK 1
#endif
#endif

uint64_t opool_changed_signals(void) {
  uint64_t signals = 0;
  struct sigaction action;
  for (int number = 1; number < NSIG; number++)
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
      signals |= UINT64_C(1) << (number - 1);
  return signals;
}

#ifdef OPOOL_USES_VFORK
// Runs in the child, in its parent's memory and on its stack: nothing but system calls. Returns why
// the program cannot be executed.
static int become(const opool_program *program, pid_t parent) {
  // If the parent has already gone, no signal will come.
  if (program->death_signal != 0 &&
      (prctl(PR_SET_PDEATHSIG, program->death_signal, 0, 0, 0) != 0 || getppid() != parent))
    return ECHILD;
  struct sigaction standard = {0};
  standard.sa_handler = SIG_DFL;
  // Also those with handlers: a handler must not run here once the mask is empty.
  for (int number = 1; number < NSIG; number++) {
    // A caller such as nohup lets this program ignore it; commands then ignore it, too.
    if (number == SIGHUP && opool_is_ignored(number)) continue;
    if (program->changed_signals >> (number - 1) & 1) sigaction(number, &standard, NULL);
  }
  if (program->leads_group && setpgid(0, 0) != 0) return errno;
  for (int number = 0; number < 3; number++) {
    int source = program->descriptors[number];
    if (source == number ? fcntl(number, F_SETFD, 0) < 0 : dup2(source, number) < 0) return errno;
  }
  if (program->closes_descriptors) (void)opool_mark_close_on_exec_from(3);
  if (program->directory && chdir(program->directory) != 0) return errno;
  opool_lower_process(0, program->nice, program->idle_input_output);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program->path, program->arguments, program->environment);
  return errno;
}

// posix_spawn does the same, on a stack that it maps each time, and asks for the limit of open
// files for each descriptor.
int opool_spawn(const opool_program *program, pid_t *child) {
  sigset_t all;
  sigset_t previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  volatile int failure = 0;
  pid_t parent = program->death_signal != 0 ? getpid() : 0;
  // The parent continues when the child has executed the program, or has ended.
  pid_t number = vfork();
  if (number == 0) {
    failure = become(program, parent);
    _exit(127);
  }
  int code = number < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  if (number > 0 && code != 0)
    while (waitpid(number, NULL, 0) < 0 && errno == EINTR) continue;
  *child = number;
  return code;
}
#else
static int set_attributes(posix_spawnattr_t *attributes, const opool_program *program) {
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  // These two cannot be changed, and some systems refuse a set that contains them.
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  if (opool_is_ignored(SIGHUP)) sigdelset(&all, SIGHUP);
  int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (program->leads_group) flags |= POSIX_SPAWN_SETPGROUP;
#ifdef __APPLE__
  if (program->closes_descriptors) flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  int code = posix_spawnattr_setflags(attributes, (short)flags);
  if (code == 0) code = posix_spawnattr_setsigmask(attributes, &none);
  if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
  if (code == 0) code = posix_spawnattr_setpgroup(attributes, 0);
#ifdef __APPLE__
  // These systems have classes instead of niceness.
  if (code == 0 && program->nice > 0)
    code = posix_spawnattr_set_qos_class_np(
        attributes, program->nice < 10 ? QOS_CLASS_UTILITY : QOS_CLASS_BACKGROUND);
#endif
  return code;
}

static int set_actions(posix_spawn_file_actions_t *actions, const opool_program *program) {
  int code = 0;
  for (int number = 0; number < 3 && code == 0; number++)
    code = posix_spawn_file_actions_adddup2(actions, program->descriptors[number], number);
  if (code == 0 && program->directory)
    code = posix_spawn_file_actions_addchdir_np(actions, program->directory);
  return code;
}

int opool_spawn(const opool_program *program, pid_t *child) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int code = posix_spawnattr_init(&attributes);
  if (code != 0) return code;
  code = posix_spawn_file_actions_init(&actions);
  if (code == 0) {
    code = set_attributes(&attributes, program);
    if (code == 0) code = set_actions(&actions, program);
    if (code == 0)
      code = posix_spawn(child, program->path, &actions, &attributes, program->arguments,
                         program->environment);
    if (code == 0) opool_lower_process(*child, program->nice, program->idle_input_output);
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return code;
}
#endif
