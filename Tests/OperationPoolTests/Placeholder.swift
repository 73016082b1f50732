import Testing

@Test("placeholder")
func placeholderOperationPoolTests() {}
