import PoolModel
import Testing

/// Times come from users, files, workers and clocks, and may be any number.
@Suite("Arithmetic of times")
struct SaturatingTimeTests {
  @Test("saturates at both ends, whatever the signs")
  func limits() {
    #expect(Int64.max.saturatingSum(1) == .max && Int64.min.saturatingSum(-1) == .min)
    #expect(Int64.max.saturatingSum(-1) == .max - 1 && Int64(2).saturatingSum(3) == 5)
    #expect(Int64.max.saturatingDifference(-1) == .max)
    #expect(Int64.min.saturatingDifference(1) == .min)
    #expect(Int64(2).saturatingDifference(3) == -1)
    #expect(Int64.max.saturatingProduct(2) == .max && Int64.max.saturatingProduct(-2) == .min)
    #expect(Int64.min.saturatingProduct(-1) == .max && Int64(-2).saturatingProduct(3) == -6)
  }

  @Test("saturates where a fraction becomes a whole number, and no number is zero")
  func fractions() {
    #expect(Int64(saturating: 1.9) == 1 && Int64(saturating: -1.9) == -1)
    #expect(Int64(saturating: 0x1p63) == .max && Int64(saturating: -0x1p63) == .min)
    #expect(Int64(saturating: 0x1p63.nextDown) == 9_223_372_036_854_774_784)
    #expect(Int64(saturating: .infinity) == .max && Int64(saturating: -.infinity) == .min)
    #expect(Int64(saturating: .nan) == 0)
  }

  @Test("saturates where units are converted")
  func units() {
    #expect(Int64.milliseconds(.max) == .max && Int64.microseconds(.min) == .min)
    #expect(Int64.seconds(1e300) == .max && Int64.seconds(0.5) == 500_000_000)
    #expect(Int64.nanoseconds(seconds: 9_223_372_037, and: 0) == .max)
    #expect(Int64.nanoseconds(seconds: -9_223_372_037, and: 999_999_999) == .min + 999_999_999)
    #expect(Int64.nanoseconds(seconds: -1, and: 500_000_000) == -500_000_000)
  }

  @Test("lets an instant that is too late never come")
  func instants() {
    #expect(Instant(nanoseconds: 1).advanced(by: .max) == .distantFuture)
  }
}
