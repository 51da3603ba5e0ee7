import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneDevice

/// The ledger and the energy bill against dictionaries.
@Suite struct LedgerTests {
    private struct TimePlace: Hashable {
        var interface: Interface
        var level: PowerLevel
        var cause: Cause
        var technology: Int
    }

    private struct BytesPlace: Hashable {
        var interface: Interface
        var direction: Direction
        var cause: Cause
        var technology: Int
    }

    private struct Model {
        var times: [TimePlace: Int128] = [:]
        var bytes: [BytesPlace: Int128] = [:]
        var technologies = 1

        func time(_ isCounted: (TimePlace) -> Bool) -> Int128 { times.filter { isCounted($0.key) }.values.reduce(0, +) }
        func bytes(_ isCounted: (BytesPlace) -> Bool) -> Int128 {
            bytes.filter { isCounted($0.key) }.values.reduce(0, +)
        }
    }

    private func fill(_ seed: UInt64, _ technologies: UInt64, _ count: Int) -> (Ledger, Model) {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        func draw(_ below: Int) -> Int { Int(dice.next().scaled(below: UInt64(below))) }
        func pick<Item>(_ items: [Item]) -> Item { items[draw(items.count)] }
        var (ledger, model) = (Ledger(), Model())
        for _ in 0..<count {
            let (interface, cause) = (pick(Interface.allCases), pick(Cause.allCases))
            let isCommon = Interface.common.contains(interface)
            let (technology, amount) = (isCommon ? draw(Int(technologies)) : 0, 1 + draw(1_000_000))
            if isCommon { model.technologies = max(model.technologies, technology + 1) }
            if draw(2) == 0 {
                let level = pick(PowerLevel.allCases)
                ledger.add(
                    .nanoseconds(Int64(amount)), at: level, for: cause, on: interface, technology: UInt8(technology))
                let place = TimePlace(interface: interface, level: level, cause: cause, technology: technology)
                model.times[place, default: 0] += Int128(amount)
            } else {
                let direction = pick(Direction.allCases)
                ledger.add(
                    bytes: Int64(amount), direction, for: cause, on: interface, technology: UInt8(technology))
                let place = BytesPlace(
                    interface: interface, direction: direction, cause: cause, technology: technology)
                model.bytes[place, default: 0] += Int128(amount)
            }
        }
        return (ledger, model)
    }

    private func compare(_ ledger: Ledger, _ model: Model) {
        #expect(ledger.technologies == model.technologies)
        for interface in Interface.allCases {
            for cause in Cause.allCases {
                for technology in 0...model.technologies { compare(ledger, model, interface, cause, technology) }
                for level in PowerLevel.allCases {
                    let sum = model.time { $0.interface == interface && $0.level == level && $0.cause == cause }
                    #expect(ledger.nanoseconds(at: level, for: cause, on: interface) == sum)
                    #expect(ledger.time(at: level, for: cause, on: interface) == .nanoseconds(Int64(sum)))
                }
                for direction in Direction.allCases {
                    let sum = model.bytes {
                        $0.interface == interface && $0.direction == direction && $0.cause == cause
                    }
                    #expect(ledger.bytes(direction, for: cause, on: interface) == sum)
                }
            }
            for state in RadioState.allCases {
                let sum = model.time { $0.interface == interface && $0.level.state == state }
                #expect(ledger.nanoseconds(in: state, on: interface) == sum)
                #expect(ledger.time(in: state, on: interface) == .nanoseconds(Int64(sum)))
            }
            let sum = model.time { $0.interface == interface }
            #expect(ledger.nanoseconds(on: interface) == sum && ledger.time(on: interface) == .nanoseconds(Int64(sum)))
            for direction in Direction.allCases {
                let bytes = model.bytes { $0.interface == interface && $0.direction == direction }
                #expect(ledger.bytes(direction, on: interface) == bytes)
            }
        }
    }

    private func compare(
        _ ledger: Ledger, _ model: Model, _ interface: Interface, _ cause: Cause, _ technology: Int
    ) {
        for level in PowerLevel.allCases {
            let place = TimePlace(interface: interface, level: level, cause: cause, technology: technology)
            let time = ledger.nanoseconds(at: level, for: cause, on: interface, technology: technology)
            #expect(time == model.times[place, default: 0])
        }
        for direction in Direction.allCases {
            let place = BytesPlace(interface: interface, direction: direction, cause: cause, technology: technology)
            let bytes = ledger.bytes(direction, for: cause, on: interface, technology: technology)
            #expect(bytes == model.bytes[place, default: 0])
        }
    }

    @Test("Each cell and each sum of the ledger equals that of a dictionary, for one technology and for several")
    func dictionary() {
        for (seed, technologies) in [(1, 1), (2, 2), (3, 3)] as [(UInt64, UInt64)] {
            let (ledger, model) = fill(seed, technologies, 250)
            compare(ledger, model)
            #expect(model.technologies == Int(technologies))
        }
    }

