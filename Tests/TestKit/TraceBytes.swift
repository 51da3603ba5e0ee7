/// Writes the fields of a Protocol Buffers message, for tests of its reader. It shares no code with that reader.
package struct MessageBytes: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func number(_ field: UInt64, _ value: UInt64) {
        varint(field << 3)
        varint(value)
    }

    package mutating func text(_ field: UInt64, _ text: String) { content(field, Array(text.utf8)) }

    package mutating func message(_ field: UInt64, _ build: (inout MessageBytes) -> Void) {
        var inner = MessageBytes()
        build(&inner)
        content(field, inner.bytes)
    }

    package mutating func packed(_ field: UInt64, _ values: [UInt64]) {
        var inner = MessageBytes()
        for value in values { inner.varint(value) }
        content(field, inner.bytes)
    }

    package mutating func content(_ field: UInt64, _ content: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    package mutating func varint(_ value: UInt64) {
        var rest = value
        repeat {
            let low = UInt8(rest & 0x7f)
            rest >>= 7
            bytes.append(rest == 0 ? low : low | 0x80)
        } while rest > 0
    }

    /// Appends bytes that need not be a field.
    package mutating func raw(_ more: [UInt8]) { bytes += more }
}

/// Writes a Perfetto trace with network packets, record by record.
package struct TraceWriter: Sendable {
    /// One packet as Android's data source `android.network_packets` records it.
    package struct NetworkPacket: Sendable {
        package var at: UInt64
        package var isUp: Bool
        package var length: UInt64
        package var interface = "rmnet1"
        package var user: UInt64 = 10_123
        package var transport: UInt64 = 6
        package var flags: UInt64 = 16
        package var localPort: UInt64 = 40_000
        package var remotePort: UInt64 = 443

        package init(at: UInt64, isUp: Bool, length: UInt64) {
            self.at = at
            self.isUp = isUp
            self.length = length
        }

        /// Writes the fields that packets of one bundle share.
        package func writeContext(_ message: inout MessageBytes) {
            message.number(1, isUp ? 2 : 1)
            message.text(2, interface)
            message.number(4, user)
            message.number(6, transport)
            message.number(7, flags)
            if localPort > 0 { message.number(8, localPort) }
            if remotePort > 0 { message.number(9, remotePort) }
        }
    }

    package private(set) var bytes: [UInt8] = []
    /// `trusted_packet_sequence_id` of the next records.
    package var sequence: UInt64 = 3

    package init() {}

    /// Adds a record with this time and these further fields.
    package mutating func add(at time: UInt64? = nil, _ build: (inout MessageBytes) -> Void) {
        var trace = MessageBytes()
        let sequence = sequence
        trace.message(1) { record in
            if let time { record.number(8, time) }
            record.number(10, sequence)
            build(&record)
        }
        bytes += trace.bytes
    }

    /// Adds a clock snapshot with pairs of clock number and nanoseconds.
    package mutating func addClocks(_ clocks: [(UInt64, UInt64)]) {
        add { record in
            record.message(6) { snapshot in
                for (id, time) in clocks {
                    snapshot.message(1) { clock in
                        clock.number(1, id)
                        clock.number(2, time)
                    }
                }
            }
        }
    }

    package mutating func addPackages(_ packages: [(String, UInt64)]) {
        add { record in
            record.message(47) { list in
                for (name, user) in packages {
                    list.message(1) { package in
                        package.text(1, name)
                        package.number(2, user)
                    }
                }
            }
        }
    }

    package mutating func add(_ packet: NetworkPacket) {
        add(at: packet.at) { record in
            record.message(88) { event in
                packet.writeContext(&event)
                event.number(3, packet.length)
            }
        }
    }

    /// Adds a bundle with the context of its first packet.
    /// - Parameters:
    ///   - iid: number of the interned context; `nil` writes the context into the bundle.
    ///   - isNew: `true` if the record also sends the interned context.
    ///   - flags: `sequence_flags` of the record.
    package mutating func add(
        bundle packets: [NetworkPacket], iid: UInt64? = nil, isNew: Bool = true, flags: UInt64 = 0,
        isSummary: Bool = false
    ) {
        let start = packets.map(\.at).min() ?? 0
        add(at: start) { record in
            if flags > 0 { record.number(13, flags) }
            if let iid, isNew {
                record.message(12) { interned in
                    interned.message(30) { entry in
                        entry.number(1, iid)
                        entry.message(2) { packets[0].writeContext(&$0) }
                    }
                }
            }
            record.message(92) { bundle in
                if let iid { bundle.number(1, iid) } else { bundle.message(2) { packets[0].writeContext(&$0) } }
                if isSummary {
                    bundle.number(5, UInt64(packets.count))
                    bundle.number(6, (packets.map(\.at).max() ?? 0) - start)
                    bundle.number(7, packets.reduce(0) { $0 + $1.length })
                } else {
                    bundle.packed(3, packets.map { $0.at - start })
                    bundle.packed(4, packets.map(\.length))
                }
            }
        }
    }
}
