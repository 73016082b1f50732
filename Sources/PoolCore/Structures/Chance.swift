/// Pseudorandom numbers that follow from other numbers alone.
///
/// The mixing function of SplitMix64; Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014.
package enum Chance {
  /// A number in 0..<1 that follows from the two.
  static func fraction(_ first: UInt64, _ second: UInt64) -> Double {
    Double(bits(first, second) >> 11) * 0x1p-53
  }

  /// 64 bits that follow from the two.
  package static func bits(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var mix = first &+ second &* 0x9E37_79B9_7F4A_7C15
    mix = (mix ^ mix >> 30) &* 0xBF58_476D_1CE4_E5B9
    mix = (mix ^ mix >> 27) &* 0x94D0_49BB_1331_11EB
    return mix ^ mix >> 31
  }
}
