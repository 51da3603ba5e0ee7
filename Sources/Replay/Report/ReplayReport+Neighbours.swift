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

        /// Energy of all traffic, and energy and times of all except neighbour traffic over the same time.
        public var joules: Double
        public var without: RadioBill
        public var kinds: [KindTotals]

        public init(joules: Double, without: RadioBill, kinds: [KindTotals]) {
            self.joules = joules
            self.without = without
            self.kinds = kinds
        }

        public var joulesWithout: Double { without.joules }
        /// Energy that the local traffic adds. Below zero if it spares the radio promotions that cost more.
        public var added: Double { joules - without.joules }
    }

    /// Radio cost of the traffic that a cellular network would carry: all traffic, except neighbour traffic if that was
    /// separated.
    public var ownRadio: RadioCost? {
        guard var own = radio else { return nil }
        if let neighbours { own.bill = neighbours.without }
        return own
    }
}
