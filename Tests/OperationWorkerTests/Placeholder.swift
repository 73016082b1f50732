import Testing

@Test("placeholder")
func placeholderOperationWorkerTests() {}
