import PoolTestSupport
import Testing

/// Contract: a run is drained before its job of Slurm ends, and at a signal that the user names;
/// another run executes the rest.
@Suite("Drained runs", .timeLimit(.minutes(5)))
struct DrainTests {
  private static let manifest = """
    {"id":"a","shell":"echo a; : > begun; until [ -e go ]; do sleep 0.02; done"}
    {"id":"b","shell":"echo b"}

    """

  @Test(
    "at the signal nothing more begins, what executes is finished, and the rest is executed later",
    arguments: ["USR1", "USR2", "TERM", "HUP"]
  )
  func signal(_ name: String) throws {
    let script = """
      opool run -j1 --journal j --drain-on \(name) m 2> errors & run=$!
      until [ -e begun ]; do sleep 0.02; done; kill -\(name) $run
      until grep -q 'nothing else begins' errors; do sleep 0.02; done
      touch go; wait $run; echo $?; opool run -q -j1 --journal j --resume m; echo $?; cat errors >&2
      """
    try Opool.shell(script).file("m", Self.manifest).run().expect("a\n75\nb\n0\n")
      .says("opool: SIG\(name): what executes is finished, and nothing else begins")
      .says("opool: j keeps what has ended: the same command with --resume executes the rest")
  }

  @Test("what fails by itself while nothing more begins has failed, and is not executed again")
  func failures() throws {
    let script = """
      command='echo {} >> executed; : > begun; until [ -e go ]; do sleep 0.02; done; exit 3'
      opool map -j1 --drain-on USR2 --journal j "$command" ::: 1 2 2> errors & run=$!
      until [ -e begun ]; do sleep 0.02; done; kill -USR2 $run
      until grep -q 'nothing else begins' errors; do sleep 0.02; done; touch go; wait $run; echo $?
      opool map -q -j1 --journal j --resume "$command" ::: 1 2; echo $?; cat executed
      """
    try Opool.shell(script).run().expect("75\n1\n1\n2\n", stderr: nil)
  }

  @Test("the same signal again tears down what executes")
  func repeated() throws {
    let script = """
      opool run -j1 --drain-on USR1 m 2> errors & run=$!; until [ -e begun ]; do sleep 0.02; done
      kill -USR1 $run; until [ -s errors ]; do sleep 0.02; done; kill -USR1 $run; wait $run; echo $?
      """
    try Opool.shell(script).file("m", Self.manifest).run().expect("a\n75\n")
  }

  @Test("--margin drains the run before its job of Slurm ends, which squeue says")
  func margin() throws {
    let squeue = """
      #!/bin/sh
      echo "$*" >> asked; cat times

      """
    let script = """
      chmod +x squeue; PATH=$PWD:$PATH; SLURM_JOB_ID=17; export PATH SLURM_JOB_ID
      printf '%s\n' '16 1:00:00 1:00:00' '17 0:45 1:00:00' > times
      opool run -j1 --margin 2m m; echo $?; tail -n 1 asked
      echo 17 0:45 1:30 > times; opool run -j1 --margin 2m m; echo $?
      env -u SLURM_JOB_ID opool run --margin 2m m; echo $?; opool run --drain-on KILL m; echo $?
      """
    try Opool.shell(script).file("squeue", squeue).file("m", Self.manifest).file("go", "").run()
      .expect("75\n-h -o %A %L %l -j 17\n2\n2\n2\n")
      .says("the job of Slurm ends soon: nothing more begins, and what executes has 15 s")
      .says("--margin is not less than the time of this job of Slurm, 90 s: nothing could begin")
      .says("--margin: this is no job of Slurm; begin with salloc or sbatch")
      .says("--drain-on needs HUP, USR1, USR2 or TERM")
  }
}
