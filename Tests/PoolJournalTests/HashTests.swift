import PoolJournal
import PoolTestSupport
import PoolWire
import Testing

/// Contract: the hash is SHA-256 and the checksum CRC-32C, as others compute them.
@Suite("Hash and checksum")
struct HashTests {
  private func hex(_ text: String) -> String {
    SHA256.digest(of: Array(text.utf8)).description
  }

  /// FIPS 180-4's own examples, and NIST's for no bytes and for a million.
  @Test("SHA-256 gives the digests of the standard's examples")
  func vectors() {
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(hex(two) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    let four =
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
      + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
    #expect(hex(four) == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1")
    let million = String(repeating: "a", count: 1_000_000)
    #expect(hex(million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Around the ends of blocks the padding takes one block or two; digests from sha256sum.
  @Test(
    "Every length around the end of a block is padded right",
    arguments: [
      (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
      (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
      (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
      (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
      (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
    ]
  )
  func padding(_ count: Int, _ digest: String) {
    #expect(hex(String(repeating: "a", count: count)) == digest)
  }

  @Test("A digest is read back from its digits, and from nothing else")
  func digits() {
    let digest = SHA256.digest(of: Array("abc".utf8))
    #expect(ContentDigest(hex: digest.hex) == digest)
    #expect(ContentDigest(hex: digest.hex.dropLast()) == nil)
    #expect(ContentDigest(hex: digest.hex.dropLast() + Array("g".utf8)) == nil)
    #expect(ContentDigest(hex: Array(repeating: UInt8(ascii: "A"), count: 64)) == nil)
  }

  /// RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
  @Test("CRC-32C gives the published checksums")
  func checksums() {
    func sum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { CastagnoliChecksum.of($0) } }
    #expect(sum(Array("123456789".utf8)) == 0xe306_9283)
    #expect(sum([UInt8](repeating: 0, count: 32)) == 0x8a91_36aa)
    #expect(sum([UInt8](repeating: 0xff, count: 32)) == 0x62a8_ab43)
    #expect(sum(Array(0..<32)) == 0x46dd_794e)
  }

  @Test("A checksum may be computed in two parts")
  func parts() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes.withUnsafeBytes { bytes in
      let whole = CastagnoliChecksum.of(bytes)
      for split in 0...bytes.count {
        let first = CastagnoliChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<split]))
        let rest = UnsafeRawBufferPointer(rebasing: bytes[split...])
        #expect(CastagnoliChecksum.of(rest, after: first) == whole, "seed \(seed)")
      }
    }
  }
}
