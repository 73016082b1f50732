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
    #expect(flags(text).addressWord?.starts(with: Array("--jobserver-".utf8)) == true)
  }

  @Test(
    "text without a jobserver names none",
    arguments: ["", "k", "-j4", "-- A=--jobserver-auth=3,4"]
  )
  func nothing(_ text: String) {
    #expect(flags(text).address == nil)
    #expect(flags(text).addressWord == nil)
    #expect(Jobserver(flags(text)) { _, _ in .usable } == .none)
  }

  @Test(
    "a make that executes nothing says so by the letters of its first word",
    arguments: [
      ("n", .print), ("kn -j2", .print), ("q", .ask), ("rt --no-print-directory", .touch),
      ("", nil), (" -n", nil), ("-n", nil), ("k --no-print-directory", nil), ("N=n", nil),
      ("-- A=n", nil),
    ] as [(String, MakeFlags.Rehearsal?)]
  )
  func rehearsal(_ text: String, _ rehearsal: MakeFlags.Rehearsal?) {
    #expect(flags(text).rehearsal == rehearsal)
  }

  @Test(
    "an address that is none names a jobserver that cannot be used",
    arguments: [
      "", "3", "3,", "3,4,5", "a,b", "5,6x", "fifo:", "sem:foo", "99999999999,4",
      "99999999999999999999,4",
    ]
  )
  func wrongAddress(_ address: String) {
    let word = "--jobserver-auth=\(address)"
    let flags = flags(" -j4 \(word) -- A=1")
    #expect(flags.address == nil)
    let obstacle = Jobserver.Obstacle.malformed(word: Array(word.utf8))
    #expect(Jobserver(flags) { _, _ in .usable } == .unavailable(obstacle))
    #expect(obstacle.words == "'\(word)' in MAKEFLAGS has neither R,W, from 3 on, nor fifo:PATH")
  }

  @Test("what a warning shows of the variable is printable, and not long")
  func hostileAddress() {
    let long = [UInt8](repeating: 65, count: 9_000)
    let word = Array("--jobserver-auth=\u{1B}[2J".utf8) + [255] + long
    let words = Jobserver.Obstacle.malformed(word: word).words
    #expect(words.hasPrefix(#"'--jobserver-auth=\x1B[2J\xFFAAA"#), "\(words)")
    #expect(words.count < 120)
  }

  @Test("a pipe must be open; a FIFO is opened later")
  func openness() {
    let pipe = flags(" -j3 --jobserver-auth=3,4")
    let address = MakeFlags.Address.pipe(read: 3, write: 4)
    let found = Jobserver(pipe) { ($0 == 4) == $1 ? .usable : .closed }
    #expect(found == .found(address, jobs: 3))
    #expect(Jobserver(pipe) { _, _ in .closed } == .unavailable(.closed))
    for closed in [Int32(3), 4] {
      let found = Jobserver(pipe) { end, _ in end == closed ? .closed : .other }
      #expect(found == .unavailable(.closed))
    }
    let fifo = Jobserver(flags("--jobserver-auth=fifo:f")) { _, _ in .closed }
    #expect(fifo == .found(.fifo([UInt8(ascii: "f")]), jobs: nil))
  }

  @Test("an open descriptor that is not that end of a pipe is named", arguments: [Int32(3), 4])
  func wrongEnd(_ number: Int32) {
    let word = "--jobserver-auth=3,4"
    let found = Jobserver(flags(word)) { end, _ in end == number ? .other : .usable }
    let isWriter = number == 4
    let obstacle = Jobserver.Obstacle.unsuitable(
      number,
      isWriter: isWriter,
      word: Array(word.utf8)
    )
    #expect(found == .unavailable(obstacle))
    let end = isWriter ? "writing" : "reading"
    #expect(obstacle.words == "'\(word)': descriptor \(number) is not the \(end) end of a pipe")
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
