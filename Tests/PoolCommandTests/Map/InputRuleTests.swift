import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCommand
@testable import PoolInputs

/// Contract: an input can be anything where it is a word, or a part of one without blanks or signs;
/// where a program could read it as commands, it must be plain.
@Suite("Inputs that a program could read")
struct InputRuleTests {
  static let hostileInputs = [
    "a b", "$(touch pwned)", "`x`", "'", "\"", "a\nb", "a;b", "é", "x=1", "*",
  ]
  static let plainInputs = ["a", "dir/photo.tar.gz", "-n", "a_b-c:d,e+f@g", "2026-11-26", ""]

  private func template(_ command: [String], shell: String? = nil) throws -> Template {
    try Template(command: command.map(bytes), shell: shell.map(bytes))
  }

  private func isRefused(_ input: String, by template: Template) -> Bool {
    template.refusal(of: TemplateInput([bytes(input)], number: 1)) != nil
  }

  @Test(
    "any input is put into words, and into parts of words without blanks or signs",
    arguments: [
      ["gzip {}"], ["gzip", "{}"], ["convert \"{}\" \"{.}.png\""], ["convert", "{}", "{.}.png"],
      ["cp \"{}\" \"out/{/}\""], ["cp", "{}", "out/{/}"], ["cp {} ~/x/{/}"],
      ["cp {} \"$DEST/{/}\""],
      ["x={}; gzip \"$x\""], ["printf '<%s>' {} && :"], ["[ -f {} ] && gzip {}"], ["--to={} x"],
      ["[ \"$x\" = {} ]"], ["for x in {}; do gzip \"$x\"; done"], ["gzip < {} > {.}.gz 2>&1"],
      ["gzip {}; ssh host ls"], ["ssh host ls < {}"], ["gzip < 'my folder/{}'"],
      ["find . -name {}"],
      ["find . -name '*{}*'"], ["export X={}; gzip"], ["evaluate {}"], ["\"$HOME/bin/x\" {}"],
      ["ls \"$(basename {})\""], ["(gzip {})"], ["git -c x={} log"], ["flock -n lk grep -c x{}"],
      ["gcc -c {}.c -o {.}.o"], ["FILE={} make"], ["ls {} # sh -c"], ["gzip {} | sh -c cat"],
      ["printf", "%s", "{}"], ["echo {#} {}"], ["./sh.sh {}"], ["case {} in a) gzip {};; esac"],
      ["x={}; mv \"$x\" \"${x%.*}.y\"; : ${x##*/} ${x:-y}"], ["x={}; sh -c 'a \"$1\"' _ \"$x\""],
      ["gzip {} && ssh host date"], ["tar c {} | ssh host tar x"], ["x={}; echo \"got $x\""],
      ["ls {} | xargs -n1 sh -c 'a \"$1\"' _"], ["x={}; [ \"$x\" = a ] && gzip \"$x\""],
      ["ls {} | while read x; do gzip \"$x\"; done"], ["x={}; y=$(({#}+1)); gzip \"$x\""],
      ["f () { gzip \"$1\"; }; f {}"], [". {}"], ["x={}; export x; make"],
      ["x={}; [ \"${x%.*}\" = a ] || scp \"${x#*:}\" host:$(date)"], ["env A={} make"],
      ["true && { gzip {}; }"], ["if [ -e {} ]; then gzip {}; fi"], ["ls {} &> x"],
      ["bash -s < {}; eval $x"], ["tee >(cat > x) < {}"], ["ls {} > >(sort)"], ["x+={}; a \"$x\""],
      ["cd {} && make"], ["cd {} && ls \"$PWD\""], ["env -i A=$x make {}"], ["env -u A make {}"],
      ["env -- make {}"], ["env A+={} B={} make -{}"], ["set -- {}; gzip \"$1\""], ["a set x {}"],
      ["printf '%-9s|%05.1q%%%b\\n' {} {} | cat"], ["{ gzip {} || exit 1; }"], ["x={}; exit 1"],
      ["x={}; y=${x%.*}; exit 1"], ["x={}; printf '%s' \"${x%.*}\""], ["x={}; export Y=${x%.*}"],
      ["trap 'rm \"$t\"' EXIT; gzip {}"], ["x={}; : ${x%.*} $RANDOM"], ["x={}; a MY_UID PS4S"],
      ["x={}; : ${x%.*}; set -- a; export Y; exit; printf %s a"], ["BASH_FUN={} a"],
      ["printf '\\033[32m%s [ok]\\n' {}"], ["for ENV in dev prod; do a \"$ENV\" {}; done"],
      ["ulimit -s unlimited; a {}"], ["for LINES in 1 20; do a {}; done"],
      ["gzip {} >&2"], ["gzip {} 2>&1 <&3 >& 4"], ["COLUMNS=80 LINES=24 gzip {}"],
      ["exit 3; a {}"],
      ["printf '%s\\n' {}; exit 3"], ["PS4='+ ' gzip {}"], ["unset x; a {}"],
      ["read x < f; gzip {}"],
      ["wait; gzip {}"], ["[ 1 -eq 2 ] || gzip {}"],
      ["[ -5 -eq -4 ]; a {}"], ["trap : EXIT; shift 2; gzip {} >&\"2\""],
    ]
  )
  func any(command: [String]) throws {
    let template = try template(command)
    #expect(!template.mayRefuse && template.warning == nil)
  }

