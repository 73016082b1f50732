import Foundation
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: the log, the annotations and the summary of a step of a GitHub workflow say what
/// failed, and no operation can make GitHub's runner do anything.
@Suite("--ci=github")
struct GitHubTests {
  private static let unset =
    "opool: --ci: GITHUB_STEP_SUMMARY is not set: the step gets no summary\n"

  private func map(
    _ options: [String],
    _ command: String...,
    inputs: [String]
  ) throws -> Opool {
    try Opool(["map", "-j1", "--ci=github"] + options + command + [":::"] + inputs)
      .environment("GITHUB_STEP_SUMMARY", "").environment("GITHUB_WORKSPACE", "")
  }

  @Test("Both outputs of a failed operation are one group, and the failure is an error")
  func group() throws {
    let sentence = "2 (1): failed: exit code 1: echo out '1'; printf 'err 1' >&2; exit '1'"
    try map([], "echo out {}; printf 'err '{} >&2; exit {}", inputs: ["0", "1", "0"]).run().expect(
      "out 0\nout 0\n",
      stderr: nil,
      exit: 1
    )
    try map(["-k"], "echo out {}; printf 'err 1' >&2; exit {}", inputs: ["0", "1"]).run().expect(
      "out 0\n",
      stderr: Self.unset + "err 1\n::group::\(sentence)\nout 1\nerr 1\n::endgroup::\n"
        + "::error title=2::\(sentence)\nopool: 1 succeeded, 1 failed in T\n",
      exit: 1
    )
  }

  @Test("What is not printed has its end in a group, and a quiet run has errors, too")
  func end() throws {
    try map(["-q", "--show=none"], "echo '::error::'{}; exit {}", inputs: ["1"]).run().expect(
      "",
      stderr: "::group::1 (1): failed: exit code 1: echo '::error::''1'; exit '1'\n"
        + "opool: 1: its output:\n  : :error::1\n::endgroup::\n"
        + "::error title=1::1 (1): failed: exit code 1: echo '::error::''1'; exit '1'\n",
      exit: 1
    )
  }

  @Test("Ten failures are errors, and the others are counted")
  func limit() throws {
    let inputs = (1...25).map { "\($0)" }
    let stderr = try map([], "exit 1", inputs: inputs).run().expect("", stderr: nil, exit: 1).stderr
    let lines = stderr.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
    let told = lines.filter { $0.contains(": failed: exit code 1") }
    #expect(Set(told).count == told.count, "each failure has one line, or one annotation")
    #expect(told.count { !$0.hasPrefix("::error ") } == 10)
    let quiet = try map(["-q"], "exit 1", inputs: inputs).run().expect("", stderr: nil, exit: 1)
    let listed = quiet.stderr.split(separator: "\n").filter { $0.contains(": failed: exit code 1") }
    #expect(Set(listed).count == 20 && listed.count == 20)
    let json = try map(["--json"], "exit 1", inputs: ["1", "2"]).run()
      .expect("", stderr: nil, exit: 1)
    #expect(json.stderr.split(separator: "\n").count { $0.hasPrefix(#"{"type":"failure""#) } == 2)
    #expect(lines.last == "::warning title=opool::15 more operations failed")
  }

  @Test("An error is at its line of the manifest, in the repository")
  func place() throws {
    let opool = try Opool("run", "-q", "--ci=github", "m,n.jsonl")
      .file("m,n.jsonl", "{\"run\": [\"true\"]}\n\n{\"run\": [\"false\"]}\n")
    let folder = URL(filePath: opool.folder.path)
    let parent = folder.deletingLastPathComponent().path
    let run = try opool.environment("GITHUB_WORKSPACE", parent).run().expect("", exit: 1)
    run.says("::error file=\(folder.lastPathComponent)/m%2Cn.jsonl,line=3,title=")
  }

  /// Lines in which the runner would find a command that an operation has printed.
  private func commands(in text: String) -> [Substring] {
    text.split { "\n\r\r\n".contains($0) }.filter { line in
      if line.hasPrefix("::group::") || line.hasPrefix("::error title=") { return false }
      return line.drop { $0 == " " }.hasPrefix("::error::injected")
        || line.contains("##[error]injected")
    }
  }

