// The least that executing commands costs: COUNT of PROGRAM with one argument, from WIDTH processes,
// by vfork and wait4, with outputs in two files in memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int execute(char *program, char *argument) {
  char *arguments[] = {program, argument, NULL};
  int output = memfd_create("output", MFD_CLOEXEC);
  int error = memfd_create("error", MFD_CLOEXEC);
  pid_t child = vfork();
  if (child == 0) {
    dup2(output, 1);
    dup2(error, 2);
    execv(program, arguments);
    _exit(127);
  }
  int status = 1;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return 1;
  close(output);
  close(error);
  return status;
}

static int execute_share(char *program, int first, int count, int width) {
  for (int number = first; number < count; number += width) {
    char argument[16];
    snprintf(argument, sizeof argument, "%d", number);
    if (execute(program, argument) != 0) return 1;
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  int commands = atoi(arguments[2]);
  int width = atoi(arguments[3]);
  for (int number = 0; number < width; number++)
    if (fork() == 0) _exit(execute_share(arguments[1], number, commands, width));
  int failures = 0;
  int status;
  while (wait(&status) > 0) failures += status != 0;
  return failures != 0;
}
