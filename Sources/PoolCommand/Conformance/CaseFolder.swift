import PoolConformance
import PoolInputs
import PoolModel
import PoolSystem

/// A folder of cases, such as `Protocol/conformance`.
struct CaseFolder {
  private let path: [UInt8]

  init(_ path: [UInt8]) { self.path = path }

  /// The cases, in the order of their names.
  func cases() throws(RunFailure) -> [ConformanceCase] {
    let names = FolderListing.names(in: path).filter { $0.ends(in: ".json") }
      .sorted { $0.lexicographicallyPrecedes($1) }
    if names.isEmpty {
      throw RunFailure(.output, "--cases: there is no case in '\(Printable.name(path))'")
    }
    var cases: [ConformanceCase] = []
    for name in names { cases.append(try read(name)) }
    return cases
  }

  private func read(_ name: [UInt8]) throws(RunFailure) -> ConformanceCase {
    let file = path + [UInt8(ascii: "/")] + name
    let title = String(decoding: name.dropLast(".json".utf8.count), as: UTF8.self)
    do {
      let descriptor = try DurableFile.openToRead(path: file)
      defer { Descriptors.close(descriptor) }
      return try ConformanceCase(name: title, json: try SystemIO.readAll(descriptor))
    } catch {
      let reason = (error as? SystemFailure)?.reason ?? "\(error)"
      throw RunFailure(.output, "\(Printable.name(file)): \(reason)")
    }
  }
}

extension [UInt8] {
  fileprivate func ends(in text: String) -> Bool {
    suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
