import Foundation
import PoolTestSupport
import Testing

/// Linux lets a user who is not root have 64 MiB of pipes: a pipe beyond that holds only 8 KiB, so
/// that commands that write much wait for their workers all the time.
///
/// Only root can become a user who has no other pipes.
@Suite("Pipes of a user who is not root", .enabled(if: AnotherUser.canBeBecome))
struct PipeSizeTests {
  private static let width = 64

  /// Leaves a line with the sizes of its own pipes and of its worker's, and ends when all commands
  /// have done so.
  private static let look = """
    perl -e 'open(F, ">>sizes");
    for (glob("/proc/self/fd/[012]"), glob("/proc/$ARGV[0]/fd/*")) {
      push(@sizes, fcntl(P, 1032, 0)) if -p $_ && sysopen(P, $_, 2048);
    }
    syswrite(F, "@sizes\\n")' $PPID
    [ $(wc -l <sizes) -lt \(width) ] || seq \(width) >go
    read line <go

    """

  /// Runs `opool` with these arguments as a user without any other process.
  private func sizes(_ arguments: String, by uid: Int) throws -> [[Int]] {
    let run = try Opool.shell(
      """
      yes | head -c \(Self.width * 200 << 10) >input
      cp "$(command -v opool)" "$(command -v opool-worker)" . && mkfifo go && chown -R \(uid) . .tmp
      exec 9<>go
      setpriv --reuid=\(uid) --regid=\(uid) --clear-groups env PATH="$PWD:$PATH" \\
        opool map -q -j\(Self.width) \(arguments)
      """
    ).file("look", Self.look).run().expect("")
    return run.folder.text(of: "sizes").split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Int($0) }
    }
  }

  @Test("64 workers and their commands have pipes of the usual size")
  func usual() throws {
    let sizes = try sizes("sh look ::: $(seq \(Self.width))", by: 61_231)
    #expect(sizes.count == Self.width)
    // Two of the command, at least two of its worker.
    #expect(sizes.allSatisfy { $0.count >= 4 && $0.allSatisfy { $0 == 65_536 } }, "\(sizes)")
  }

  @Test("Blocks of an input that they read through pipes leave room for all others")
  func blocks() throws {
    let arguments = "--pipe --block 200K 'sh look; cat >blocks' <input"
    let sizes = try sizes(arguments, by: 61_232)
    #expect(sizes.count == Self.width)
    #expect(sizes.allSatisfy { $0.count >= 5 && $0.allSatisfy { $0 >= 65_536 } }, "\(sizes)")
  }
}

private enum AnotherUser {
  static let canBeBecome =
    geteuid() == 0
    && ["/usr/bin/setpriv", "/bin/setpriv"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }
}