  @Test(
    "any input is put behind the script of a shell, or behind its text",
    arguments: [
      ["sh", "-c", "gzip \"$1\"", "sh", "{}"], ["sh -c 'gzip \"$1\"' _ {}"], ["bash script.sh {}"],
      ["sh", "-c", "echo {#} \"$1\"", "sh"], ["bash -x ./script.sh a {} {.}"], ["sh x.sh -c {}"],
      ["env LANG=C bash -euo pipefail -c 'a \"$1\"' _ {}"], ["sh -c -- 'a \"$1\"' _ {1} {/}"],
      ["find . -exec sh -c 'a \"$1\" \"$2\"' _ {} +"], ["ls | xargs -n1 sh -c 'a \"$1\"' _ {}"],
      ["busybox sh -c 'a \"$1\"' sh {}"], ["/bin/bash --rcfile f script {}"], ["sh -c '' _ {}"],
      ["sh -c 'a \"$1\"' _ \"$(basename {})\""], ["2>x sh >y -c 'a \"$1\"' _ {} 2>&1"],
      ["{ sh -c 'a \"$1\"' _ {}; }"], ["sh ~/x.sh {}"],
      ["if sh -c 'a \"$1\"' _ {}; then :; fi"], ["bash -- script.sh {}"], ["bash-5.2 x {}"],
      ["bash --norc --posix +x -O extglob x {}"], ["env -i sh -c 'a \"$1\"' sh {}"], ["sh - x {}"],
      ["env -u A sh -c 'a \"$1\"' bash {}"], ["bash +ec 'a \"$1\"' _ {}"],
    ]
  )
  func arguments(command: [String]) throws {
    let template = try template(command)
    #expect(!template.mayRefuse && template.warning == nil)
  }

