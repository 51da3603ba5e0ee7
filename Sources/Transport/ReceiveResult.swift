extension TCPEnd {
    /// Reports what a received packet changed at this end of the connection, so that the caller can react.
    public struct ReceiveResult: Sendable {
        /// `true` if the packet made new in-order bytes of the other end's stream available. Read them with `readNext`.
        public var hasNewData = false
        /// `true` if the packet acknowledged further messages of this end.
        public var confirmedMore = false
        /// `true` if the socket was full and now accepts data again.
        public var isWritable = false
    }
}
