/// What still fits into the send buffer.
extension TCPEnd {
    /// What the kernel will take for one item more. One that is larger than the whole buffer goes through it in pieces.
    public func hasRoom(for bytes: UInt32, _ rules: TCPRules) -> Bool {
        buffered == 0 || buffered + UInt64(bytes) <= UInt64(rules.sendBuffer)
    }

    /// The same for what the app may write only where there is room, such as its pings: without room the socket is stalled.
    public mutating func makesRoom(for bytes: UInt32, _ rules: TCPRules) -> Bool {
        if hasRoom(for: bytes, rules) { return true }
        isStalled = true
        return false
    }
}
