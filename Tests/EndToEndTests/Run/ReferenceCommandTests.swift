import PoolTestSupport
import Testing

/// Contract: what explains opool works as a user types it.
@Suite("opool help, version, man, completion and doctor")
struct ReferenceCommandTests {
  @Test("help and version are words, too")
  func words() throws {
    try Opool.shell(
      """
      opool help > a; opool --help > b; cmp a b
      opool help map > a; opool map --help > b; cmp a b
      opool help journal > a; opool journal --help > b; cmp a b
      opool version > a; opool --version > b; cmp a b; opool -V | cmp a
      """
    ).run().expect("")
  }

  @Test("a wrong word is named, with the right ones")
  func wrongWords() throws {
    try Opool.shell("opool completion tcsh").run().expect("", exit: 2)
      .says("opool: opool completion takes no such argument: 'tcsh'\n")
      .says("write 'opool completion bash|zsh|fish'\n")
    try Opool.shell("opool completion").run().expect("", exit: 2).says("needs a word")
    try Opool.shell("opool help me").run().expect("", exit: 2).says(
      "write 'opool help run|map|status|explain|output|cancel|report|journal|check-worker'"
    )
    try Opool.shell("opool man man").run().expect("", exit: 2).says("'man'")
    try Opool.shell("opool verison").run().expect("", exit: 2).says("did you mean 'version'?")
    try Opool.shell("opool doctor --jsno").run().expect("", exit: 2).says(
      "it takes '--json', and a host"
    )
  }

  @Test("bash completes subcommands, options, their values, commands and files")
  func bash() throws {
    let script = #"""
      source <(opool completion bash); mkdir files; touch files/one files/two
      suggest() { COMP_WORDS=(opool "$@"); COMP_CWORD=$#; _opool; echo "${COMPREPLY[*]}"; }
      suggest jo; suggest run --ord; suggest map --order cri; suggest journal ver
      suggest run --journal files/o; suggest map ec | grep -ow echo | sort -u; suggest map echo files/t
      suggest run --retries 1; suggest completion f; suggest map --term
      """#
    try Opool.shell("bash s").file("s", script).run().expect(
      """
      journal
      --order
      critical-path
      verify
      files/one
      echo
      files/two

      fish
      --term-seq

      """
    )
  }

  @Test("doctor says whether commands can be executed, and exits with that")
  func doctor() throws {
    try Opool.shell(
      "opool doctor | grep -c 'commands can be executed'; opool doctor --json | wc -l"
    )
    .run().expect("1\n1\n")
    let alone = """
      mkdir alone; cp "$(command -v opool)" alone/opool; cd alone
      PATH=/nowhere ./opool doctor > ../report; echo $?
      """
    try Opool.shell(alone + "; grep -c '^! worker' ../report").run().expect("4\n1\n")
  }

  @Test("a closed output ends them with 141, and a full one with 5")
  func outputs() throws {
    try Opool.shell("{ opool man; echo $? > status; } | :; cat status").run().expect("141\n")
  }
}
