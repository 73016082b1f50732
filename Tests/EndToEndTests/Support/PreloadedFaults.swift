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

  /// `close` of a file with the name or pattern in `CLOSE_FAILS` reports a full quota, as that of NFS does; the
  /// clock of the day starts at `CLOCK_AT`, in seconds since 1970.
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

    int close(int file) {
      const char *name = getenv("CLOSE_FAILS");
      char link[64], path[4096];
      ssize_t length = -1;
      if (name) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        length = readlink(link, path, sizeof path - 1);
      }
      if (length >= 0) path[length] = 0;
      int code = syscall(SYS_close, file);
      if (code || length < 0 || !strrchr(path, '/')) return code;
      if (fnmatch(name, strrchr(path, '/') + 1, 0)) return code;
      errno = EDQUOT;
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
