extension TCPEnd {
    /// What a packet of the other end changed here.
    public struct Arrival: Sendable {
        /// There are bytes that were not here before: see what they are with `take`.
        public var hasNews = false
        /// The other end has more messages of ours than before.
        public var confirmedMore = false
        /// The socket was full, and takes something again.
        public var isWritable = false
    }
}
