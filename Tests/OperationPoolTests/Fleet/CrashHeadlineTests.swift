import PoolModel
import Testing

@testable import OperationPool

/// Contract: where a worker says why it crashes, its death says it in the same words, and no other
/// line is taken for the reason.
@Suite("Headlines of crashes")
struct CrashHeadlineTests {
  @Test(
    "the line that says why is found among others, and freed of what surrounds it",
    arguments: [
      (
        "a\nMain/main.swift:7: Fatal error: no input\n\n*** Program crashed: Illegal instruction\n",
        "Main/main.swift:7: Fatal error: no input"
      ),
      ("x.c:3: main: Assertion `n > 0' failed.\n", "x.c:3: main: Assertion `n > 0' failed."),
      ("free(): double free detected in tcache 2\r\n", "free(): double free detected in tcache 2"),
      ("*** stack smashing detected ***: terminated\n", "stack smashing detected ***: terminated"),
      (
        "=====\n==77==ERROR: AddressSanitizer: heap-use-after-free on 0x1\n    #0 0x1 in main\n",
        "77==ERROR: AddressSanitizer: heap-use-after-free on 0x1"
      ),
      (
        "Traceback (most recent call last):\n  File \"w.py\", line 1\n    a\nValueError: odd\n",
        "ValueError: odd"
      ),
      (
        "*** Program crashed: Bad pointer dereference at 0x0000000000000000 ***\n",
        "Program crashed: Bad pointer dereference at 0x0000000000000000"
      ),
      ("Fatal error: first\nFatal error: second\n", "Fatal error: first"),
    ]
  )
  func found(_ text: String, _ headline: String) {
    #expect(CrashHeadline.find(in: Array(text.utf8)) == headline)
  }

  @Test(
    "what says nothing of a crash has none",
    arguments: [
      "", "\n\n", "fatal\nerror\n", "Traceback (most recent call last):\n", "ERROR: no\n",
    ]
  )
  func notFound(_ text: String) {
    #expect(CrashHeadline.find(in: Array(text.utf8)) == nil)
  }

  @Test("it is bounded, and a character that the limit cuts is no fault")
  func bounded() {
    let text = "Fatal error: " + String(repeating: "é", count: 400)
    let headline = CrashHeadline.find(in: Array(text.utf8))
    #expect((500...520).contains(headline?.utf8.count ?? 0))
  }

  @Test("the beginning stays, however much follows; what is between it and the end does not")
  func excerpt() {
    var error = ErrorExcerpt()
    error.append(Array("Fatal error: x\n".utf8))
    for number in 0..<2_000 { error.append(Array("frame \(number)\n".utf8)) }
    let death = PoolWorkerDeath(worker: WorkerID(rawValue: 1), status: .signaled(4), error: error)
    #expect(death.headline == "Fatal error: x")
    #expect(death.description == "worker 1 was ended by signal 4: Fatal error: x")
    #expect(death.errorHead.count == ErrorExcerpt.limit)
    #expect(death.errorTail.count == ErrorExcerpt.limit)
    #expect(error.sinceAnswer.count == 2 * ErrorExcerpt.limit)
    #expect(String(decoding: death.errorTail, as: UTF8.self).hasSuffix("frame 1999\n"))
  }

  @Test("an answer makes what came before it count only where nothing follows, and not for SIGKILL")
  func answered() {
    var error = ErrorExcerpt()
    error.append(Array("Fatal error: old\n".utf8))
    error.noteAnswer()
    error.noteAnswer()
    func headline(_ signal: Int32) -> String? {
      PoolWorkerDeath(worker: WorkerID(rawValue: 1), status: .signaled(signal), error: error)
        .headline
    }
    #expect(headline(4) == "Fatal error: old")
    #expect(headline(9) == nil)
    error.append(Array("Fatal error: new\n".utf8))
    #expect(headline(4) == "Fatal error: new")
    error.noteAnswer()
    error.append(Array("a word\n".utf8))
    error.noteAnswer()
    #expect(headline(4) == nil)
    #expect(error.tail == Array("Fatal error: old\nFatal error: new\na word\n".utf8))
  }

  @Test("what is whole is kept once")
  func short() {
    var error = ErrorExcerpt()
    error.append(Array("a\n".utf8))
    error.noteAnswer()
    error.append(Array("b\n".utf8))
    #expect(error.sinceAnswer == Array("b\n".utf8))
  }
}
