extension TCPEnd {
    /// Reports what a received packet changed at this end of the connection, so that the caller can react.
    package struct ReceiveResult: Sendable {
        /// `true` if the packet made new in-order bytes of the other end's stream available. Read them with `readNext`.
        package var hasNewData = false
        /// `true` if the packet acknowledged further messages of this end.
        package var confirmedMore = false
        /// `true` if the socket was full and now accepts data again.
        package var isWritable = false
    }
}
