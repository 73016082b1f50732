/// A pattern of Task Bench (Slaughter et al., SC20): what a point of one step needs of the one
/// before.
enum Pattern: String, CaseIterable {
  case trivial
  case stencil = "stencil_1d"
  case fft
  case tree
  case randomNearest = "random_nearest"

  /// Points of a step: all, but for a tree, which grows.
  func width(of step: Int, most: Int) -> Int {
    self == .tree ? min(most, 1 << min(step, 32)) : most
  }

  /// The points of the step before that this one needs.
  func dependencies(of point: Int, in step: Int, width: Int) -> [Int] {
    guard step > 0 else { return [] }
    let candidates =
      switch self {
      case .trivial: [Int]()
      case .stencil: [point - 1, point, point + 1]
      case .fft: Self.butterfly(point, step, width)
      case .tree: [point / 2]
      case .randomNearest: Self.neighbours(point, step)
      }
    return candidates.filter { (0..<width).contains($0) }
  }

  private static func butterfly(_ point: Int, _ step: Int, _ width: Int) -> [Int] {
    let levels = width.bitWidth - (width - 1).leadingZeroBitCount
    let distance = 1 << ((step + levels - 1) % levels)
    return [point - distance, point, point + distance]
  }

  /// Itself, and a quarter of those at most two away; another choice each step, of 32 that repeat.
  private static func neighbours(_ point: Int, _ step: Int) -> [Int] {
    (point - 2...point + 2).filter { $0 == point || chance(step % 32, point, $0) }
  }

  private static func chance(_ step: Int, _ point: Int, _ other: Int) -> Bool {
    var hash = UInt64(truncatingIfNeeded: (step * 64 + point) * 64 + other + 2)
    hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
    return (hash ^ hash >> 31) % 4 == 0
  }
}
