import Testing

@Test("placeholder")
func placeholderPoolCoreTests() {}
