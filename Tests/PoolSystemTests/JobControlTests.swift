import Foundation
import Testing

@testable import PoolSystem

/// Contract: a group can be continued if an ancestor's parent is in another group of the session.
@Suite("Job control")
struct JobControlTests {
  private typealias Place = JobControl.Place

  /// Decides for process 10 among these.
  private func decide(_ places: [Int32: (parent: Int32, group: Int32, session: Int32)]) -> Bool {
    JobControl.canBeContinued(10) { process in
      places[process].map { Place(parent: $0.parent, group: $0.group, session: $0.session) }
    }
  }

  @Test("a shell that started it in a group of its own can, and also one that started a script")
  func shell() {
    #expect(decide([10: (5, 10, 1), 5: (1, 5, 1)]))
    #expect(decide([10: (9, 8, 1), 9: (8, 8, 1), 8: (5, 8, 1), 5: (1, 5, 1)]))
    // The shell may lead the session.
    #expect(decide([10: (9, 9, 5), 9: (5, 9, 5), 5: (1, 5, 5)]))
  }

  @Test("no process of another session can, nor one of the same group")
  func otherSession() {
    #expect(!decide([10: (5, 10, 10), 5: (1, 5, 1)]))
    #expect(!decide([10: (9, 9, 9), 9: (5, 9, 9), 5: (1, 5, 1)]))
    #expect(!decide([10: (9, 9, 1), 9: (0, 9, 1)]))
  }

  @Test("where an ancestor is not known, there is none")
  func unknown() {
    #expect(!decide([:]))
    #expect(!decide([10: (5, 10, 1)]))
    #expect(!decide([10: (9, 9, 1), 9: (5, 9, 1)]))
    #expect(!decide([10: (0, 10, 0), 0: (0, 1, 0)]))
    #expect(!decide([10: (-1, 10, 0), -1: (0, 1, 0)]))
  }

  @Test("ancestors that go round in a circle are left at some time")
  func circle() {
    #expect(!decide([10: (9, 9, 1), 9: (10, 9, 1)]))
  }

  @Test("the system tells the places of this process and of its parent, and of no absent process")
  func system() throws {
    let own = try #require(Place(of: CurrentProcess.identifier))
    #expect(own == Place(parent: CurrentProcess.parent, group: getpgrp(), session: getsid(0)))
    if ProcessStatus.isKnown, own.parent > 1 {
      let parent = try #require(Place(of: own.parent))
      #expect(parent.group == getpgid(own.parent))
      #expect(parent.session == getsid(own.parent))
    }
    #expect(Place(of: .max) == nil)
  }
}
