import Testing

@Test("placeholder")
func placeholderPoolCommandTests() {}
