import Foundation

/// What a sanitizer's build does otherwise.
public enum Sanitizer {
  /// Whether the tests, and with them all programs that they start, were built with a sanitizer.
  public static let isThere = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
