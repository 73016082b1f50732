import Testing

@Test("placeholder")
func placeholderEndToEndTests() {}