  @Test(
    "only a plain input is put where a program could read it",
    arguments: [
      // Texts with blanks or signs.
      ["sh", "-c", "gzip {}"], ["mysh -c 'a {}'"], ["env -S 'sh -c \"echo {}\"'"], ["a \"b;{}\""],
      ["env --split-string=\"sh -c 'echo {}'\""], ["flock lk -c 'a {}'"], ["su me -c 'a {}'"],
      ["curl -H \"A: {}\""], ["git commit -m \"Add {}\""], ["function f { sh -c \"echo {}\"; }; f"],
      ["coproc X { sh -c \"echo {}\" >&2; }; wait"], ["echo \"$(date) of $(basename {})\""],
      ["awk '{print $1,\"{}\"}'"], ["a '\\{}'"], ["a \"<{}>\""], ["a x\\ {}"], ["x=\"a {}\""],
      // Shells, wherever they are in the simple command.
      ["sh", "-c", "{}{}"], ["sh -c x{}"], ["/bin/dash -c x{}"], ["2>&1 sh -c \"echo {}\""],
      ["sh 2>&1 -c \"echo {}\""], [">x 2>&1 eval \"echo {}\""], ["exec 3>&1 sh -c \"echo {}\""],
      ["<&- sh -c \"echo {}\""], ["\"$SHELL\" -c \"echo {}\""], ["\"$SHELL\" -c x{}"],
      ["env $SHELL -c x{}"], ["sh $opt -c \"echo {}\""], ["sh $opt -c {}"], ["sh $opt x {}"],
      ["rbash -c \"echo {}\""], ["rbash -c x{}"], ["&>x sh -c x{}"], ["$RSH host {}"], ["sh {}"],
      ["$(which sh) -c {}"], ["BASH_ENV={} bash x"], ["env X={} sh x"], ["find {} -exec sh x \\;"],
      ["sh -s {}"], ["sh -c \"$x\" _ {}"], ["sh \"$x\" {}"], ["sh *.sh {}"], ["sh -c 'a' _ 'b {}'"],
      ["sh x bash -c {}"], ["sh -c '\"$@\"' _ eval {}"], ["fish -c a {}"], ["fish -c {}"],
      ["env -S \"sh -c\" {}"], ["sh 2>x -c y{}"], ["timeout 5 sh -c y{}"], ["sh -c \"$(cat {})\""],
      ["x=$(sh -c y{})"], ["bash <(echo {})"], ["sh {} \\\n-c"], ["a {} \"`b`\" sh"],
      ["sh >f -c {}y"], ["ash5.1 -c x{}"], ["bash --rcfile {} x"], ["bash --rcfile {}"],
      // Other programs that read words.
      ["ssh host {}"], ["ssh {} ls"], ["ssh", "host", "x{}"], ["su -c {}"], ["watch ls {}"],
      ["rsync -e ssh {} host:"], ["sudo su me -c {}"], ["ls | xargs ssh host {}"],
      // Builtins that evaluate.
      ["eval echo {}"], ["eval x{}"], ["command eval echo {}"], ["eval $x {}"], ["x=1 eval {} a"],
      ["printf -v \"a[{}]\" x"], ["printf -v {} x"], ["printf {} x"], ["printf \"$f\" {}"],
      ["test -v {}"], ["[ -v {} ]"], ["[ $x {} ]"], ["[ {} {} ]"], ["[ a -o -v {} ]"],
      ["[ {} -gt 3 ]"], ["read {} < /dev/null"], ["declare -i x={}"], ["local x={}"], ["let x={}"],
      ["mapfile -C \"echo {}\" -c 1 < x"], ["mapfile -C {} x"], ["trap {} EXIT"], ["unset {}"],
      ["export -a x={}"], ["export {}"], ["readonly -A x={}"], ["wait -p {}"], ["getopts a {}"],
      ["compgen -W {}"], ["typeset x={}"],
      // Values that the line keeps or passes on, and evaluates.
      ["x={}; eval $x"], ["x={}; eval \"a $x\""], ["x={}; sh -c \"a $x\""], ["x={}; ssh h \"$x\""],
      ["for x in {}; do sh -c \"a $x\"; done"], ["set -- {}; eval \"$1\""], ["x={}; $x"],
      ["f () { eval \"$1\"; }; f {}"], ["function f { eval \"$1\"; }; f {}"], ["x={}; let \"$x\""],
      ["echo {} | sh"], ["echo {} | bash -s"], ["echo {} | while read x; do eval \"$x\"; done"],
      ["echo {} | xargs -I% sh -c \"echo %\""], ["echo {} | xargs sh -c"], ["x={}; echo $((x))"],
      ["x={}; ((x > 3))"], ["x={}; [[ x -eq 1 ]]"], ["x={}; echo ${y[x]}"], ["x={}; echo ${!x}"],
      ["x={}; echo ${x@P}"], ["x={}; echo ${y:x}"], ["x={}; [ -v $x ]"], ["x={}; test -v \"$x\""],
      ["declare -i x; x={}"], ["declare -n x; x={}; echo $x"], ["export x={}; sh -c 'eval \"$x\"'"],
      ["x=$(echo {}); eval \"$x\""], ["echo {} | . /dev/stdin"], [". <(echo {})"],
      ["x={}; source <(echo $x)"], ["x={}; PS4=$x; set -x; :"], ["x={}; y[x]=1"],
      ["x={}; eval \\\n $x"], ["echo {} | xargs ssh host ls"], ["echo {} | bash /dev/stdin"],
      ["x={}; : ${x%y}; [ -v $x ]"], ["x={}; : ${x%y} ${y:x}"], ["x={}; : ${x%y} ${!x}"],
      ["x={}; : ${x%y}; ((x))"], ["x={}; : ${x%y}; [[ x -eq 1 ]]"], ["x={}; : ${x%y}; y[x]=1"],
      ["x={}; : ${x%y} ${x@P}"], ["x={}; : ${x%y}; eval $x"], ["env -S {}"], ["env -S x={} y"],
      ["env -iS x={}"], ["env --split-string={}"],
      // Inputs that are kept in another way than by an assignment.
      ["gzip {} && ssh $H \"$x\""], ["X=\"$(date)\" sh -c 'a \"$1\"' _ {}"],
      ["x+={}; eval \"echo $x\""], ["declare -i n=0; n+={}"], ["export x+={}; sh -c 'eval \"$x\"'"],
      ["x[0]={}; eval \"${x[0]}\""], ["declare -ia x; x[0]={}"], ["x[0]+={}; eval \"a $x\""],
      ["while read -r x; do eval \"$x\"; done < <(echo {})"], ["bash < <(echo {})"],
      ["mapfile x < <(echo {}); eval \"$x\""], ["exec 3< <(echo {}); read x <&3; eval \"$x\""],
      ["coproc cat; echo {} >&${COPROC[1]}"], ["echo {} > >(sh)"], ["echo {} | tee >(sh)"],
      ["exec > >(bash -s); echo {}"], ["exec 3> >(sh); echo {} >&3"], ["echo {} 2>&1 > >(sh)"],
      ["cd {} && sh -c \"ls $PWD\""], ["cd {} && ssh host \"ls $PWD\""], ["pushd {}; eval a $PWD"],
      ["cd {}; cd ..; sh -c \"ls $OLDPWD\""], ["gzip {}; sh -c \"ls $_\""], ["a {}; eval $(a)"],
      ["touch {}; for f in *; do sh -c \"ls $f\"; done"], ["echo {} | fish"], ["echo {} | su me"],
      ["echo {} | while read RANDOM; do :; done"], ["echo {} | { read PS4; set -x; :; }"],
      ["x={}; trap 'eval \"$x\"' EXIT"], ["x={}; eval 'eval $x'"], ["x={}; eval 'a $((x))'"],
      ["x={}; trap 'PS4=$x; set -x; :' EXIT"], ["x={}; : ${x%y}; exit \"$x\""],
      ["x={}; : ${x%y}; printf \"$x\" a"], ["x={}; : ${x%y}; PS4=$x; set -x; :"],
      ["x={}; : ${x%y}; export \"$x\""], ["x={}; : ${x%y}; env `echo $x`"], ["x={}; : ${PS4:=$x}"],
      ["x={}; : ${x%y}; env $x"], ["x={}; : ${x%y} ${(e)x}"], ["{ echo {}; } | bash -s"],
      // Words that a program may take for an option, or a command.
      ["env {}"], ["env {} make"], ["env -{}"], ["env -i {} sh"], ["env -u X {}"], ["env A=b {}"],
      ["env A=$x {} make"], ["env $x make {}"], ["env E{} a"], ["env -i{} a b"], ["x={}; env $x"],
      ["sudo env {}"], ["env --unset X {}"], ["env -C a {}"], ["echo {} | xargs env"],
      // Options of shells that have arguments.
      ["zsh --emulate sh -c x{}"], ["zsh --emulate sh -c {}"], ["bash -oo a b -c {}"],
      ["bash -oo a b -c x{}"], ["bash -o -c x {}"], ["bash -o {} x"], ["bash -o"],
      ["mksh -T a x {}"],
      ["bash +c {}x"], ["bash -O a +O b -c x{}"], ["sh + x {}"], ["sh -A a x {}"],
      ["sh -Oe a x {}"],
      ["bash -o $x x {}"],
      // Other programs and builtins that execute or evaluate words.
      ["runuser -c x{}"], ["sg me -c x{}"], ["parallel x{}"], ["alias x={}; eval x"],
      ["alias x={}"],
      ["\\alias x={}"], ["x={}; alias y=\"$x\""], ["alias a='eval $x'; cd {}"],
      ["emulate sh -c {}"],
      ["integer x={}"], ["float x={}"], ["integer x; x={}"], ["nameref x={}"], ["print -v {} x"],
      ["printf %d {}"], ["printf '%s %5.2f' {} 1"], ["printf '%*s' {} a"], ["printf \"a$x\" {}"],
      ["x={}; printf %x \"$x\""], ["exit {}"], ["x={}; return \"$x\""], ["repeat {} :"],
      ["break {}"], ["continue {}"], ["shift {}"], ["ulimit -n {}"], ["[ -t {} ]"], ["set -A {} x"],
      ["set {}"], ["set -e {}"], ["x={}; set $x"], ["zparseopts {}"], ["zformat -f {} a"],
      ["set a; sh -c 'a' _ \"$x\"; x={}"],
      // The file behind a descriptor's sign, which bash expands twice.
      ["ls >& {}.log"], [">&{} ls"], ["ls >&\"{}\""], ["ls 1>&'{}'"], ["ls <& {}"],
      ["x={}; ls >&\"$x\""], ["x={}; ls >&$x"], ["ls >& \"$(a {})\""],
      // Variables that are named without a dollar.
      ["x={}; let y=x"], ["x={}; let x"], ["x={}; RANDOM=x"], ["x={}; for RANDOM in x; do :; done"],
      ["x={}; printf -v RANDOM x"], ["x={}; OPTIND=x; getopts a b"], ["x={}; read 'a[x]' < f"],
      ["x={}; printf -v 'a[x]' 1"], ["x={}; test -v 'a[x]'"], ["x={}; [ -v 'a[x]' ]"],
      ["x={}; wait -n -p 'a[x]'"], ["x={}; export RANDOM=x"], ["x={}; HISTCMD=x; :"],
      ["x={}; shift x"], ["x={}; exit x"], ["x={}; [ x -eq 1 ]"], ["x={}; test 1 -lt x"],
      ["x={}; [ -x -eq 1 ]"], ["x={}; test 2 -lt --x"], ["x={}; [ -f f -a -x -ne 1 ]"],
      ["x={}; unset 'a[x]'"], ["x={}; printf %d x"], ["x={}; PS4='$(eval $x)'; set -x; :"],
      ["x={}; TMOUT+=x"], ["x={}; getopts a OPTIND"], ["x={}; export 'a[x]=1'"],
      // Variables that a shell evaluates.
      ["RANDOM={}; :"], ["PS4={}; set -x; :"], ["export BASH_ENV={}"], ["OPTIND={} :"],
      ["for RANDOM in {}; do :; done"], ["{ for RANDOM in {}; do :; done; }"],
      ["PS4+={}; set -x; :"], ["BASH_ENV+={} a"], ["BASHPID+={}"], ["LINES={}"], ["PROMPT4={} a"],
      ["env \"BASH_FUNC_ls%%={}\" a"], ["export RANDOM+={}"], ["PS4[0]={}; set -x; :"],
    ]
  )
  func plain(command: [String]) throws {
    let template = try template(command)
    for input in Self.hostileInputs { #expect(isRefused(input, by: template), "\(input)") }
    for input in Self.plainInputs { #expect(!isRefused(input, by: template), "\(input)") }
    #expect(template.warning == nil)
    let words = command.map(bytes)
    #expect(try !Template(command: words, checksInputs: false).mayRefuse)
  }

  @Test(
    "an input that is a whole program can be anything, and is announced",
    arguments: [
      ["sh", "-c", "{}"], ["sh -c"], ["sh", "-c"], ["bash -c '{}' x"], ["eval {}"], ["eval"],
      ["eval {} > out.{#}"], ["eval {} 2>/dev/null"], ["X=\"$(date)\" sh -c"], ["env sh -ec {}"],
      ["command eval {}"],
    ]
  )
  func program(command: [String]) throws {
    let template = try template(command)
    #expect(!template.mayRefuse)
    #expect(template.warning?.hasPrefix("each input is executed as a command line, by '") == true)
  }

  @Test("only the part that is put in counts, and each of several fields")
  func parts() throws {
    let name = try template(["sh -c 'gzip {/}'"])
    #expect(!isRefused("a b/c", by: name) && isRefused("a/b c", by: name))
    let pair = try Template(command: [bytes("sh -c 'a {2}'")], fields: FieldLayout(count: 2))
    #expect(pair.refusal(of: TemplateInput(["a b", "c"].map(bytes), number: 1)) == nil)
    #expect(pair.refusal(of: TemplateInput(["a", "b c"].map(bytes), number: 1)) != nil)
    let all = try Template(command: [bytes("sh -c 'a {}'")], fields: FieldLayout(count: 2))
    #expect(all.refusal(of: TemplateInput(["a", "b c"].map(bytes), number: 1)) != nil)
  }

  @Test("several fields may become an option and its name")
  func lists() throws {
    for (line, isSafe) in [("[ {} ]", false), ("[ {1} = {2} ]", true), ("[ {1} {2} ]", false)] {
      let template = try Template(command: [bytes(line + "; :")], fields: FieldLayout(count: 2))
      #expect(template.mayRefuse != isSafe, "\(line)")
    }
  }

  @Test("the refusal names the program, the safe form and the option")
  func message() throws {
    func refusal(_ line: String) throws -> String? {
      try template([line]).refusal(of: TemplateInput([bytes("a b")], number: 1))
    }
    let rest = """
      the input has more than letters, digits and _ . / : , + @ -; put it behind the text of \
      a shell, as in sh -c '…\"$1\"…' sh {}, or allow any input with --unsafe-nested
      """
    #expect(try refusal("ssh host {.}") == "'ssh' could read {.} as a program, and " + rest)
    #expect(try refusal("x 'a {}'") == "{} is in a text, which could be a program, and " + rest)
  }

  /// Lines of every day, none of which may be refused for plain inputs.
  static let everydayLines = [
    "git commit -m \"Add {}\"", "curl -H \"A: {}\" http://localhost", "ssh host \"job {}\"",
    "date -d \"{} days ago\"", "find . -newermt \"{} 00:00\"",
    "find . -exec sh -c \"test -e {}\" \\;", "sh -c \"gzip {}\"", "bash -c 'wc -l < {}'",
    "grep \"TODO: {}\" x", "sed \"s/a b/{}/\" x", "awk -v x={} '{print x}' f",
    "psql -c \"select * from {}\"", "docker run --rm img sh -c \"build {}\"",
    "echo \"Processing {}\"; gzip {}", "printf '%s\\n' \"<{}>\"", "mail -s \"Report {}\" me < {}",
    "ffmpeg -i {} -vf \"scale=100:-1, fps={#}\" {.}.mp4", "tar czf \"my {/}.tgz\" {}",
    "rsync -e ssh {} host:", "watch -n1 ls {}", "su me -c \"run {}\"", "eval \"echo {}\"",
    "[ {} -gt 3 ] && echo {}", "test -f {} || touch {}", "read x < {}; echo \"$x\"",
    "printf -v x '%s' {}", "x=\"a {}\"; echo \"$x\"", "for i in {}; do echo \"$i\"; done",
    "jq \".a | .{}\" f.json", "curl \"http://h/?a=1&b={}\"", "python3 -c \"print('{}')\"",
    "make -C {} CFLAGS=\"-O2 -DX={}\"", "timeout 5 ssh {} uptime",
    "kubectl exec {} -- sh -c 'ls /'",
    "flock lk -c \"gzip {}\"", "ls | xargs -I% sh -c 'cp % {}'", "xargs -a {} sh -c 'ls \"$@\"' _",
    "export X={}; make", "perl -ne \"print if /{} x/\" f", "cd {} && ls | wc -l",
    "nohup bash script.sh {} > {.}.log 2>&1", "echo {} | bc", "(cd {} && make)",
    "trap 'rm {}' EXIT",
  ]

  @Test("no line of every day is refused for plain inputs", arguments: everydayLines)
  func everyday(line: String) throws {
    for command in [[line], ["env", line]] {
      let template = try template(command)
      for input in Self.plainInputs { #expect(!isRefused(input, by: template), "\(input)") }
    }
  }

  /// Each executes some of the inputs, if they are put in unchecked.
  private static let lines = [
    "2>&1 sh -c \"echo {}\"", "sh 2>&1 -c \"echo {}\"", ">x 2>&1 eval \"echo {}\"",
    "env 2>&1 sh -c \"echo {}\"", "env -S 'sh -c \"echo {}\"' ", "\"$SHELL\" -c \"echo {}\"",
    "env --split-string=\"sh -c 'echo {}'\" ", "sh $opt -c \"echo {}\"", "rbash -c \"echo {}\"",
    "function f { sh -c \"echo {}\"; }; f", "coproc X { sh -c \"echo {}\" >&2; }; wait",
    "&>x sh -c \"echo {}\"", "printf -v \"a[{}]\" x", "printf -v {} x", "test -v {}", "[ -v {} ]",
    "printf {} x", "read {} < /dev/null", "declare -i x={}", "trap {} EXIT", "let x={}", "eval x{}",
    "mapfile -C \"echo {}\" -c 1 < /etc/passwd", "a=(1); unset {}", "RANDOM={}", "sh -c x{}",
    "PS4={}; set -x; :", "BASH_ENV={} bash -c :", "compgen -W {}", "export -a x={}", "OPTIND={}",
    "sleep 0 & wait -n -p {}", "find / -maxdepth 0 -exec sh -c \"echo {}\" \\;",
    "echo x | xargs sh -c x{}", "sh -c \"$(echo {})\"", "bash <(echo {})", "nohup sh -c x{}",
    "env -S \"sh -c\" x{}", "$(echo sh) -c x{}", "sudo() { \"$@\"; }; f () { sh -c x{}; }; f",
    "x={}; eval $x", "f () { eval \"$1\"; }; f {}", "echo {} | sh", "x={}; sh -c \"a $x\"",
    "x={}; echo $((x))", "x={}; echo ${x@P}", "declare -i x; x={}", ". <(echo {})", "x={}; $x",
    "echo {} | xargs -I% sh -c \"echo %\"", "export x={}; sh -c 'eval \"$x\"'", "x={}; y[x]=1",
    "x=echo; x+={}; eval \"echo $x\"", "declare -i n=0; n+={}", "set -x; PS4+={}; :", "RANDOM+={}",
    "BASH_ENV+={} bash -c :", "x[0]={}; eval \"${x[0]}\"", "declare -ia x; x[0]={}", "BASHPID+={}",
    "while read -r x; do eval \"$x\"; done < <(echo {})", "echo {} > >(sh); sleep 0.05",
    "echo {} | tee >(sh) >/dev/null; sleep 0.05", "env {}", "env {} make", "env -i {} a",
    "env -u X {}",
    "alias x={}; eval x", "x={}; alias y=\"$x\"; eval y", "ls {}; sh -c \"ls $_\"",
    "mkdir -p ./{}; cd ./{}; sh -c \"ls $PWD\"", "mkdir ./{}; cd ./{}; cd ..; eval \"a $OLDPWD\"",
    "touch ./{}; for f in *; do sh -c \"ls $f\"; done", "bash -oo posix emacs -c x{}",
    "bash +c x{}",
    "x={}; trap 'eval \"$x\"' EXIT", "x={}; : ${x%y}; printf \"$x\" a",
    "unset PS4; x={}; : ${PS4:=$x}",
    "echo {} | { read PS4; set -x; :; }", "x={}; : ${x%y}; PS4=$x; set -x; :",
    "if sh -c x{}; then :; fi", "(sh -c x{})", "x=$(eval x{})", "timeout 5 sh -c x{}",
  ]

  private static let attacks = [
    "$(touch pwned)", "a[$(touch pwned)]", "`touch pwned`", ";touch pwned", "-va[$(touch pwned)]",
    "touch pwned", "'$(touch pwned)'", "([$(touch pwned)]=1)", "-Stouch pwned",
  ]

  /// The lines with the attacks that are put into them.
  private func commands(isChecked: Bool) -> [[UInt8]] {
    Self.lines.flatMap { line -> [[UInt8]] in
      guard let template = try? Template(command: [bytes(line)], checksInputs: isChecked)
      else { return [] }
      return Self.attacks.compactMap { attack in
        let input = TemplateInput([bytes(attack)], number: 1)
        guard template.refusal(of: input) == nil else { return nil }
        return CanaryShell.line(of: template.command(input))
      }
    }
  }

  @Test("no attack is executed, by any shell", arguments: CanaryShell.paths)
  func attacks(shell: String) throws {
    let commands = commands(isChecked: true)
    for index in try CanaryShell.culprits(commands, shell: shell) {
      Issue.record("\(Printable.text(commands[index]))")
    }
    #expect(try !CanaryShell.culprits(self.commands(isChecked: false), shell: shell).isEmpty)
  }
}
