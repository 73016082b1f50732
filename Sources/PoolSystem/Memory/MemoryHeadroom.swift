import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How much more address space the process may have.
package enum MemoryHeadroom {
  /// Has this process take less of a limited address space; to be called before it starts threads.
  package static func spare() { opool_spare_address_space() }

  /// Throws unless so many bytes more can be had; nothing is kept of them.
  package static func demand(_ byteCount: Int) throws(SystemFailure) {
    // Neither memory nor a promise of it, only a place.
    let place = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let place, place != MAP_FAILED else { throw .last("mmap") }
    munmap(place, byteCount)
  }
}
