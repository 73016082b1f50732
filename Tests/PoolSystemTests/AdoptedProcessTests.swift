import PoolSystem
import Testing

/// Contract: of what a coordinator adopts when a worker and its guardian die at once, that ends
/// which the command under way has started; what commands before it have left stays.
@Suite("Adopted processes")
struct AdoptedProcessTests {
  private func process(
    _ number: Int32,
    _ start: UInt64,
    group: Int32? = nil,
    session: Int32 = 1_000_001,
    isKilled: Bool = false,
    isForeign: Bool = false
  ) -> AdoptedProcess {
    AdoptedProcess(
      identifier: number,
      start: start,
      group: group ?? number,
      session: session,
      isKilled: isKilled,
      isForeign: isForeign
    )
  }

  private func left(by command: AdoptedProcess, _ children: AdoptedProcess...) -> [Int32] {
    AdoptedProcess.left(by: command, among: children).map(\.identifier)
  }

  @Test("What is younger than the command ends with it, in whichever group and session")
  func younger() {
    let command = process(50, 100)
    let children = [process(60, 110, group: 50), process(70, 120, session: 70), process(40, 90)]
    #expect(left(by: command, command, children[0], children[1], children[2]) == [50, 60, 70])
  }

  @Test("Within a tick the numbers tell")
  func ticks() {
    let command = process(50, 100)
    #expect(left(by: command, process(49, 100), process(51, 100)) == [51])
  }

  @Test("What is older is spared, and so are its group and its session")
  func elders() {
    let command = process(50, 100)
    let daemon = process(40, 90, group: 40, session: 40)
    let helper = process(60, 110, group: 40, session: 40)
    let other = process(61, 110, group: 61, session: 40)
    #expect(left(by: command, command, daemon, helper, other) == [50])
  }

  @Test("The command's own group and session are never spared")
  func own() {
    let command = process(50, 100, session: 7)
    let elder = process(40, 90, group: 50, session: 7)
    #expect(left(by: command, elder, command, process(60, 110, group: 50, session: 7)) == [50, 60])
  }

  @Test("A command that has gone already still tells what was younger")
  func gone() {
    #expect(left(by: process(50, 100), process(40, 90), process(60, 110)) == [60])
  }

  private func unannounced(among children: AdoptedProcess...) -> Int32? {
    AdoptedProcess.unannouncedCommand(among: children)?.identifier
  }

  @Test("A command that was not announced is the first that led its group and was killed")
  func killed() {
    let killed = process(50, 100, isKilled: true)
    let later = process(55, 105, isKilled: true)
    let member = process(30, 80, group: 29, isKilled: true)
    #expect(unannounced(among: later, member, killed, process(40, 90)) == 50)
  }

  @Test("Or one that lives as another user, because set-id programs have no death signal")
  func foreign() {
    let member = process(30, 80, group: 29, isForeign: true)
    #expect(unannounced(among: member, process(50, 100, isForeign: true), process(40, 90)) == 50)
  }

  @Test("Where neither is there, none was under way")
  func idle() {
    #expect(unannounced(among: process(50, 100), process(60, 110)) == nil)
  }
}
