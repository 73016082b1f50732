import PoolModel
import PoolTestSupport
import Testing

/// Contract: the environment of a command says which operation it is, which attempt, where, and by
/// which key an outside system can tell a repetition from a new request.
@Suite("What a command's environment says of it")
struct ExecutionVariableTests {
  @Test("an input's number, attempt, worker and slot, by our names and by GNU parallel's")
  func map() throws {
    let line =
      #"echo "$OPOOL_ID $OPOOL_ATTEMPT $OPOOL_WORKER_ID $OPOOL_SLOT $PARALLEL_SEQ $PARALLEL_JOBSLOT" {}"#
    try Opool.shell("opool map -q -k -j1 '\(line)' ::: a b").run()
      .expect("1 1 1 1 1 1 a\n2 1 1 1 2 1 b\n")
  }

  @Test("an operation is called by its id, and else by its line")
  func identifiers() throws {
    let manifest = #"""
      {"id":"é \"x\" y","shell":"echo \"$OPOOL_ID,$PARALLEL_SEQ\""}
      {"shell":"echo \"$OPOOL_ID,$PARALLEL_SEQ\""}

      """#
    try Opool.shell("opool run -q -k m").file("m", manifest).run()
      .expect("é \"x\" y,1\n2,2\n")
  }

  @Test("an id that no environment can hold is refused, so that no two operations share one")
  func zero() throws {
    try Opool.shell("opool run -q m").file("m", #"{"id":"a\u0000b","shell":"true"}"# + "\n").run()
      .expect("", stderr: "m:1: id: contains a NUL, which OPOOL_ID cannot hold\n", exit: 3)
  }

  @Test("attempts are counted, and all have one key")
  func attempts() throws {
    let run = try Opool.shell(
      """
      opool map -q -j1 --retries 2 --retry-delay 0.001 \
        'echo "$OPOOL_ATTEMPT $OPOOL_KEY" >> {}; [ "$OPOOL_ATTEMPT" = 3 ]' ::: a b
      """
    ).run().expect("")
    let (a, b) = (lines("a", of: run), lines("b", of: run))
    #expect(a.map { $0.first } == ["1", "2", "3"])
    #expect(Set(a.map { $0.last }).count == 1 && Set(b.map { $0.last }).count == 1)
    #expect(a.first?.last != b.first?.last)
    #expect(a.first?.last?.wholeMatch(of: /[0-9a-f]{32}/) != nil)
  }

  @Test("a key is the same in a resumed run, wherever the line is, and another in a fresh run")
  func keys() throws {
    let manifest = #"{"shell":"echo 1 $OPOOL_KEY >> x; [ -e good ]"}"# + "\n"
    let run = try Opool.shell(
      """
      opool run -q --journal j m; opool journal compact j 2> /dev/null
      touch good; (echo '{"shell":":"}'; cat m) > n
      opool run -q --journal j --resume-failed n
      opool run -q --journal k m
      opool run -q m
      opool run -q m
      """
    ).file("m", manifest).run()
    let keys = lines("x", of: run).map { $0.last }
    #expect(keys.count == 5)
    #expect(keys.first == keys.dropFirst().first)
    #expect(Set(keys).count == 4)
  }

  @Test("equal operations have keys of their own")
  func equal() throws {
    let manifest = String(repeating: #"{"shell":"echo 1 $OPOOL_KEY >> x"}"# + "\n", count: 3)
    let run = try Opool.shell("opool run -q --journal j m").file("m", manifest).run()
    #expect(Set(lines("x", of: run).map { $0.last }).count == 3)
  }

  @Test("what the operation's own environment says counts, and an outer run's variables do not")
  func precedence() throws {
    let manifest = #"{"shell":"echo $OPOOL_ID $OPOOL_SLOT","env":{"OPOOL_ID":"mine"}}"# + "\n"
    try Opool.shell("OPOOL_ID=outer OPOOL_SLOT=99 opool run -q m").file("m", manifest).run()
      .expect("mine 1\n")
  }

  @Test("no two commands have one slot at the same time, and slots go up to the number of workers")
  func slots() throws {
    // A folder can be made once: one that is there already is another command's with the same slot.
    let line = """
      mkdir s$OPOOL_SLOT && echo $OPOOL_SLOT && rmdir s$OPOOL_SLOT || exit
      [ {} != 5 ] || [ $OPOOL_ATTEMPT != 1 ] || kill -9 $PPID
      """
    let run = try Opool.shell("seq 60 | opool map -q -j3 --retries 3 '\(line)'").run()
    #expect(run.status == .exited(0))
    #expect(Set(run.stdout.split(separator: "\n")).isSubset(of: ["1", "2", "3"]))
  }

  private func lines(_ file: String, of run: OpoolRun) -> [[String]] {
    run.folder.text(of: file).split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
  }
}
