import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCaptures

/// Changes bytes, cuts and repeats parts of files, by a seed.
struct ByteMutator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func draw(_ limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
    }

    mutating func mutate(_ bytes: [UInt8], among texts: [[UInt8]]) -> [UInt8] {
        var result = bytes
        for _ in 0...draw(6) where !result.isEmpty {
            let place = draw(result.count)
            switch draw(6) {
            case 0: result[place] = UInt8(draw(256))
            case 1: result.removeSubrange(place..<min(place + draw(40), result.count))
            case 2: result.insert(contentsOf: texts[draw(texts.count)], at: place)
            case 3:
                let end = min(place + draw(200), result.count)
                result.insert(contentsOf: result[place..<end], at: draw(result.count))
            case 4: result = Array(result[..<place])
            default: result[place] ^= 1 << UInt8(draw(8))
            }
        }
        return result
    }
}

struct MutantTests {
    private static let texts = [
        "9999999999999999999", "-", "+9d99h", "\"", "=", "u0a99999999", ":", "9,h,-999999999999,", "(", "\n",
        "RESET:TIME:",
        "9,hsp,99999999,1,\"", "+1d00h00m00s000ms (1) 100 START", "\n          0 (1) TIME: 9999-99-99-99-99-99\n",
        "\u{0}",
        ",", "conn=0:\"SUSPENDED\"", "Battery History (", "wifi_suppl=associated", "+di", "data_conn=oos",
    ].map { Array($0.utf8) }

    private static let long = Array(
        HistoryText.long([
            ("0", "RESET:TIME: 2026-03-09-07-00-00"),
            ("0", "100 +running +screen data_conn=lte +wifi wifi_suppl=completed conn=1:\"CONNECTED\""),
            ("+1s", "100 wakeupap=u0a120:\"\" +wifi_radio top=u0a120:\"com.example.chat\""),
            ("+17s", "100 -wifi_radio"),
            ("+30s", "100 wifi_suppl=disconn -screen conn=0:\"CONNECTED\""), ("+40s", "100 data_conn=oos -running"),
            ("+50s", "100 data_conn=nr +mobile_radio device_idle=light"), ("+2m00s", "SHUTDOWN"), ("+2m01s", "START"),
            ("+2m01s", "TIME: 2026-03-09-07-09-00"), ("+3m00s", "099 +plugged phone_state=off +phone_in_call"),
        ]).utf8)
    private static let checkin = Array(
        """
        9,0,i,vers,36,214,A,A
        9,hsp,0,10120,"com.example.chat"
        9,hsp,1,0,"CONNECTED"
        9,h,0:RESET:TIME:1773039600000
        9,h,0,Bl=100,+S,+W,Wsp=compl,Pcn=lte,Etp=0,+r
        9,h,1500,-S,Ewa=0,+Pr
        9,h,60503,di=light,-Pr,Ecn=1,Pcn=oos
        9,h,5:START
        9,h,0:TIME:1773039700000
        9,h,100,Pst=off,di=full
        9,0,l,m,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16

        """.utf8)

    /// `true` if a single seed is repeated, so that counts over all seeds do not apply.
    private static let hasSeed = ProcessInfo.processInfo.environment["DEADZONE_SEED"] != nil

    /// All lanes cover the day, without gaps, overlaps or equal neighbours.
    private func check(_ history: BatteryHistory, app: String? = nil) {
        let day = PhoneDay(history, app: app)
        func covers<Value>(_ lane: Lane<Value>) -> Bool {
            let all = lane.stretches
            return all.first?.start ?? 0 == 0 && all.last?.end ?? 0 == day.length && all.allSatisfy { $0.length > 0 }
                && zip(all, all.dropFirst()).allSatisfy { $0.end == $1.start && $0.value != $1.value }
        }
        #expect(covers(day.network) && covers(day.cellular) && covers(day.doze) && covers(day.screen))
        #expect(covers(day.plugged) && covers(day.mobileBusy) && covers(day.wifiBusy) && covers(day.foreground))
        #expect(covers(day.suspended) && covers(day.radioOff) && covers(day.running) && covers(day.wifiConnected))
        #expect(day.bursts.allSatisfy { $0.start <= $0.end } && day.history.length >= 0)
        #expect(zip(history.events, history.events.dropFirst()).allSatisfy { $0.at <= $1.at })
        let scenario = DayScenario(day, .init(simplify: 0, strategies: "  a: {strategy: patient}\n", schema: "s"))
        #expect(scenario.text.hasSuffix("\n"))
    }

    @Test func mutantsOfTextsNeverTrap() {
        // Broken: a file that a tool cut or edited ends the program, or makes lanes that overlap.
        var read = 0
        seedSweep(6_000) { seed in
            var mutator = ByteMutator(seed)
            let base = seed % 2 == 0 ? Self.long : Self.checkin
            let bytes = mutator.mutate(base, among: Self.texts)
            guard let history = try? HistoryText.read(bytes, piece: 1 + mutator.draw(300)) else { return }
            read += 1
            check(history, app: "com.example.chat")
        }
        #expect(read > 3_000 || Self.hasSeed)
    }

    @Test func mutantsOfArchivesNeverTrap() {
        // Broken: a damaged archive ends the program, or is read without end.
        var (read, refused) = (0, 0)
        seedSweep(4_000) { seed in
            var mutator = ByteMutator(seed)
            var zip = ZipWriter()
            zip.add(Array("x\n".utf8), name: "../../a", method: 0)
            let text = seed % 2 == 0 ? Self.long : Self.checkin
            // Checksums find nearly all damage to an archive. A quarter of the archives is right, and its text damaged.
            let isRight = seed % 4 == 1
            zip.add(
                isRight ? mutator.mutate(text, among: Self.texts) : text,
                descriptor: seed % 3 == 0 ? .init(hasSignature: seed % 2 == 0) : nil)
            do throws(DayFault) {
                let bytes = isRight ? zip.closed() : mutator.mutate(zip.closed(), among: Self.texts)
                check(try HistoryText.read(bytes, piece: 97))
                read += 1
            } catch {
                refused += 1
                #expect(!error.message.isEmpty)
            }
        }
        #expect((read > 100 && refused > 1_000) || Self.hasSeed)
    }

    @Test func mutantsOfPowerlogsNeverTrap() {
        // Broken: a damaged database ends the program, is read without end, or makes lanes that overlap.
        let (file, packed) = (Self.powerlog, PowerlogTests.gzipped(Self.powerlog))
        var (read, refused) = (0, 0)
        seedSweep(4_000) { seed in
            var mutator = ByteMutator(seed)
            let bytes = mutator.mutate(seed % 4 == 0 ? packed : file, among: Self.texts + Self.pages)
            do throws(DayFault) {
                check(try HistoryText.read(bytes), app: "com.example.chat-app")
                read += 1
            } catch {
                refused += 1
                #expect(!error.message.isEmpty)
            }
        }
        #expect((read > 100 && refused > 100) || Self.hasSeed)
    }

    private static let powerlog = HandMadePowerlog.file(["PRAGMA page_size = 512"] + HandMadePowerlog.hour)
    /// Parts of pages: numbers of pages, sizes and types that lead elsewhere.
    private static let pages: [[UInt8]] = [
        [0, 0, 0, 1], [0, 0, 0, 2], [5, 0, 0, 0, 3], [13, 0, 0, 0, 9], [255, 255, 255, 255],
        [0x81, 0xff, 0xff, 0xff, 0x7f],
    ]
}
