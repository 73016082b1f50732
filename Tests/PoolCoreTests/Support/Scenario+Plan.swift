import PoolModel

@testable import PoolCore

extension Scenario.Plan {
  init(_ name: String, after: [String] = [], when: PoolRequirement = .succeeded) {
    self.init(name: name, after: after, when: when)
  }

  init(_ name: String, _ priority: PoolQueuePriority, kind: Int = 0) {
    self.init(name: name, priority: priority, kind: kind)
  }

  init(
    _ name: String,
    _ priority: PoolQueuePriority = .normal,
    claims: [ResourceID],
    retries: Int = 0,
    timeout: Int64? = nil
  ) {
    self.init(name: name, priority: priority, timeout: timeout, retries: retries, claims: claims)
  }

  init(_ name: String, _ priority: PoolQueuePriority = .normal, slots: Int, kind: Int = 0) {
    self.init(name: name, priority: priority, kind: kind, slots: slots)
  }

  static func barrier(_ name: String, after: [String] = []) -> Self {
    Self(name: name, after: after, isBarrier: true)
  }

  static func group(_ name: String, of members: [String]) -> Self {
    Self(name: name, role: .group, members: members)
  }

  init(_ name: String, timeout: Int64? = nil, retries: Int = 0, kind: Int = 0) {
    self.init(name: name, after: [], timeout: timeout, retries: retries, kind: kind)
  }
}

extension OperationSpec {
  /// A group that holds its members back, with this timeout and these claims.
  static func gatedGroup(timeout: Int64? = nil, claims: [ResourceID] = []) -> Self {
    var spec = Self.group
    spec.role = .gatedGroup
    spec.timeout = timeout
    spec.claims = claims
    return spec
  }
}
