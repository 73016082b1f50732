import PoolTestSupport
import Testing

@testable import PoolCommand

/// Contract: where a program of the command reads its arguments as shell text, an input inside such
/// a text is refused, and one that is the text is announced.
@Suite("Programs inside a command")
struct NestedProgramTests {
  @Test(
    "an input inside a program's text is refused",
    arguments: [
      ["sh", "-c", "gzip {}"], ["bash", "-ec", "cat {.}.txt"], ["/bin/dash", "-c", "{}{}"],
      ["env", "LANG=C", "sh", "-e", "-c", "ls {}"], ["sh -c 'gzip {}'"], ["sh -c \"gzip '{}'\""],
      ["eval echo x{}"], ["cd /tmp && eval \"echo {}\""], ["x=1 eval a{}"], ["! bash -c a{/}"],
      ["if true; then eval 'a {}'; fi"], ["(eval a{})"], ["true|eval a{}"],
      ["bash -o pipefail -c \"echo {}\""], ["bash -euo pipefail -c 'a {}'"], ["bash +x -c 'a {}'"],
      ["bash", "-c", "-O", "extglob", "--", "a{}"], ["bash --rcfile x -c 'a {}'"],
      ["timeout", "5", "sh", "-c", "a {}"], ["timeout -s KILL 5s sh -c 'a {}'"],
      ["nice -n 5 sh -c 'a {}'"], ["env -i PATH=/bin bash -c 'a {}'"], ["sudo -u me sh -c 'a {}'"],
      [">/dev/null bash -c 'a {}'"], ["2> file bash -c 'a {}'"], ["ls | xargs -n1 sh -c 'a {}'"],
      ["find", ".", "-exec", "sh", "-c", "a {}", ";"], ["trap 'rm -f {}' EXIT; true"], ["let x={}"],
      ["printf \"%s\" \"$(sh -c \"echo {}\")\""], ["x=\"$(bash -c 'echo {}')\" && echo \"$x\""],
      ["printf \"a $(eval \"echo {}\") b\""], ["A=\"$(nice sh -c \"echo {}\")\" true"],
      ["a \"$(b \"$(sh -c \"c {}\")\" ')')\""], ["a \"\\$(\" \"$((sh -c \"c {}\"))\""],
      ["eval echo \"$(date)\""], ["eval \"$(cat a)\" b"], ["eval $(cmd) {}"],
      ["eval \"$(cmd)\" {}"],
      ["X=\"$(date)\" sh -c 'a {}'"], ["su -s /bin/sh me -c 'a {}'"], ["su me --command='a {}'"],
      ["su", "me", "-ca {}"], ["su - me -c 'a {}'"], ["eval '>' {}"],
      ["/usr/bin/env", "bash", "-c", "a {}"], ["/usr/bin/timeout 5 sh -c 'a {}'"],
      ["/usr/bin/nice", "-n", "5", "/bin/sh", "-c", "a {}"], ["flock", "lk", "sh", "-c", "a {}"],
      ["flock -n lk sh -c 'a {}'"], ["flock lk -c 'a {}'"], ["flock -w 5 lk -c 'a {}'"],
      ["su", "me", "-lc", "a {}"], ["script", "-qec", "a {}", "/dev/null"],
      ["runuser", "-u", "me", "--", "sh", "-c", "a {}"], ["prlimit --nofile=9 sh -c 'a {}'"],
      ["setarch x86_64 sh -c 'a {}'"], ["setarch -R sh -c 'a {}'"], ["chroot / sh -c 'a {}'"],
      ["eval echo {}"], ["eval echo"], ["eval \"echo\" {}"], ["command eval echo {}"],
    ]
  )
  func part(command: [String]) {
    #expect(throws: UsageError.self) { try Template(command: command.map(bytes)) }
  }

  @Test(
    "an input that is the program is announced",
    arguments: [
      ["sh", "-c", "{}"], ["sh -c"], ["sh", "-c"], ["bash -c '{}' x"], ["eval {}"], ["eval"],
      ["eval {} > out.{#}"], ["eval {} 2>/dev/null"], ["X=\"$(date)\" sh -c"], ["flock a -c"],
    ]
  )
  func whole(command: [String]) throws {
    let template = try Template(command: command.map(bytes))
    #expect(template.warning?.hasPrefix("each input is executed as a command line, by '") == true)
  }

  @Test(
    "an argument of the program, its number and other words are what they look like",
    arguments: [
      ["sh", "-c", "gzip \"$1\"", "sh", "{}"], ["sh", "-c", "echo {#} \"$1\"", "sh"],
      ["grep", "eval", "{}"], ["grep sh -c x{}"], ["nice -n 5 grep sh -c x{}"],
      ["timeout 5 cat sh -c a{}"], ["> sh cat -c a{}"], ["find . -name sh -c a{}"],
      ["grep", "zsh", "-c", "a{}"], ["echo eval {}"],
      ["evaluate {}"], ["sh", "{}"], ["sh x.sh -c {}"], ["bash --rcfile {}"], ["git -c x={} eval"],
      ["echo 'eval {}'"], ["echo \\; eval {}"], ["echo {}; eval a"], ["sh -c a; echo {}"],
      ["(flock 9; gcc -c {}.c) 9>lock"], ["flock 3 && gzip -c {}.txt >&3"],
      ["flock 2024.lock gcc -c {}.c"], ["flock -n lk grep -c x{}"], ["./script -c a/{}.yaml"],
      ["./script", "-c", "x{}"], ["runuser --user=www grep -c x{}"], ["runuser -u www grep -c x{}"],
      ["flock lk grep -c {}"], ["flock lk cat sh -c a{}"], ["echo \"$(cat {})\" eval"],
      ["echo '$(' \"sh -c '{}'\" ')'"], ["echo \"$(printf ')' sh -c a{})\""],
    ]
  )
  func other(command: [String]) throws {
    #expect(try Template(command: command.map(bytes)).warning == nil)
  }
}
