extension ReplayReport {
    /// The energy of traffic between hosts on the local link, reported separately. A cellular network would not carry
    /// such neighbour traffic.
    package struct Neighbours: Sendable {
        package struct KindTotals: Sendable {
            /// Identifier for scripts, and name for people.
            package var word: String
            package var name: String
            package var packets: UInt64
            package var bytes: UInt64

            package init(word: String, name: String, packets: UInt64, bytes: UInt64) {
                self.word = word
                self.name = name
                self.packets = packets
                self.bytes = bytes
            }
        }

        /// Energy of all traffic, and energy and times of all except neighbour traffic over the same time.
        package var joules: Double
        package var without: RadioBill
        package var kinds: [KindTotals]

        package init(joules: Double, without: RadioBill, kinds: [KindTotals]) {
            self.joules = joules
            self.without = without
            self.kinds = kinds
        }

        package var joulesWithout: Double { without.joules }
        /// Energy that the local traffic adds. Below zero if it spares the radio promotions that cost more.
        package var added: Double { joules - without.joules }
    }

    /// Radio cost of the traffic that a cellular network would carry: all traffic, except neighbour traffic if that was
    /// separated.
    package var ownRadio: RadioCost? {
        guard var own = radio else { return nil }
        if let neighbours { own.bill = neighbours.without }
        return own
    }
}
