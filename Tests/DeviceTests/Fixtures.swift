import DeadzoneBase
import DeadzoneDevice

/// Profiles in code, so that the radio machines are tested without a file reader.
enum Fixture {
    static let all: [(name: String, profile: RadioProfile)] = [
        ("lte 2012", lte2012), ("lte 2021", lte2021), ("lte parts", lteParts), ("nsa", nsa), ("sa", sa),
        ("umts aro", umtsARO),
        ("umts teliasonera", umtsTeliaSonera), ("wifi aro", wifiARO), ("wifi s2", wifiS2),
        ("wifi mobisys", wifiMobiSys),
    ]

    static let cellular = ["lte 2012", "lte 2021", "lte parts", "nsa", "sa"]

    static func named(_ name: String) -> RadioProfile { all.first { $0.name == name }!.profile }

    static let search = SearchTimers(scan: .seconds(2), firstPause: .seconds(4), longestPause: .seconds(64))

    static func powers(_ rows: [PowerLevel: Int64]) -> PowerTable {
        var table = PowerTable()
        for level in PowerLevel.allCases { table[level] = .milliwatts(rows[level] ?? 0) }
        return table
    }

    /// ARO `lte.conf`.
    static let lte2012: RadioProfile = {
        var table = powers([
            .search: 370, .promotion: 1_210, .activeUp: 1_200, .activeDown: 1_200, .tail: 1_200, .handover: 1_200,
        ])
        let on = TimeSpan.milliseconds(2)
        table[.shortDRX] = .duty(high: 1_680_000, for: on, every: .milliseconds(20), low: 1_060_000)
        table[.longDRX] = .duty(high: 1_680_000, for: on, every: .milliseconds(40), low: 1_060_000)
        table[.idle] = .duty(high: 594_000, for: .milliseconds(43), every: .milliseconds(1_280), low: 0)
        return RadioProfile(
            technology: .lte, powers: table, costUp: BitCost(femtojoules: 438_390_000),
            costDown: BitCost(femtojoules: 51_970_000),
            machine: .cellular(
                CellularTimers(
                    promotion: .milliseconds(260),
                    tail: TailLadder(
                        .init(.tail, until: .milliseconds(100)), .init(.shortDRX, until: .milliseconds(120)),
                        .init(.longDRX, until: .milliseconds(10_120))),
                    drx: DRXTimers(
                        inactivity: .milliseconds(100), short: Cycle(period: .milliseconds(20), on: on),
                        shortSpan: .milliseconds(20), long: Cycle(period: .milliseconds(40), on: on)),
                    paging: Cycle(period: .milliseconds(1_280)))),
            handover: .always(.milliseconds(32)), search: search)
    }()

    private static func modern(
        _ technology: Technology, _ rows: [PowerLevel: Int64], promotion: Int64, signalling: Int64 = 0,
        secondPromotion: Int64 = 0, tail: TailLadder, drx: Int64, paging: Int64, inactive: Int64 = 0, resume: Int64 = 0
    ) -> RadioProfile {
        RadioProfile(
            technology: technology, powers: powers(rows), costUp: BitCost(femtojoules: 80_210_000),
            costDown: BitCost(femtojoules: 14_550_000),
            machine: .cellular(
                CellularTimers(
                    promotion: .milliseconds(promotion),
                    signalling: .constant(TimeSpan.milliseconds(signalling).nanoseconds),
                    secondPromotion: .milliseconds(secondPromotion), tail: tail,
                    drx: DRXTimers(
                        inactivity: .milliseconds(100),
                        long: Cycle(period: .milliseconds(drx), on: .milliseconds(10))),
                    paging: Cycle(period: .milliseconds(paging)), inactive: .milliseconds(inactive),
                    resume: .milliseconds(resume))),
            handover: .always(.milliseconds(54)), search: search)
    }

    /// Verizon 4G.
    static let lte2021 = modern(
        .lte,
        [
            .idle: 10, .search: 370, .promotion: 1_210, .activeDown: 362, .activeUp: 536, .tail: 178, .handover: 536,
        ], promotion: 265, tail: TailLadder(.init(.tail, until: .milliseconds(10_200))), drx: 320, paging: 1_280)

    /// Verizon 4G with the base power of the last bit until DRX begins.
    static let lteParts = modern(
        .lte,
        [
            .idle: 10, .search: 370, .promotion: 1_210, .activeDown: 362, .activeUp: 536, .longDRX: 170, .handover: 536,
        ], promotion: 265,
        tail: TailLadder(.init(.activeDown, until: .milliseconds(100)), .init(.longDRX, until: .milliseconds(10_200))),
        drx: 320, paging: 1_280)

