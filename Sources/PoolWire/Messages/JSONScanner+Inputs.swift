extension JSONScanner {
  /// Consumes the inputs of an operation: an object of them, by name.
  ///
  /// If a name occurs twice, the last one counts; a `null` input is absent.
  mutating func inputs() throws(JSONError) -> [NamedInput] {
    var read: [(name: JSONStringRange, content: NamedInput.Content?)] = []
    var isFirst = true
    try beginObject()
    while let name = try nextKey(&isFirst) {
      if peek() == UInt8(ascii: "n") {
        try null()
        read.append((name, nil))
      } else {
        read.append((name, try inputContent()))
      }
    }
    var seen: Set<[UInt8]> = []
    var inputs: [NamedInput] = []
    for (name, content) in read.reversed() where seen.insert(self.content(of: name)).inserted {
      if let content { inputs.append(NamedInput(name: text(of: name), content)) }
    }
    return inputs.reversed()
  }

  /// Consumes one input: an object with one of the three forms; skips other fields.
  private mutating func inputContent() throws(JSONError) -> NamedInput.Content {
    let start = position
    var json: Range<Int>?
    var output: [UInt8]?
    var file: [UInt8]?
    var isFirst = true
    try beginObject()
    while let key = try nextKey(&isFirst) {
      if matches(key, "json") {
        json = try skipValue()
      } else if matches(key, "output") {
        output = try optionalByteText()
      } else if matches(key, "file") {
        file = try optionalByteText()
      } else {
        _ = try skipValue()
      }
    }
    switch (json, output, file) {
    case (let json?, nil, nil): return .json(Array(slice(json)))
    case (nil, let output?, nil): return .output(output)
    case (nil, nil, let file?): return .file(file)
    default: throw JSONError(.expected("one of 'json', 'output' and 'file'"), at: start)
    }
  }

  private mutating func optionalByteText() throws(JSONError) -> [UInt8]? {
    guard peek() == UInt8(ascii: "n") else { return try byteText() }
    try null()
    return nil
  }
}
