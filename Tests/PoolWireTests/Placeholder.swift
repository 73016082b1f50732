import Testing

@Test("placeholder")
func placeholderPoolWireTests() {}