    /// Verizon low band.
    static let nsa = modern(
        .nrNSA,
        [
            .idle: 10, .search: 370, .promotion: 1_210, .secondPromotion: 799, .activeDown: 526, .activeUp: 840,
            .tail: 249, .secondTail: 178, .handover: 840,
        ], promotion: 288, secondPromotion: 1_230,
        tail: TailLadder(.init(.tail, until: .milliseconds(10_200)), .init(.secondTail, until: .milliseconds(18_800))),
        drx: 320, paging: 1_280)

    /// T-Mobile low band, stand-alone.
    static let sa = modern(
        .nrSA,
        [
            .idle: 10, .search: 370, .promotion: 245, .activeDown: 526, .activeUp: 840, .tail: 593, .inactive: 12,
            .handover: 840,
        ], promotion: 341, signalling: 4_650, tail: TailLadder(.init(.tail, until: .milliseconds(10_400))), drx: 40,
        paging: 1_250,
        inactive: 5_000, resume: 15)

    /// ARO's default 3G phone.
    static let umtsARO = RadioProfile(
        technology: .umts,
        powers: powers([.search: 370, .promotion: 650, .secondPromotion: 800, .dch: 1_300, .fach: 300]),
        costUp: .zero, costDown: .zero,
        machine: .umts(
            UMTSTimers(
                idleToDCH: .milliseconds(2_000), fachToDCH: .milliseconds(1_500), dchInactivity: .milliseconds(4_000),
                fachInactivity: .milliseconds(10_000),
                up: RLCBuffer(
                    idleLimit: 0, fachLimit: 543, constant: 20_000_000, linear: 1_600_000, quadratic: 1_400),
                down: RLCBuffer(idleLimit: 0, fachLimit: 475, constant: 10_000_000, linear: 100_000),
                dchResetBytes: 320, dchResetWindow: .milliseconds(300), paging: Cycle(period: .milliseconds(1_280)))),
        handover: .none, search: search)

    /// EnergyBox `3g_teliasonera.config`.
    static let umtsTeliaSonera = RadioProfile(
        technology: .umts,
        powers: powers([
            .idle: 200, .search: 370, .fachPromotion: 350, .promotion: 750, .secondPromotion: 900, .dch: 1_300,
            .fach: 500, .handover: 1_300,
        ]),
        costUp: .zero, costDown: .zero,
        machine: .umts(
            UMTSTimers(
                idleToFACH: .milliseconds(430), idleToDCH: .milliseconds(1_700), fachToDCH: .milliseconds(650),
                dchInactivity: .milliseconds(4_100), fachInactivity: .milliseconds(5_600),
                dchToFACH: .milliseconds(700), fachToIdle: .milliseconds(300),
                up: RLCBuffer(idleLimit: 1_000, fachLimit: 294, constant: 0, linear: 1_200_000),
                down: RLCBuffer(idleLimit: 515, fachLimit: 515, constant: 30_000_000),
                paging: Cycle(period: .milliseconds(1_280)))),
        handover: .always(.milliseconds(40)), search: search)

    private static func wifi(
        _ rows: [PowerLevel: Int64], promotion: Int64 = 0, tail: Int64, beacon: Int64, highBytes: UInt32? = nil
    ) -> RadioProfile {
        RadioProfile(
            technology: .wifi, powers: powers(rows), costUp: .zero, costDown: .zero,
            machine: .wifi(
                WiFiTimers(
                    promotion: .microseconds(promotion), tail: .microseconds(tail),
                    beacon: Cycle(period: .microseconds(beacon)), highBytes: highBytes,
                    highWindow: .milliseconds(50))),
            handover: .always(.milliseconds(50)), search: search)
    }

    static let wifiARO = wifi(
        [.idle: 20, .activeUp: 403, .activeDown: 403, .tail: 403, .handover: 403], tail: 250_000, beacon: 307_200)
    /// EnergyBox `samsungS2_wifi.config`.
    static let wifiS2 = wifi(
        [.idle: 30, .activeUp: 250, .activeDown: 250, .tail: 250, .activeHigh: 450, .handover: 250], tail: 220_000,
        beacon: 307_200, highBytes: 3_000)
    static let wifiMobiSys = wifi(
        [.idle: 2, .promotion: 124, .activeUp: 133, .activeDown: 133, .tail: 119, .handover: 133], promotion: 79_100,
        tail: 238_100, beacon: 308_200)
}
