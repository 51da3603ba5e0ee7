extension ReplayReport {
    /// The energy of traffic between hosts on the local link, reported separately. A cellular network would not carry
    /// such neighbour traffic.
    public struct Neighbours: Sendable {
        public struct KindTotals: Sendable {
            /// Identifier for scripts, and name for people.
            public var word: String
            public var name: String
            public var packets: UInt64
            public var bytes: UInt64

            public init(word: String, name: String, packets: UInt64, bytes: UInt64) {
                self.word = word
                self.name = name
                self.packets = packets
                self.bytes = bytes
            }
        }

        /// Energy of all traffic, and of all except neighbour traffic over the same time.
        public var joules: Double
        public var joulesWithout: Double
        public var kinds: [KindTotals]

        public init(joules: Double, joulesWithout: Double, kinds: [KindTotals]) {
            self.joules = joules
            self.joulesWithout = joulesWithout
            self.kinds = kinds
        }
    }
}
