/// Stops retries while too many calls fail (grpc/proposal A6-client-retries.md, "Throttling Retry Attempts and Hedged
/// RPCs"). A failure takes a token, and an answer gives back a part of one. No call is repeated while half of the
/// tokens or fewer are left.
public struct RetryThrottle: Hashable, Sendable, BitwiseCopyable {
    /// Number of tokens at the start, 1 to 1000.
    public let tokens: UInt16
    /// Tokens that an answer gives back, in thousandths; finer values are truncated.
    public let ratio: UInt32

    /// State of the throttle: the tokens that failures have spent, in thousandths. At the start none are spent.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        package private(set) var spent: UInt32 = 0

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

    private var tokenThousandths: UInt32 { UInt32(tokens) * 1_000 }

    public func failed(_ state: inout State) { state.spend(1_000, atMost: tokenThousandths) }

    public func succeeded(_ state: inout State) { state.regain(ratio) }

    package func allows(_ state: State) -> Bool { (tokenThousandths - state.spent) * 2 > tokenThousandths }

    /// Tokens left, in thousandths.
    func tokensLeft(_ state: State) -> UInt32 { tokenThousandths - state.spent }
}
