import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How busy the machine is.
package enum MachineLoad {
  /// The load average of the last minute; nil if the system does not tell it.
  package static var average: Double? {
    var average = 0.0
    return getloadavg(&average, 1) == 1 ? average : nil
  }
}
