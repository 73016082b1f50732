import Foundation
import PoolTestSupport

/// A library in C that is loaded into the programs under test, and lets the system behave as this
/// one never does.
enum PreloadedFaults {
  /// Whether the library can be built and loaded here.
  static let areThere: Bool = {
    #if os(Linux)
    return !Sanitizer.isThere && (try? build(in: TestFolder())) != nil
    #else
    return false
    #endif
  }()

  /// Builds the library in a folder, which has to stay as long as a program is to load it.
  ///
  /// - Returns: the path of the library.
  /// - Throws: an error of Foundation where there is no compiler for it.
  static func build(in folder: TestFolder) throws -> String {
    let path = folder.path(of: ".faults.so")
    try folder.write(source, to: ".faults.c")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    let flags = ["-shared", "-fPIC", "-O1", "-o", path, folder.path(of: ".faults.c"), "-ldl"]
    compiler.arguments = ["clang"] + flags
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return path
  }

  /// `close` of a file that matches `CLOSE_FAILS` reports a full quota, as that of NFS does;
  /// `fdatasync` of the one in `SYNC_FAILS` a broken disk, and that of the one in `SYNC_HANGS` does
  /// not return; the clock of the day starts at `CLOCK_AT`, in seconds since 1970.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fnmatch.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>

    static int is_named_by(const char *variable, int file) {
      const char *name = getenv(variable);
      if (!name) return 0;
      char link[64], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length < 0) return 0;
      path[length] = 0;
      const char *last = strrchr(path, '/');
      return last && !fnmatch(name, last + 1, 0);
    }

    int close(int file) {
      int fails = is_named_by("CLOSE_FAILS", file);
      int code = syscall(SYS_close, file);
      if (code || !fails) return code;
      errno = EDQUOT;
      return -1;
    }

    int fdatasync(int file) {
      while (is_named_by("SYNC_HANGS", file)) pause();
      if (!is_named_by("SYNC_FAILS", file)) return syscall(SYS_fdatasync, file);
      errno = EIO;
      return -1;
    }

    int clock_gettime(clockid_t clock, struct timespec *time) {
      int code = syscall(SYS_clock_gettime, clock, time);
      const char *start = getenv("CLOCK_AT");
      if (code || !start || clock != CLOCK_REALTIME) return code;
      static long shift;
      if (!shift) shift = atol(start) - time->tv_sec;
      time->tv_sec += shift;
      return 0;
    }
    """
}

extension Opool {
  /// Loads ``PreloadedFaults`` with a value of one of their variables.
  func fault(_ name: String, _ value: String) throws -> Self {
    try environment("LD_PRELOAD", PreloadedFaults.build(in: folder)).environment(name, value)
  }
}
