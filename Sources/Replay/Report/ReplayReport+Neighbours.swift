extension ReplayReport {
    /// What hosts of one link say to each other, priced apart: a cellular network would not carry it.
    public struct Neighbours: Sendable {
        public struct Kind: Sendable {
            /// For scripts, and for people.
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

        /// Of everything, and of everything else over the same time.
        public var joules: Double
        public var joulesWithout: Double
        public var kinds: [Kind]

        public init(joules: Double, joulesWithout: Double, kinds: [Kind]) {
            self.joules = joules
            self.joulesWithout = joulesWithout
            self.kinds = kinds
        }
    }
}
