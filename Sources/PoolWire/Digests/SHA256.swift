/// SHA-256 (FIPS 180-4), because the toolchain has none on Linux.
package enum SHA256 {
  /// The name of the hash in a journal's first line.
  package static let name = "sha-256"

  /// The digest of some bytes.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> ContentDigest {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      var state = initial
      let whole = bytes.count & ~63
      for start in stride(from: 0, to: whole, by: 64) {
        compress(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 64]), &state, schedule)
      }
      compressTail(bytes, from: whole, &state, schedule)
      return ContentDigest(words: state)
    }
  }

  /// The digest of some bytes.
  package static func digest(of bytes: [UInt8]) -> ContentDigest {
    bytes.withUnsafeBytes { digest(of: $0) }
  }

  /// The last bytes, a one bit, zeros, and the number of bits in eight bytes.
  private static func compressTail(
    _ bytes: UnsafeRawBufferPointer,
    from start: Int,
    _ state: inout SIMD8<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { tail in
      tail.initializeMemory(as: UInt8.self, repeating: 0)
      let rest = bytes.count - start
      tail.copyBytes(from: bytes[start...])
      tail[rest] = 0x80
      let size = rest < 56 ? 64 : 128
      let bitCount = UInt64(bytes.count) * 8
      tail.storeBytes(of: bitCount.bigEndian, toByteOffset: size - 8, as: UInt64.self)
      for offset in stride(from: 0, to: size, by: 64) {
        let block = UnsafeRawBufferPointer(rebasing: tail[offset..<offset + 64])
        compress(block, &state, schedule)
      }
    }
  }

  private static func compress(
    _ block: UnsafeRawBufferPointer,
    _ state: inout SIMD8<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    expand(block, into: schedule)
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    constants.withUnsafeBufferPointer { constants in
      // Four rounds at a time, after which every variable is in its place again.
      for round in stride(from: 0, to: 64, by: 4) {
        step(a, b, c, &d, e, f, g, &h, constants[round] &+ schedule[round])
        step(h, a, b, &c, d, e, f, &g, constants[round + 1] &+ schedule[round + 1])
        step(g, h, a, &b, c, d, e, &f, constants[round + 2] &+ schedule[round + 2])
        step(f, g, h, &a, b, c, d, &e, constants[round + 3] &+ schedule[round + 3])
        (a, b, c, d, e, f, g, h) = (e, f, g, h, a, b, c, d)
      }
    }
    state = state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  /// One round, which changes two of the eight variables.
  @inline(__always)
  private static func step(
    _ a: UInt32,
    _ b: UInt32,
    _ c: UInt32,
    _ d: inout UInt32,
    _ e: UInt32,
    _ f: UInt32,
    _ g: UInt32,
    _ h: inout UInt32,
    _ word: UInt32
  ) {
    let choice = g ^ (e & (f ^ g))
    let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ word
    let majority = (a & b) | (c & (a | b))
    d = d &+ first
    h = first &+ (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
  }

  private static func expand(
    _ block: UnsafeRawBufferPointer,
    into schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      let word = block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      schedule[index] = UInt32(bigEndian: word)
    }
    for index in 16..<64 {
      let (near, far) = (schedule[index - 2], schedule[index - 15])
      let first = rotate(far, 7) ^ rotate(far, 18) ^ far >> 3
      let second = rotate(near, 17) ^ rotate(near, 19) ^ near >> 10
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }

  /// The first 32 bits of the fractions of the square roots of the first eight primes.
  private static let initial = SIMD8<UInt32>(
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19
  )

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
