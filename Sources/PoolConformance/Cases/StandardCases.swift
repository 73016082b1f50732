/// The cases that belong to the protocol.
package enum StandardCases {
  /// All of them, in the order of their names.
  package static func all() throws(CaseError) -> [ConformanceCase] {
    var cases: [ConformanceCase] = []
    for (name, json) in CaseTexts.all {
      cases.append(try ConformanceCase(name: name, json: json.utf8))
    }
    return cases
  }
}
