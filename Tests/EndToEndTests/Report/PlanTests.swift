import PoolTestSupport
import Testing

/// Contract: `opool plan` is a dry run, and `--simulate` says how long a run would take.
@Suite("Plans", .timeLimit(.minutes(5)))
struct PlanTests {
  private static let manifest = """
    {"id":"a","shell":"sleep 0.3","expected":3}
    {"id":"b","shell":"sleep 0.3","expected":3}
    {"id":"c","shell":"true","after":["a","b"],"expected":1}
    {"id":"d","shell":"true","expected":2,"limit":{"net":1}}

    """

  @Test("it is the same as run --dry-run")
  func alias() throws {
    let opool = try Opool("plan", "m").file("m", Self.manifest)
    let plan = try opool.run().expect(stderr: "").stdout
    #expect(try opool.again("run", "--dry-run", "m").run().expect(stderr: "").stdout == plan)
    #expect(plan.hasSuffix("4 operations, 2 dependencies, 2 levels, widest 3\n"))
    try opool.again("plan", "none").run().expect("", exit: 3)
  }

  @Test("each width has its time, and what binds, from the expected durations")
  func expected() throws {
    let opool = try Opool("plan", "--simulate", "1,2,4", "m").file("m", Self.manifest)
    try opool.run().expect(
      """
         1 slot  9.00 s  bound by slots
        2 slots  5.00 s  bound by slots
        4 slots  4.00 s  bound by the longest chain of operations

      """,
      stderr: ""
    )
    try opool.again("plan", "--json", "--simulate", "2", "m").run().expect(
      #"{"type":"forecast","slots":2,"elapsed":5.000000,"bound":"slots"}"# + "\n",
      stderr: ""
    )
    try opool.again("plan", "--simulate", "0", "m").run().expect("", exit: 2)
      .says("--simulate needs numbers up to 10000")
  }

  @Test("a graph is printed in three languages, and colored by a run")
  func graph() throws {
    let manifest = """
      {"id":"a","shell":"touch ran"}
      {"id":"b","shell":"exit 3","after":["a"]}
      {"id":"c","shell":"true","after":["b"]}
      {"id":"d","shell":"true","after":[{"id":"a","when":"finished"}]}

      """
    let opool = try Opool("plan", "--graph=mermaid", "m").file("m", manifest)
    try opool.run().expect(
      """
      flowchart LR
        n0["a"]
        n1["b"]
        n2["c"]
        n3["d"]
        n0 --> n1
        n0 -.->|"when finished"| n3
        n1 --> n2

      """,
      stderr: ""
    )
    #expect(try !opool.folder.names(in: "").contains("ran"))
    let json = try opool.again("run", "--graph", "json", "--stream", "m").run().expect(stderr: "")
    #expect(json.stdout.contains(#"{"from":"n0","to":"n3","when":"finished","count":1}"#))
    try opool.again(shell: "opool run -q --events e --journal j m; :").run().expect("")
    for file in ["e", "j"] {
      let dot = try opool.again("plan", "--graph", "dot", "--from", file, "m").run()
        .expect(stderr: "").stdout
      let labels = ["a\\nsucceeded", "b\\nfailed", "c\\nskipped", "d\\nsucceeded"]
      for label in labels { #expect(dot.contains("[label=\"\(label)\", fillcolor="), "\(dot)") }
    }
    try opool.again(shell: "head -1 m | opool plan --graph dot --from e").run().expect(stderr: "")
    try opool.again(
      shell: "sed 's/\"\\([abcd]\\)\"/\"x\\1\"/g' m | opool plan --graph dot --from e"
    ).run()
      .expect(stderr: "opool: e: no operation of the plan is in its last run\n")
  }

  @Test("around an operation is what it waits for, and what waits for it")
  func around() throws {
    let lines = (0..<100).map { number in
      number == 0
        ? #"{"id":"c0","run":["x"]}"#
        : #"{"id":"c\#(number)","run":["x"],"after":["c\#(number - 1)"]}"#
    }
    let opool = try Opool("plan", "--graph", "dot", "--around", "c50", "m")
      .file("m", lines.joined(separator: "\n"))
    let said = "opool: --around: 29 steps in each direction; 41 operations further away left out\n"
    let text = try opool.run().expect(stderr: said).stdout
    #expect(text.contains(#"[label="c50", penwidth=3]"#))
    #expect(text.contains(#"label="c21"]"#) && !text.contains(#"label="c20"]"#))
    try opool.again("plan", "-q", "--graph", "dot", "--around", "c50", "m").run()
      .expect(text, stderr: "")
    try opool.again("plan", "--graph", "json", "--around", "c5O", "m").run().expect("", exit: 2)
      .says("opool: --around: no operation or group is called 'c5O'; did you mean 'c5'?\n")
    try opool.again("plan", "--graph", "dot", "--from", "m", "m").run().expect("", exit: 2)
      .says("opool: m: it is neither a journal nor the events of a run")
    try opool.again("plan", "--graph", "dot", "--from", "none", "m").run()
      .expect("", stderr: "opool: none: No such file or directory\n", exit: 5)
    try opool.again(shell: "opool plan --graph dot m > /dev/full").run().expect("", exit: 5)
    try opool.again(shell: "echo '{' | opool plan --graph dot").run().expect("", exit: 3)
  }

  @Test("measured durations count before expected ones, and unknown ones as the mean")
  func measured() throws {
    let script = """
      opool run -q -j2 --events e m
      sed 's/"id":"b"/"id":"x"/;s/"b"/"x"/;s/,"expected":3//' m > n
      opool plan --simulate 1 --history e n | sed 's/ [0-9.]* m*s / T /'
      """
    try Opool.shell(script).file("m", Self.manifest).run().expect(
      "  1 slot  T  bound by slots\n",
      stderr: "opool: 1 operation of unknown duration: counted with the mean\n"
    )
  }
}
