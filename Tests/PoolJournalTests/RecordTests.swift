import PoolEvents
import PoolJournal
import PoolModel
import PoolWire
import Testing

/// Contract: what is written is read again as it was, and what is not understood does no harm.
@Suite("Records")
struct RecordTests {
  @Test("All records of a journal are read as they were written, at their places")
  func roundTrip() throws {
    let sample = SampleJournal()
    let scan = try JournalScan(sample.bytes)
    #expect(scan.entries.map(\.record) == sample.records)
    #expect(scan.entries.map(\.offset) + [scan.end] == sample.boundaries)
    #expect(scan.damage.isEmpty && scan.tornTail == nil)
  }

  /// `export` copies the bodies, so they must be JSON Lines.
  @Test("The body of a record is one object of JSON in a line")
  func bodies() throws {
    let sample = SampleJournal()
    for entry in try JournalScan(sample.bytes).entries {
      let body = Array(sample.bytes[entry.body])
      #expect(body.last == UInt8(ascii: "\n"))
      #expect(!body.dropLast().contains(UInt8(ascii: "\n")) && !body.contains(0))
      _ = try body.withUnsafeBytes { try JournalRecord(json: $0) }
    }
  }

  /// However long the names of a manifest are, a record stays below the limit of its length.
  @Test("Long texts are cut between characters")
  func longTexts() throws {
    for filler in ["é", "\u{1}", "x", "😀"] {
      let long = String(repeating: filler, count: 1 << 17)
      let record = EndRecord(number: 0, ending: .failed, errorType: long, message: long)
      let end = JournalEnd(epoch: 1, key: SampleJournal.key("a"), id: Array(long.utf8), record)
      var text = JournalBytes.withHeader
      text.append(.settled(end))
      let scan = try JournalScan(text.bytes)
      guard case .settled(let read) = scan.entries.first?.record else {
        Issue.record("no settlement")
        continue
      }
      #expect(end.id.starts(with: read.id) && read.id.count > 1_020)
      #expect(long.hasPrefix(read.record.message ?? "-"))
    }
  }

  @Test("Records of unknown types and unknown fields are accepted and mean nothing")
  func unknown() throws {
    for (body, isKnown) in [
      (#"{"type":"later","key":5}"#, false), (#"{}"#, false),
      (#"{"type":"opened","epoch":1,"pid":2,"time":3,"host":{"a":[1]}}"#, true),
    ] {
      let record = try Array(body.utf8).withUnsafeBytes { try JournalRecord(json: $0) }
      #expect((record == .unknown) == !isKnown, "\(body)")
    }
  }

  @Test("A record that lacks what it is about is none")
  func incomplete() {
    let bodies = [
      #"{"type":"opened","epoch":1,"pid":2}"#, #"{"type":"settled","epoch":1}"#,
      #"{"type":"settled","epoch":-1,"key":"00","id":"a","ending":"succeeded"}"#,
      #"{"type":"settled","epoch":1,"key":"00","id":"a","ending":"succeeded"}"#, "[]", "",
      #"{"type":"opened"}{}"#, #"{"type":"opened","epoch":18446744073709551615,"pid":2,"time":3}"#,
    ]
    for body in bodies {
      #expect(throws: JSONError.self, "\(body)") {
        try Array(body.utf8).withUnsafeBytes { try JournalRecord(json: $0) }
      }
    }
  }

  /// The next owner has an epoch, and sums of a few counts do not overflow.
  @Test("A record with a negative count, or one that no file has, is none")
  func counts() {
    let key = String(decoding: SampleJournal.key("a").hex, as: UTF8.self)
    let settled = #"{"type":"settled","epoch":1,"key":"\#(key)","id":"a""#
    let ending = #","ending":"succeeded","#
    var bodies = ["duration", "attempt", "stdoutBytes", "stderrBytes"].flatMap { name in
      [-1, 1 << 61].map { "\(settled)\(ending)\"\(name)\":\($0)}" }
    }
    for epoch in ["-1", "2305843009213693952", "18446744073709551615", "1e3"] {
      bodies.append(#"{"type":"opened","epoch":\#(epoch),"pid":2,"time":3}"#)
      bodies.append(#"{"type":"printed","epoch":\#(epoch),"outputs":[0,1]}"#)
    }
    bodies += [#"{"type":"synced","end":-1}"#, #"{"type":"synced","end":9223372036854775807}"#]
    for body in bodies {
      #expect(throws: JSONError.self, "\(body)") {
        try Array(body.utf8).withUnsafeBytes { try JournalRecord(json: $0) }
      }
    }
    let largest = #"\#(settled)\#(ending)"duration":2305843009213693951}"#
    #expect(throws: Never.self) {
      try Array(largest.utf8).withUnsafeBytes { try JournalRecord(json: $0) }
    }
  }

  @Test("A file that is no journal, or one of another version or hash, is refused by name")
  func headers() {
    for (text, message) in [
      ("#!/bin/sh\n", "this is not a journal"),
      ("opool-journal 3 sha-256\n", "a journal of version 3; 2 is the last version known here"),
      ("opool-journal 2 sha-256\n", ""), ("opool-journal 1 sha-256\n", ""),
      ("opool-journal 1 md5\n", "a journal with the hash md5; sha-256 is known here"),
      ("opool-journal", ""), ("", ""),
    ] {
      var found = ""
      do throws(JournalError) {
        _ = try JournalScan(Array(text.utf8))
      } catch {
        found = error.message
      }
      #expect(found == message, "\(text)")
    }
  }
}
