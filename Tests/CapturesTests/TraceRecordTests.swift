import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneCaptures

/// The fields of one record of a Perfetto trace, in any order.
struct TraceRecordTests {
    /// Calls `body` with the record of these bytes. The record's parts are valid only there.
    private func read<Result>(_ bytes: [UInt8], _ body: (TraceRecord?) -> Result) -> Result {
        bytes.withUnsafeBytes { buffer in
            body(
                TraceRecord(
                    Bytes(buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)!, count: buffer.count)))
        }
    }

    private static let numbers: [(field: UInt64, value: UInt64)] = [(8, 77), (10, 5), (13, 3), (42, 1), (58, 6)]
    private static let parts: [UInt64] = [6, 12, 40, 47, 50, 59, 88, 92, 133]

    /// The length and the first byte of a part; a part that is missing has the length 0.
    private static func part(_ bytes: Bytes?) -> [Int] { bytes.map { [$0.count, Int($0[0])] } ?? [0] }

    private static func parts(of record: TraceRecord) -> [[Int]] {
        [
            record.clockSnapshot, record.interned, record.powerRails, record.packages, record.compressed,
            record.defaults, record.networkPacket, record.networkBundle,
        ].map(part)
    }

    @Test func fieldsAreReadInEveryOrder() {
        // Broken: a field is read from another one, or a record that has a field loses the fields after it.
        let fields = Self.numbers.map(\.field) + Self.parts
        let orders = fields.indices.map { Array(fields[$0...] + fields[..<$0]) }
        for order in orders + orders.map({ $0.reversed() }) {
            var message = MessageBytes()
            for field in order {
                if let number = Self.numbers.first(where: { $0.field == field }) {
                    message.number(field, number.value)
                } else {
                    // Each part has a length and a first byte of its own.
                    message.content(field, [UInt8](repeating: UInt8(field), count: Int(field) + 1))
                }
            }
            read(message.bytes) { record in
                guard let record else {
                    Issue.record("no record of \(order)")
                    return
                }
                #expect(record.timestamp == 77 && record.sequence == 5 && record.clock == 6, "\(order)")
                #expect(record.isStateCleared && record.needsState && record.followsLoss, "\(order)")
                #expect(record.isZstandard, "\(order)")
                #expect(Self.parts(of: record) == Self.parts.dropLast().map { [Int($0) + 1, Int($0)] }, "\(order)")
            }
        }
    }

    @Test func aFieldAloneChangesOnlyItsPart() {
        // Broken: a record has a part, a state or a loss that its writer did not send.
        read([]) { record in
            #expect(record.map { Self.parts(of: $0) } == Array(repeating: [0], count: 8))
            #expect(record.map { $0.timestamp == 0 && $0.sequence == 0 && $0.clock == 0 && !$0.isZstandard } == true)
        }
        for (place, field) in Self.parts.dropLast().enumerated() {
            var message = MessageBytes()
            message.content(field, [9])
            var wanted = Array(repeating: [0], count: 8)
            wanted[place] = [1, 9]
            read(message.bytes) { #expect($0.map { Self.parts(of: $0) } == wanted, "field \(field)") }
            // A number in the place of a part is no part.
            var number = MessageBytes()
            number.number(field, 9)
            read(number.bytes) { record in
                #expect(record.map { Self.parts(of: $0) } == Array(repeating: [0], count: 8), "field \(field)")
            }
        }
        let states: [(field: UInt64, value: UInt64, cleared: Bool, needed: Bool, loss: Bool)] = [
            (13, 0, false, false, false), (13, 1, true, false, false), (13, 2, false, true, false),
            (13, 3, true, true, false), (13, 4, false, false, false), (41, 1, true, false, false),
            (41, 0, false, false, false), (42, 1, false, false, true), (42, 0, false, false, false),
        ]
        for row in states {
            var message = MessageBytes()
            message.number(row.field, row.value)
            read(message.bytes) { record in
                let found = record.map { [$0.isStateCleared, $0.needsState, $0.followsLoss] }
                #expect(found == [row.cleared, row.needed, row.loss], "\(row)")
            }
        }
        read([0x08, 0x80]) { #expect($0 == nil, "a damaged record") }
    }
}
