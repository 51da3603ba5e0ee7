package func plural(_ count: Int, _ noun: String, _ many: String? = nil) -> String {
    "\(count) " + (count == 1 ? noun : many ?? noun + "s")
}
