// What the examples of the migration page refer to on Foundation's side.
import Foundation

/// Stands for a value that examples use and do not make.
func some<Value>(_ type: Value.Type = Value.self) -> Value { preconditionFailure("never executed") }

var queue: OperationQueue { some() }
var operation: Operation { some() }
var other: Operation { some() }
var first: Operation { some() }
var second: Operation { some() }
var block: BlockOperation { some() }
