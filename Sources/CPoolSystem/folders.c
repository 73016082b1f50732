#define _GNU_SOURCE
#include "CPoolSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Everything here uses open folders, and follows no link: a path may lead elsewhere a moment later.

static const int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

static int is_self_or_parent(const char *name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

static DIR *list_folder(int folder) {
  int copy = openat(folder, ".", folder_flags);
  if (copy < 0) return NULL;
  DIR *list = fdopendir(copy);
  if (!list) close(copy);
  return list;
}

// Opens a folder even if its mode forbids that; -1 if it is not a folder.
static int open_folder(int folder, const char *name) {
  struct stat status;
  int inner = openat(folder, name, folder_flags);
  if (inner < 0 && errno == EACCES && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISDIR(status.st_mode) && fchmodat(folder, name, 0700, 0) == 0)
    inner = openat(folder, name, folder_flags);
  return inner;
}

// Opens a folder in which files can be removed; -1 if it is not a folder, or on another file
// system.
static int open_inner(int folder, const char *name) {
  struct stat outer;
  struct stat status;
  int inner = open_folder(folder, name);
  if (inner < 0) return -1;
  if (fstat(folder, &outer) == 0 && fstat(inner, &status) == 0 && outer.st_dev == status.st_dev) {
    (void)fchmod(inner, 0700);
    return inner;
  }
  close(inner);
  return -1;
}

// Removes the files of a folder, and moves its folders into another one: so trees of any depth are
// removed with a few descriptors and without recursion.
static void move_up(int inner, int folder, unsigned *number) {
  DIR *list = list_folder(inner);
  if (!list) return;
  struct dirent *entry;
  while ((entry = readdir(list))) {
    if (is_self_or_parent(entry->d_name) || unlinkat(inner, entry->d_name, 0) == 0) continue;
    int moved = open_inner(inner, entry->d_name);
    if (moved < 0) continue;
    close(moved);
    char name[32];
    snprintf(name, sizeof name, ".opool-%u", (*number)++);
    (void)renameat(inner, entry->d_name, folder, name);
  }
  closedir(list);
}

// Removes the entries of a folder once; returns their number, or -1 if it was empty.
static int remove_entries(int folder, unsigned *number) {
  DIR *list = list_folder(folder);
  if (!list) return 0;
  int removed = 0;
  int found = 0;
  struct dirent *entry;
  while ((entry = readdir(list))) {
    if (is_self_or_parent(entry->d_name)) continue;
    found = 1;
    if (unlinkat(folder, entry->d_name, 0) == 0 ||
        unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0) {
      removed++;
      continue;
    }
    int inner = open_inner(folder, entry->d_name);
    if (inner < 0) continue;
    move_up(inner, folder, number);
    close(inner);
    if (unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0) removed++;
  }
  closedir(list);
  return found ? removed : -1;
}

// Entries that cannot be removed stay, with the folders around them.
static void empty_folder(int folder) {
  unsigned number = 0;
  while (remove_entries(folder, &number) > 0) continue;
}

int opool_remove_tree(const char *path) {
  int folder = open_folder(AT_FDCWD, path);
  if (folder < 0) return -1;
  (void)fchmod(folder, 0700);
  empty_folder(folder);
  close(folder);
  return rmdir(path);
}

int opool_remove_locked_folder(int folder, const char *path) {
  if (rmdir(path) == 0 || errno == ENOENT) return 0;
  // Entries that could not be removed earlier, such as when there was no free descriptor.
  empty_folder(folder);
  return rmdir(path);
}

static int is_same(const struct stat *one, const struct stat *other) {
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

int opool_make_locked_folder(char *template) {
  if (!mkdtemp(template)) return -1;
  // The umask may have withheld rights from the owner, without which the folder cannot be opened.
  (void)chmod(template, 0700);
  int folder = open(template, folder_flags);
  if (folder < 0) {
    int reason = errno;
    (void)rmdir(template);
    errno = reason;
    return -1;
  }
  struct stat opened;
  struct stat named;
  // Without locks, a sweep gets none either, and leaves the folder alone.
  int is_taken = flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_taken && fstat(folder, &opened) != 0) {
    int reason = errno;
    close(folder);
    (void)rmdir(template);
    errno = reason;
    return -1;
  }
  // A concurrent sweep may have the lock, or have removed the folder already.
  if (!is_taken && lstat(template, &named) == 0 && is_same(&opened, &named)) return folder;
  close(folder);
  errno = EAGAIN;
  return -1;
}

static int is_ours(int folder, int outer) {
  struct stat status;
  struct stat around;
  return fstat(folder, &status) == 0 && fstat(outer, &around) == 0 &&
         status.st_uid == geteuid() && (status.st_mode & 07777) == 0700 &&
         status.st_dev == around.st_dev;
}

// Removes a folder of ours if no living process has locked it.
static int sweep(int outer, const char *name) {
  int folder = openat(outer, name, folder_flags);
  if (folder < 0) return 0;
  struct stat opened;
  struct stat named;
  int is_removed = 0;
  if (is_ours(folder, outer) && flock(folder, LOCK_EX | LOCK_NB) == 0 &&
      fstat(folder, &opened) == 0 && fstatat(outer, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
      is_same(&opened, &named)) {
    empty_folder(folder);
    is_removed = unlinkat(outer, name, AT_REMOVEDIR) == 0;
  }
  close(folder);
  return is_removed;
}

int opool_sweep_folders(const char *path, const char *prefix, int limit) {
  DIR *list = opendir(path);
  if (!list) return -1;
  size_t length = strlen(prefix);
  int removed = 0;
  struct dirent *entry;
  while (limit-- > 0 && (entry = readdir(list))) {
    if (strncmp(entry->d_name, prefix, length) != 0) continue;
    // mkdtemp adds six characters.
    if (strlen(entry->d_name) == length + 6) removed += sweep(dirfd(list), entry->d_name);
  }
  closedir(list);
  return removed;
}
