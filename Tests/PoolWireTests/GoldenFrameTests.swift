import PoolModel
import PoolWire
import Testing

/// The frames in `Protocol/golden` are what this side writes and reads, byte for byte.
///
/// `RECORD_SNAPSHOTS=1 swift test --filter GoldenFrameTests` writes them anew.
@Suite("Golden frames", .serialized)
struct GoldenFrameTests {
  @Test("Each message is written as its golden frame")
  func encoding() throws {
    for entry in MessageCatalogue.all {
      let frame = entry.message.frame
      if GoldenFolder.isRecording {
        try GoldenFolder.record(entry.name, frame: frame, body: entry.message.body)
      }
      #expect(try GoldenFolder.frame(entry.name) == frame, "\(entry.name).hex")
      #expect(try GoldenFolder.body(entry.name) == entry.message.body, "\(entry.name).json")
    }
  }

  @Test("Each golden frame is read as its message")
  func decoding() throws {
    for entry in MessageCatalogue.all {
      let frame = try GoldenFolder.frame(entry.name)
      #expect(try entry.message.readLikewise(frame) == entry.message, "\(entry.name)")
    }
  }

  @Test("Frames of other encoders are understood: order, spaces, escapes, unknown fields, nulls")
  func foreignFrames() throws {
    for entry in ForeignFrames.all {
      let whole = frame(around: try GoldenFolder.body(entry.name))
      if GoldenFolder.isRecording {
        try GoldenFolder.record(entry.name, frame: whole, body: nil)
      }
      #expect(try GoldenFolder.frame(entry.name) == whole, "\(entry.name).hex")
      let message = try entry.message.decodeLikewise(Array(whole.dropFirst(4)))
      #expect(message == entry.message, "\(entry.name)")
    }
  }

  @Test("The folder holds nothing else")
  func completeness() throws {
    let names = Set((MessageCatalogue.all + ForeignFrames.all).map(\.name))
    #expect(names.count == MessageCatalogue.all.count + ForeignFrames.all.count)
    #expect(try GoldenFolder.names(".json") == names)
    #expect(try GoldenFolder.names(".hex") == names)
  }

  @Test("Every body that is written ends with a line feed and has no other")
  func lineFeeds() {
    for entry in MessageCatalogue.all {
      #expect(entry.message.body.last == 0x0A, "\(entry.name)")
      #expect(entry.message.body.count { $0 == 0x0A } == 1, "\(entry.name)")
    }
  }
}