  @Test(
    "No output is a command",
    arguments: [
      [], ["-k"], ["--tag"], ["--tagstring", "::error::injected"], ["--line-buffer"],
      ["--line-buffer", "--tag", "-k"], ["--show=failed"], ["-k", "--tag"], ["--show=none"], ["-v"],
      ["--json"], ["--results", "d/"], ["--junit", "j"],
    ]
  )
  func injection(options: [String]) throws {
    let text = #"printf '::error::injected\n x ##[error]injected\r  ::error::injected\nend'"#
    let script = "\(text); \(text) >&2; test $PARALLEL_SEQ != 2"
    let run = try map(
      options,
      "sh",
      "-c",
      script,
      "sh",
      inputs: ["::error::injected", "##[error]injected", "x"]
    ).run()
    run.expect(nil, stderr: nil, exit: 1)
    for output in [run.stdout, run.stderr] {
      #expect(commands(in: output).isEmpty, "\(options): \(output)")
    }
    if options.isEmpty { #expect(run.stdout.contains(": :error::injected\n x ## [error]injected")) }
  }

  @Test("No part of a long output is a command, wherever it was cut")
  func long() throws {
    let script = #"yes '::error::injected ##[error]injected' | head -c 3000001; exit {}"#
    let run = try map([], script, inputs: ["0", "1"]).run().expect(nil, stderr: nil, exit: 1)
    #expect(commands(in: run.stdout).isEmpty && commands(in: run.stderr).isEmpty)
    let line = ": :error::injected ## [error]injected\n"
    #expect(run.stdout.hasPrefix(line + line))
    #expect(run.stderr.contains("\n" + line) && run.stderr.contains("\n::endgroup::\n"))
  }

  @Test("No error of opool before or after a run is a command")
  func errors() throws {
    let opool = try Opool("run", "--ci=github", "m").file("m", "{\"##[error]injected\": 1}\n")
    let run = try opool.run().expect("", stderr: nil, exit: 3)
    #expect(run.stderr.contains("## [error]injected"))
  }

  @Test("A table of failures is added to the summary of the step")
  func summary() throws {
    let opool = try map([], "exit {}", inputs: ["0", "1"]).file("s", "before\n")
    let run = try opool.environment("GITHUB_STEP_SUMMARY", "s").run().expect(
      "",
      stderr: nil,
      exit: 1
    )
    let text = run.folder.text(of: "s")
    #expect(text.hasPrefix("before\n\n### opool: 1 of 2 operations failed\n"))
    #expect(text.contains("| <code>2 &#40;1&#41;</code> | failed&#58; exit code 1 | 1 | 0&#46;"))
    #expect(!run.stderr.contains("summary"))
  }

  @Test("A summary that cannot be written is told, and the exit code stays")
  func unwritable() throws {
    let cases = [
      ("/none/s", "No such file or directory"), (".", "Is a directory"),
      ("full", "it is full: GitHub takes no more than 1 MiB of a step"),
      ("/dev/null", "it is no regular file"),
    ]
    for (path, reason) in cases {
      let opool = try map([], "exit {}", inputs: ["0"])
        .file("full", String(repeating: "x", count: (1 << 20) - 50))
      let run = try opool.environment("GITHUB_STEP_SUMMARY", path).run().expect("", stderr: nil)
      #expect(run.stderr.contains("opool: the summary of the step, \(path): \(reason)\n"))
      #expect(run.folder.text(of: "full").utf8.count == (1 << 20) - 50)
    }
  }

  @Test("What would write commands past opool is refused, and so are unknown systems")
  func refusals() throws {
    let cases = [
      (["--ci=github", "-u"], "excludes --ci"), (["--ci=github", "--results", "-"], "with --ci"),
      (["--ci=github", "--events", "/dev/stderr"], "with --ci"),
      (["--ci", "gitlab"], "--ci knows these systems: github: 'gitlab'"), (["--ci="], "github"),
    ]
    for (options, reason) in cases {
      let run = try Opool(["map"] + options + ["echo", ":::", "a"]).run()
        .expect("", stderr: nil, exit: 2)
      #expect(run.stderr.contains(reason), "\(options): \(run.stderr)")
    }
    let run = try Opool("map", "--ci").run().expect("", stderr: nil, exit: 2)
    #expect(run.stderr.contains("--ci needs a value: github"))
  }
}
