import Testing

@Test("placeholder")
func placeholderPoolModelTests() {}
