import PoolTestSupport
import Testing

/// Contract: a relative command means something else in another folder, so its outcome does not
/// count there, unless the user says so.
@Suite("A journal that is continued in another folder")
struct JournalFolderTests {
  @Test("Its operations are executed there, and the run says so")
  func otherFolder() throws {
    let run = try Opool.shell(
      """
      mkdir a b; echo x > a/f; echo y > b/f
      (cd a; opool map -q --journal ../j 'cat f; : {}' ::: 1)
      (cd b; opool map --dry-run --journal ../j --resume 'cat f; : {}' ::: 1 | grep -c 'cat f'
      opool map --journal ../j --resume 'cat f; : {}' ::: 1)
      (cd b; opool map --journal ../j --resume 'cat f; : {}' ::: 1)
      """
    ).run()
    run.expect("x\n1\ny\n").says("opool: ../j: commands were executed in \(run.folder.path)/a, ")
      .says("opool: 1 succeeded in T\n").says("opool: 1 succeeded (1 resumed) in T\n")
  }

  @Test("--wd names the folder, and a link to it is the same one")
  func workingFolder() throws {
    let run = try Opool.shell(
      """
      mkdir a b; ln -s a link; map() { opool map -q --journal j "$@" 'echo >> f' ::: 1; }
      map --wd a; map --wd link --resume; wc -l < a/f; map --resume --wd b; wc -l < b/f
      """
    ).run()
    run.expect("1\n1\n")
  }

  @Test("An interrupted run elsewhere leaves the outcomes of the first folder to it")
  func returned() throws {
    let run = try Opool.shell(
      """
      mkdir a b; set -- 'echo {} >> f; [ {} != 2 ] || [ -e good ]' ::: 1 2 3
      (cd a; touch good; opool map -q -j1 --journal ../j "$@"; rm f)
      (cd b; opool map -q -j1 --journal ../j --resume --halt now,fail=1 "$@" 2> /dev/null)
      (cd a; opool map -q -j1 --journal ../j --resume "$@"); cat b/f; echo; cat a/f
      """
    ).run()
    run.expect("1\n2\n\n1\n2\n")
  }

  @Test("--same-folder keeps the outcomes, for later runs there, too, and after a compaction")
  func sameFolder() throws {
    let run = try Opool.shell(
      """
      mkdir a b; set -- 'echo >> ../ran' ::: 1
      (cd a; opool map -q --journal ../j "$@"); cd b
      opool map -q --journal ../j --resume --same-folder "$@"
      opool map -q --journal ../j --resume "$@"; opool journal compact ../j > ../says
      opool map --journal ../j --resume "$@"; wc -l < ../ran
      """
    ).run()
    run.expect("1\n").says("opool: 1 succeeded (1 resumed) in T\n")
  }
}
