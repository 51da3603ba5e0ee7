import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios
import DeadzoneShipped
import Testing

@Suite struct ProfileReaderTests {
    private let verizon = Shipped.texts.first { $0.name == "lte-verizon-2021" }!.text

    @Test func numbersWithoutASourceAreTheUsers() throws {
        // Broken: a user's number without a source is presented as measured.
        let text = verizon.replacing(
            #/idle-power: .*/#, with: "idle-power: 0mW")
        let (reading, faults) = Shipped.read(text, as: "mine")
        let found = try #require(reading, "\(faults.sorted)")
        #expect(found.profile.power(.idle) == .zero)
        let row = try #require(found.sheet.numbers.first { $0.parameter == "idle-power" })
        #expect(row == Provenance(parameter: "idle-power", value: "0mW", source: "", trust: .user))
    }

    @Test func inheritedNumbersKeepTheirSources() throws {
        // Broken: numbers that a profile does not set are not inherited, or its own numbers do not take precedence.
        let thrill = try #require(Shipped.reading("umts-att-thrill"))
        let base = try #require(Shipped.reading("umts-att-i997"))
        #expect(thrill.profile.power(.dch) == .milliwatts(610))
        #expect(thrill.profile.machine == base.profile.machine)
        #expect(thrill.sheet.numbers.count == base.sheet.numbers.count)
        let timer = try #require(thrill.sheet.numbers.first { $0.parameter == "dch-time" })
        #expect(timer.trust == .read)
        #expect(timer.source.contains("VideoOptimizer"))
    }

    @Test func sourcesAreCitationsNotKeys() throws {
        // Broken: a report prints `timers` instead of the paper.
        let rows = try #require(Shipped.reading("lte-verizon-2021")).sheet.numbers
        let row = try #require(rows.first { $0.parameter == "promotion-time" })
        #expect(row.value == "265ms")
        #expect(row.trust == .read)
        #expect(row.source.contains("SIGCOMM 2021"))
        #expect(rows.first { $0.parameter == "cost-down" }?.value == "14.55mW/Mbps")
    }

    @Test func fastDormancyIsOneSetting() throws {
        // Broken: a user cannot shorten a tail.
        let (reading, faults) = Shipped.read(verizon + "\nfast-dormancy: 3s\n", as: "mine")
        let found = try #require(reading, "\(faults.sorted)")
        guard case .cellular(let timers) = found.profile.machine else { return }
        #expect(timers.tail.end == .seconds(3))
    }

    @Test(
        arguments: [
            ("technology: lte", "technology: lta", FaultCode.unknownWord, 2, 13),
            ("idle-power:", "idle-powr:", .unknownKey, 0, 1),
            ("value: 170.5mW,", "value: 170.5,", .bareNumber, 0, 0),
            ("source: tails,", "source: tales,", .unknownWord, 0, 0),
            ("trust: R", "trust: Z", .unknownWord, 0, 0),
            ("long-drx-power:", "x-long-drx-power:", .missing, 0, 0),
            ("value: 9800ms,", "value: -1s,", .outOfRange, 0, 0),
            ("value: 1280ms,", "value: 0s,", .outOfRange, 0, 0),
            ("value: 170.5mW,", "", .missing, 0, 0),
            ("version: 1", "version: 2", .outOfRange, 1, 10),
            ("technology: lte", "technology: lte\ninherits: lte-verizon-2020", .unknownProfile, 0, 1),
            ("long-drx-time:", "tail-time: 1s\nlong-drx-time:", .contradiction, 0, 1),
        ] as [(String, String, FaultCode, Int, Int)])
    func faultsHaveAPosition(_ old: String, _ new: String, _ code: FaultCode, _ line: Int, _ column: Int) throws {
        // Broken: a mistake in a profile is ignored, traps, or has no position.
        #expect(verizon.contains(old))
        let pieces = verizon.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        let text = pieces.joined(separator: new)
        let (reading, faults) = Shipped.read(text, as: "mine")
        #expect(reading == nil)
        let fault = try #require(faults.sorted.first { $0.code == code }, "\(faults.sorted)")
        #expect(fault.mark.line > 0)
        if line > 0 { #expect(fault.mark.line == line) }
        if column > 0 { #expect(fault.mark.column == column) }
    }

    @Test func anEmptyProfileReportsAllMissingKeys() {
        // Broken: missing keys are reported one at a time.
        for technology in Technology.allCases {
            let (reading, faults) = Shipped.read("technology: \(technology.name)\n", as: "mine")
            #expect(reading == nil)
            #expect(faults.count > 5, "\(technology)")
            #expect(faults.sorted.allSatisfy { $0.code == .missing })
        }
    }

    @Test func theReaderDescribesItself() {
        // Broken: the JSON Schema of profiles lacks numbers that shipped profiles have.
        var settings = SettingsReader.describing("a profile")
        _ = ProfileReader(inheritingFrom: []).read(&settings)
        #expect(settings.faults.isEmpty, "\(settings.faults.sorted)")
        guard case .map(let map) = settings.shape, let variants = map.variants else {
            Issue.record("no variants")
            return
        }
        #expect(variants.cases.map(\.name) == Technology.allCases.map { "\($0.name)" })
        for (index, technology) in Technology.allCases.enumerated() {
            let known = Set((variants.cases[index].fields + map.fields).map(\.key))
            for name in shippedProfiles.map(\.name) {
                guard let reading = Shipped.reading(name), reading.profile.technology == technology else { continue }
                let missing = reading.sheet.numbers.map(\.parameter).filter { !known.contains($0) }
                #expect(missing.isEmpty, "\(name): \(missing)")
            }
        }
    }
}
