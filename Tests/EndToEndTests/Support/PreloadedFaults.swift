import Foundation
import PoolTestSupport

/// A library in C that is loaded into the programs under test, and lets the system behave as this one
/// never does.
enum PreloadedFaults {
  /// Whether the programs can be built and loaded here.
  static let areThere = !Sanitizer.isThere && library != nil

  /// The file of the library; nil where it cannot be built.
  static let library: String? = {
    #if os(Linux)
    let path = folder?.path(of: "faults.so")
    guard let folder, let path else { return nil }
    try? folder.write(source, to: "faults.c")
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    let flags = ["-shared", "-fPIC", "-O1", "-o", path, folder.path(of: "faults.c"), "-ldl"]
    compiler.arguments = ["clang"] + flags
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? path : nil
    #else
    return nil
    #endif
  }()

  private static let folder = try? TestFolder()

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
  func fault(_ name: String, _ value: String) -> Self {
    environment("LD_PRELOAD", PreloadedFaults.library ?? "").environment(name, value)
  }
}
