import PoolTestSupport
import Testing

/// Contract: a run has the hosts that the file of `--hosts` names, also when that changes.
@Suite("opool --hosts", .timeLimit(.minutes(5)))
struct HostFileRunTests {
  /// Executes what ssh would on the host, here, with its name.
  private static let ssh = """
    #!/bin/sh
    for word; do host=$line; line=$word; done; echo $host >> connections
    HOST_NAME=$host exec sh -c "$line"

    """

  /// A script with a run in the background, whose commands say where they begin and wait for a
  /// file; `await N TEXT` waits until so many lines of messages contain the text.
  private func run(_ hosts: String, _ script: String) throws -> OpoolRun {
    let prologue = """
      chmod +x ssh; PATH=$PWD:$PATH; export PATH
      await() { until [ "$(grep -c "$2" errors)" -ge $1 ]; do sleep 0.02; done; }
      begun() { until [ $(ls | grep -c '^at') -ge $1 ]; do sleep 0.02; done; }
      hosts() { printf '%s\\n' "$@" > h.new; mv h.new hosts; }
      hosts \(hosts)
      opool map --hosts hosts \
        'echo $HOST_NAME > at.{}; until [ -e go.{} ]; do sleep 0.02; done' \
        ::: 1 2 3 4 5 6 7 2> errors & run=$!
      """
    return try Opool.shell(prologue + "\n" + script).file("ssh", Self.ssh).run()
  }

  @Test("new hosts get what is ready, and those that are gone nothing more, while the run goes on")
  func changed() throws {
    let script = """
      begun 2; hosts 2/one 1/two; begun 3; hosts 1/two; await 1 'one is gone'
      touch go.1 go.2 go.3; begun 4; hosts '# none but three' 3/two; begun 6
      touch go.4 go.5 go.6; begun 7; touch go.7; wait $run; echo $?; cat at.* | tr '\\n' ' '
      sort connections | uniq -c | tr -s ' ' | tr -d '\n'; grep -o 'ssh .*' errors | grep -v exited
      """
    try run("2/one", script).expect(
      """
      0
      one one two two two two two  1 one 1 twossh two is new: 1 at once
      ssh one is gone: it ends after what it executes
      ssh two: 3 at once

      """
    )
  }

  @Test("a host that is back serves again; a mistake, or a file that is gone, changes nothing")
  func back() throws {
    let script = """
      begun 2; hosts 1/two; await 1 'one is gone'; hosts 'one;two'; await 1 'line 1:'
      rm hosts; await 1 'No such file'; touch go.1; hosts 1/two 1/one; await 1 'one is back'
      begun 3; touch go.2 go.3 go.4 go.5 go.6 go.7; wait $run; echo $?
      grep -c 'the hosts stay as they were' errors; sort -u at.1 at.2 at.3
      """
    try run("1/one 1/two", script).expect("0\n2\none\ntwo\n")
  }

  @Test("operations with a constraint go to hosts with its features, also those that come later")
  func constraint() throws {
    let script = """
      chmod +x ssh; PATH=$PWD:$PATH; export PATH; printf '%s\\n' 1/one @gpu/1/two > hosts
      opool run -q --hosts hosts m & until [ -s a ]; do sleep 0.02; done
      echo @gpu+x/1/three >> hosts; until [ -s b ]; do sleep 0.02; done
      touch go; wait; cat a b c; opool run -S 1/one,@x/2/: m; echo $?
      """
    let manifest = """
      {"shell":"echo $HOST_NAME > a; until [ -e go ]; do sleep 0.02; done","constraint":"gpu"}
      {"shell":"echo $HOST_NAME > b","constraint":["gpu"]}
      {"shell":"echo $HOST_NAME > c"}

      """
    try Opool.shell(script).file("ssh", Self.ssh).file("m", manifest).run()
      .expect("two\nthree\none\n3\n")
      .says("m:1: constraint: no worker serves 'command' on a machine that has 'gpu'")
  }

  @Test("a file that is missing, or that names no host, ends the run before anything starts")
  func missing() throws {
    let script = """
      opool map --hosts none echo ::: 1; echo $?; opool map --hosts /dev/null echo ::: 1; echo $?
      printf 'a\\n-b\\n' > bad; opool map --hosts bad echo ::: 1; echo $?
      printf '1/:\\n' > pipe; opool map -q --hosts - echo ::: 1 < pipe
      cat pipe | opool map -q --hosts /dev/stdin echo ::: 1
      """
    try Opool.shell(script).run().expect("2\n2\n2\n1\n", exit: 0)
      .says("opool: --hosts: none: No such file or directory")
      .says("opool: --hosts: /dev/null: it names no host")
      .says("opool: --hosts: bad: line 2: '-b' is no host, such as 8/box or me@other")
  }
}
