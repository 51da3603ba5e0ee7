/// Stops retries while too many calls fail (grpc/proposal A6-client-retries.md, "Throttling Retry Attempts and Hedged RPCs"):
/// a failure takes a token, an answer gives back a part of one, and no call is repeated with half of the tokens or less.
public struct RetryThrottle: Hashable, Sendable, BitwiseCopyable {
    /// 1 to 1000.
    public let tokens: UInt16
    /// In thousandths: what is finer is cut off.
    public let ratio: UInt32

    /// In thousandths of a token. At the start all are there.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        public private(set) var spent: UInt32 = 0

        public init() {}

        fileprivate mutating func spend(_ count: UInt32, atMost most: UInt32) { spent = min(spent + count, most) }
        fileprivate mutating func regain(_ count: UInt32) { spent -= min(count, spent) }
    }

    public init(tokens: UInt16, ratio: UInt32) {
        precondition((1...1_000).contains(tokens), "1 to 1000 tokens, not \(tokens)")
        precondition((1...1_000_000).contains(ratio), "0.001 to 1000 tokens for an answer, not \(ratio) thousandths")
        self.tokens = tokens
        self.ratio = ratio
    }

    private var all: UInt32 { UInt32(tokens) * 1_000 }

    public func failed(_ state: inout State) { state.spend(1_000, atMost: all) }

    public func succeeded(_ state: inout State) { state.regain(ratio) }

    public func allows(_ state: State) -> Bool { (all - state.spent) * 2 > all }

    /// What is there, in thousandths of a token.
    public func left(_ state: State) -> UInt32 { all - state.spent }
}
