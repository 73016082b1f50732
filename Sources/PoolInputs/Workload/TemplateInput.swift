/// What a command is filled with: the fields of an input, and its number from 1.
package struct TemplateInput {
  package var fields: [[UInt8]]
  package var number: Int

  package init(_ fields: [[UInt8]], number: Int) {
    self.fields = fields
    self.number = number
  }
}
