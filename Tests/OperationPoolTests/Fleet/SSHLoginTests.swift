import PoolModel
import Testing

@testable import OperationPool

/// Contract: what names a host is what ssh and a shell take as one word, and the line for it means
/// the same in every login shell.
@Suite("Hosts that ssh reaches")
struct SSHLoginTests {
  @Test(
    "A host, a user at a host, an address, and a command that ends with one are logins",
    arguments: [
      "box", "me@box", "10.0.0.7", "[::1]", "a-b.example.org", "ssh -p 2222 -F /etc/c box",
    ]
  )
  func logins(_ text: String) throws {
    let login = try #require(SSHLogin(text))
    #expect(login.host == text.split(separator: " ").last.map(String.init))
  }

  @Test(
    "Options, other words of a shell, and paths are none",
    arguments: [
      "", " ", "-oProxyCommand=x", "box;reboot", "$(x)", "`x`", "a'b", "a/b", "@group", "box\n",
      "ssh -p 22 -x", "ssh -F $HOME/c box", "~box", "*",
    ]
  )
  func others(_ text: String) { #expect(SSHLogin(text) == nil) }

  @Test("A line asks for no password, and outlives the silence of a lease")
  func line() throws {
    let login = try #require(SSHLogin("ssh -p 22 me@box"))
    let line = login.line(slots: 8, lease: .usual)
    #expect(line.hasPrefix("ssh -p 22 -o BatchMode=yes -o ConnectTimeout=20 "))
    #expect(line.contains(" -T me@box 'exec /bin/sh -c "))
    #expect(line.contains("exec opool-worker --slots=8"))
    #expect(login.line(slots: nil, lease: .usual).contains("exec opool-worker --slots=auto"))
    for seconds in [5, 300, 86_400] {
      let line = login.line(slots: 1, lease: LeaseTerms(length: .seconds(Double(seconds))))
      let counts = line.split(separator: " ").filter { $0.hasPrefix("ServerAlive") }
        .compactMap { Int($0.drop { $0 != "=" }.dropFirst()) }
      #expect(counts.reduce(1, *) > seconds)
    }
  }

  /// The letters of a script pass through single quotes of any shell, whatever the values are.
  @Test("Nothing of values and lines of any bytes is for a login shell")
  func setup() throws {
    let value = Array("it's $HOME \\ \"!\" `id`\n\n".utf8) + [0xff, 1]
    var setup = HostSetup()
    setup.variables = [try #require(HostSetup.Variable("A_1", value))]
    setup.initialization = Array("B='b c'; export B".utf8)
    let script = setup.script
    #expect(!script.contains("'") && !script.contains("!") && !script.contains("\n"))
    for name in ["", "1A", "A-B", "A B", "A=B", "É"] {
      #expect(HostSetup.Variable(name, []) == nil)
    }
  }

  @Test("A configuration of the library refuses what is no host, or no number of workers")
  func configuration() throws {
    #expect(throws: PoolError.self) { try PoolWorkerConfiguration.ssh("-x") }
    #expect(throws: PoolError.self) { try PoolWorkerConfiguration.ssh("box", slots: 0) }
    #expect(throws: PoolError.self) { try PoolWorkerConfiguration.ssh("box", slots: 1_025) }
    #expect(try PoolWorkerConfiguration.ssh("box", slots: 8).count == 1)
  }
}
