import PoolTestSupport
import Testing

/// Contract: a descriptor that the user passes is open in commands under its number, and no other.
@Suite("Passed descriptors")
struct PassedDescriptorTests {
  @Test("a command reads what the shell has put behind the number")
  func reading() throws {
    try Opool.shell(
      """
      opool map -q --pass-fd 7 'cat <&7; : {}' ::: 1 7<<E
      from the shell
      E
      """
    ).run().expect("from the shell\n", stderr: "")
  }

  @Test("several of them, with a journal, for run, also in workers that replace others")
  func several() throws {
    try Opool.shell(
      """
      exec 3>a 4>b
      printf '%s\\n' '{"shell":"echo 1 >&3; kill -9 $PPID"}' '{"shell":"echo 2 >&4"}' |
        opool run -q -j1 --retries 1 --journal j --pass-fd 3 --pass-fd=4 2>/dev/null
      cat a b | grep -c '^[12]$'
      """
    ).run().expect("3\n", stderr: "")
  }

  @Test("no other descriptor reaches a command")
  func others() throws {
    try Opool.shell(
      """
      exec 5</dev/null 9</dev/null
      opool map -q --pass-fd 9 'ls -l /proc/self/fd/{}' ::: 5 2>&1 | grep -c 'No such file'
      opool map -q --pass-fd 9 'readlink /proc/self/fd/{}' ::: 9
      opool map -q 'ls -l /proc/self/fd/{}' ::: 5 9 2>&1 | grep -c 'No such file'
      """
    ).run().expect("1\n/dev/null\n2\n", stderr: "")
  }

  @Test("the reader of a passed pipe sees its end when the run has ended")
  func end() throws {
    try Opool.shell(
      "{ opool map -q --pass-fd 4 'echo {} >&4' 4>&1 >/dev/null ::: 1 2 3; } | sort"
    ).run().expect("1\n2\n3\n", stderr: "")
  }

  @Test(
    "what cannot be passed is refused, and named, and no file of opool's own takes its place",
    arguments: [
      ("3", "opool: --pass-fd 3: the descriptor is not open\n"),
      ("1000000", "opool: --pass-fd 1000000: the descriptor is not open\n"),
      ("2", "opool: --pass-fd is for descriptors from 3 on: '2'\n"),
      ("0", "opool: --pass-fd is for descriptors from 3 on: '0'\n"),
      ("-1", "opool: --pass-fd needs a whole number of at least 0: '-1'\n"),
      ("x", "opool: --pass-fd needs a whole number of at least 0: 'x'\n"),
    ]
  )
  func refusal(_ number: String, _ message: String) throws {
    let opool = try Opool("map", "--pass-fd", number, "-a", "in", "cat <&3").file("in", "1\n")
    try opool.run().expect("", exit: 2).says(message)
  }

  @Test("workers of the user's own get none, which is said", .needsPython)
  func elsewhere() throws {
    try Opool.shell(
      """
      echo '{"shell":"cat <&5"}' |
        opool run --worker '1:python3 "$PYTHON_WORKER"' --pass-fd 5 5<<E
      reserve
      E
      """
    ).run().expect("reserve\n")
      .says("opool: --pass-fd: only commands in opool's own workers get it\n")
  }
}
