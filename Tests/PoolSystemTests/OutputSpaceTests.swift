import Foundation
import PoolSystem
import Testing

/// Contract: what is known of the room that outputs have, without asking for any.
@Suite("The room of outputs")
struct OutputSpaceTests {
  @Test(
    "Quotas are read from the options of a device's mount, and believed in where it is missing",
    arguments: [
      ("rw,errors=remount-ro", false), ("rw,usrquota", true), ("rw,noquota", false),
      ("rw,attr2,prjquota", true), ("rw,jqfmt=vfsv1,usrjquota=aquota.user", true),
    ]
  )
  func mountTable(options: String, hasQuota: Bool) {
    let table = """
      22 1 0:21 / /proc rw,nosuid shared:1 - proc proc rw,usrquota
      23 1 254:1 / /tmp rw,relatime shared:2 - ext4 /dev/vda1 \(options)

      """
    #expect(QuotaMounts.saysQuota(table, device: "254:1") == hasQuota)
    #expect(QuotaMounts.saysQuota(table, device: "254:2"))
  }

  @Test("Where there is room, files of outputs lack nothing, and none is claimed")
  func room() throws {
    let file = try TemporaryFile.open()
    defer { Descriptors.close(file) }
    let room = OutputSpace(of: file)
    #expect(room.shortage(of: try OutputFileStatus(file), nil) == nil)
    #expect(try OutputFileStatus(file).isUntouched)
  }

  /// The next command would have the flag, too, and some of its writes would fail.
  @Test(
    "A file whose flags a command has set, or that is not empty, is not as new",
    arguments: [O_NONBLOCK, 0o40_000 as Int32]
  )
  func touched(flag: Int32) throws {
    let file = try TemporaryFile.open()
    defer { Descriptors.close(file) }
    let flags = fcntl(file, F_GETFL)
    // Not every file system has unbuffered writes: 0o40000 is O_DIRECT on most processors.
    if fcntl(file, F_SETFL, flags | flag) == 0, fcntl(file, F_GETFL) != flags {
      #expect(try !OutputFileStatus(file).isUntouched)
    }
    try #require(fcntl(file, F_SETFL, flags) == 0)
    #expect(try OutputFileStatus(file).isUntouched)
    try SystemIO.writeAll(file, [1])
    #expect(try !OutputFileStatus(file).isUntouched)
  }
}