    @Test("Merging adds every cell, whichever of the two has more technologies")
    func merging() {
        for (first, second) in [(1, 3), (3, 1), (2, 2)] as [(UInt64, UInt64)] {
            var (ledger, model) = fill(first, first, 150)
            let (other, added) = fill(second + 10, second, 150)
            ledger.merge(other)
            model.times.merge(added.times, uniquingKeysWith: +)
            model.bytes.merge(added.bytes, uniquingKeysWith: +)
            model.technologies = max(model.technologies, added.technologies)
            compare(ledger, model)
        }
    }

    @Test("A ledger survives its coding, and bytes of another shape are refused")
    func coding() {
        for technologies in 1...3 as ClosedRange<UInt64> {
            var (ledger, _) = fill(technologies, technologies, 50)
            var writer = BinaryCoder()
            ledger.code(through: &writer)
            var reader = BinaryCoder(reading: writer.bytes)
            var copy = Ledger()
            copy.code(through: &reader)
            #expect(copy == ledger && !reader.isCorrupt)
        }
    }

    @Test("The bill prices each cell of the ledger once, with the profile of its technology")
    func bill() {
        let profiles = [Fixture.lte2021, Fixture.nsa, Fixture.umtsARO, Fixture.umtsTeliaSonera, Fixture.wifiS2]
        for (seed, rows) in [(1, [0]), (2, [1, 0]), (3, [2, 1, 3]), (4, [4])] as [(UInt64, [Int])] {
            let (ledger, model) = fill(seed, UInt64(rows.count), 200)
            let used = rows.map { profiles[$0] }
            for interface in Interface.allCases {
                let bill = EnergyBill(ledger, on: interface, used)
                var cells: [RadioState: [Cause: Int128]] = [:]
                var idling: Int128 = 0
                for (place, time) in model.times where place.interface == interface {
                    let profile = used[place.technology]
                    func energy(_ level: PowerLevel) -> Int128 {
                        let power = profile.power(level)
                        return (Int128(power.femtojoules) * time * 2 + Int128(power.cycle)) / (2 * Int128(power.cycle))
                    }
                    cells[place.level.state, default: [:]][place.cause, default: 0] += energy(place.level)
                    let isResting = [.idle, .search, .powerSaving].contains(place.level.state)
                    idling += energy(isResting ? place.level : .idle)
                }
                for (place, bytes) in model.bytes where place.interface == interface {
                    let profile = used[place.technology]
                    let cost = place.direction == .up ? profile.costUp : profile.costDown
                    var state = RadioState.active
                    if case .umts(let timers) = profile.machine, !timers.hasActiveLevels { state = .dch }
                    cells[state, default: [:]][place.cause, default: 0] += bytes * 8 * Int128(cost.femtojoules)
                }
                #expect(bill.idling == Energy(femtojoules: idling))
                for state in RadioState.allCases {
                    for cause in Cause.allCases {
                        let cell = cells[state]?[cause] ?? 0
                        #expect(bill.energy(in: state, for: cause) == Energy(femtojoules: cell))
                    }
                    #expect(bill.energy(in: state).femtojoules == cells[state, default: [:]].values.reduce(0, +))
                }
                for cause in Cause.allCases {
                    #expect(bill.energy(for: cause).femtojoules == cells.values.reduce(0) { $0 + ($1[cause] ?? 0) })
                }
                #expect(bill.total.femtojoules == cells.values.reduce(0) { $0 + $1.values.reduce(0, +) })
            }
        }
    }

    @Test("Wake-ups and time awake are counted by cause, merged by addition, and priced once")
    func wakes() {
        var (first, second) = (WakeLedger(), WakeLedger())
        for (index, cause) in Cause.allCases.enumerated() {
            first.add(.nanoseconds(Int64(index + 1)), for: cause)
            first.addWakes(Int64(2 * index + 1), for: cause)
            second.add(.seconds(Int64(index)), for: cause)
            second.add(.seconds(1), for: cause)
            second.addWakes(3, for: cause)
        }
        first.merge(second)
        let power = ProcessorPower(wakePower: .microwatts(7), wakeEnergy: Energy(femtojoules: 11))
        for (index, cause) in Cause.allCases.enumerated() {
            let time = Int128(index + 1) + Int128(index + 1) * 1_000_000_000
            let wakes = Int128(2 * index + 4)
            #expect(first.nanoseconds(for: cause) == time && first.wakes(for: cause) == wakes)
            // A microwatt is a femtojoule a nanosecond.
            #expect(first.energy(for: cause, power).femtojoules == time * 7 + wakes * 11)
        }
        var writer = BinaryCoder()
        first.code(through: &writer)
        var reader = BinaryCoder(reading: writer.bytes)
        var copy = WakeLedger()
        copy.code(through: &reader)
        #expect(copy == first && copy != second)
    }
}
