import Testing

@testable import PoolCommand

/// Contract: what `MAKEFLAGS` says of a jobserver, as GNU make and programs like it write it.
@Suite("MAKEFLAGS")
struct MakeFlagsTests {
  private func flags(_ text: String) -> MakeFlags { MakeFlags(Array(text.utf8)) }

  @Test(
    "the address and the number of jobs are found",
    arguments: [
      (" -j3 --jobserver-auth=3,4", MakeFlags.Address.pipe(read: 3, write: 4), 3),
      ("kw -j12 --jobserver-fds=5,6 -j", .pipe(read: 5, write: 6), nil),
      ("-j --jobserver-fds=7,8 --jobserver-auth=7,8", .pipe(read: 7, write: 8), nil),
      (" -j2 --jobserver-auth=fifo:/tmp/GMfifo1", .fifo(Array("/tmp/GMfifo1".utf8)), 2),
      // The last one counts.
      ("--jobserver-auth=3,4 --jobserver-auth=5,6", .pipe(read: 5, write: 6), nil),
      // What make writes for a recipe that gets no jobserver.
      (" -j2 --jobserver-auth=-2,-2", .pipe(read: -2, write: -2), 2),
      (" -j3 --jobserver-auth=3,4 -- A=--jobserver-auth=9,9", .pipe(read: 3, write: 4), 3),
    ] as [(String, MakeFlags.Address, Int?)]
  )
  func addresses(_ text: String, _ address: MakeFlags.Address, _ jobs: Int?) {
    #expect(flags(text).address == address)
    #expect(flags(text).jobs == jobs)
    #expect(flags(text).namesJobserver)
  }

  @Test(
    "text without a jobserver names none",
    arguments: ["", "k", "-j4", "-- A=--jobserver-auth=3,4"]
  )
  func nothing(_ text: String) {
    #expect(flags(text).address == nil)
    #expect(!flags(text).namesJobserver)
    #expect(Jobserver(flags(text)) { _, _ in true } == .none)
  }

  @Test(
    "an address that is none names a jobserver that cannot be used",
    arguments: ["", "3", "3,", "3,4,5", "a,b", "fifo:", "99999999999,4"]
  )
  func wrongAddress(_ address: String) {
    let flags = flags("--jobserver-auth=\(address)")
    #expect(flags.address == nil)
    #expect(Jobserver(flags) { _, _ in true } == .unavailable)
  }

  @Test("a pipe must be open; a FIFO is opened later")
  func openness() {
    let pipe = flags(" -j3 --jobserver-auth=3,4")
    let address = MakeFlags.Address.pipe(read: 3, write: 4)
    #expect(Jobserver(pipe) { $0 == 3 && $1 == 4 } == .found(address, jobs: 3))
    #expect(Jobserver(pipe) { _, _ in false } == .unavailable)
    let fifo = Jobserver(flags("--jobserver-auth=fifo:f")) { _, _ in false }
    #expect(fifo == .found(.fifo([UInt8(ascii: "f")]), jobs: nil))
  }

  @Test(
    "an own jobserver takes the place of another one, and nothing else is lost",
    arguments: [
      ("", " OWN"),
      ("k", "k OWN"),
      ("kw -j3 --jobserver-auth=3,4 --no-print-directory", "kw --no-print-directory OWN"),
      (" -j3 --jobserver-fds=3,4 -- A=1 B=-j2", " OWN -- A=1 B=-j2"),
      ("-- A=1", " OWN -- A=1"),
    ]
  )
  func naming(_ text: String, _ expected: String) {
    let own = "-j8 --jobserver-fds=5,6 --jobserver-auth=5,6"
    let named = flags(text).naming(read: 5, write: 6, jobs: 8)
    #expect(String(decoding: named, as: UTF8.self) == expected.replacing("OWN", with: own))
    #expect(MakeFlags(named).address == .pipe(read: 5, write: 6))
  }
}
