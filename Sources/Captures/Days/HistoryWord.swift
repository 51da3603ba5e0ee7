/// A word of Android's battery history that a day is made from. All other words are only recognised.
///
/// The names are those of `BatteryStats.java` (aosp-mirror/platform_frameworks_base,
/// core/java/android/os/BatteryStats.java: `HISTORY_STATE_DESCRIPTIONS`, `HISTORY_STATE2_DESCRIPTIONS`,
/// `HISTORY_EVENT_NAMES` and their check-in forms), of Android 6 to 16.
enum HistoryWord: UInt8, Sendable, CaseIterable {
    // States that are on or off.
    case screen, plugged, powerSave, mobileRadio, wifiRadio, call, running
    /// Wi-Fi is switched on. It need not be connected.
    case wifi
    // States with several values.
    case doze, technology, phoneState, supplicant, nrState
    // Events of a user id, most with a text.
    case connectivity, top, radioWake, allowList
    /// The end of a job of an app, which the system runs in a window of Doze.
    case job
    /// Events that only tell which package belongs to a user id.
    case names
    /// States that only a Powerlog of iOS has.
    case locked, signalBars
    // Entries of their own.
    case start, shutdown, time, overflow
    /// A word that is known and has no effect on a day.
    case unused

    /// Long names and check-in codes of the words with a meaning here.
    private static let meanings: [(HistoryWord, names: [String])] = [
        (.screen, ["screen", "S"]), (.plugged, ["plugged", "BP"]),
        (.powerSave, ["power_save", "low_power", "ps", "lp"]), (.mobileRadio, ["mobile_radio", "Pr"]),
        (.wifiRadio, ["wifi_radio", "Wr"]), (.call, ["phone_in_call", "Pcl"]), (.running, ["running", "r"]),
        (.wifi, ["wifi", "W"]), (.doze, ["device_idle", "di"]), (.technology, ["data_conn", "Pcn"]),
        (.phoneState, ["phone_state", "Pst"]), (.supplicant, ["wifi_suppl", "Wsp"]), (.nrState, ["nr_state", "nrs"]),
        (.connectivity, ["conn", "Ecn"]), (.top, ["top", "Etp"]), (.radioWake, ["wakeupap", "Ewa"]),
        (.allowList, ["tmpwhitelist", "Etw"]), (.job, ["job", "Ejb"]), (.names, ["fg", "Efg"]),
    ]

    /// Words of Android that do not concern a day of the network.
    private static let others = """
        wake_lock w wake_reason wr sensor s gps g gps_signal_quality Gss wifi_full_lock Wl wifi_scan Ws wifi_multicast \
        Wm wifi_running Ww wifi_signal_strength Wss phone_scanning Psc phone_signal_strength Pss audio a video v \
        camera ca flashlight fl bluetooth b ble_scan bles usb_data Ud charging ch screen_doze Sd brightness Sb \
        cellular_high_tx_power Chtp status Bs health Bh plug Bp temp Bt volt Bv charge Bcc Bl modemRailChargemAh Mrc \
        wifiRailChargemAh Wrc null Enl proc Epr sync Esy wake_lock_in Ewl user Eur userfg Euf active \
        Eac pkginst Epi pkgunin Epu alarm Eal stats Est pkginactive Eai pkgactive Eaa screenwake Esw longwake Elw \
        est_capacity Eec state Esc Eds motion Esm Dcpu Dpst wifi_batched_scan
        """

    /// Words that Samsung's phones add: temperatures, currents and switches of the charger.
    private static let samsung = """
        current ap_temp pa_temp skin_temp txshare_event online current_event misc_event wifi_ap otg high_speaker_volume \
        sub_screen sub_screen_doze CURRENT AP_TEMP PST_TEMP
        """

    /// All words by the hash of their name.
    static let byHash: [UInt64: HistoryWord] = {
        var table: [UInt64: HistoryWord] = [:]
        for name in (others + " " + samsung).split(separator: " ") { table[hash(name.utf8)] = .unused }
        for (word, names) in meanings {
            for name in names { table[hash(name.utf8)] = word }
        }
        return table
    }()

    /// 64-bit FNV-1a.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return sum
    }
}

/// State and technology of the phone's cellular data connection, as `data_conn` says it.
package enum CellularState: UInt8, Sendable, CaseIterable {
    /// No data connection. Until check-in version 34 also said while out of service.
    case none
    case outOfService, emergencyOnly
    case secondGeneration, thirdGeneration, lte, nr
    /// A technology without a radio profile, such as calls over Wi-Fi.
    case other

    /// `true` if packets can pass.
    package var carriesData: Bool {
        switch self {
        case .none, .outOfService, .emergencyOnly: false
        case .secondGeneration, .thirdGeneration, .lte, .nr, .other: true
        }
    }

    package var name: String {
        switch self {
        case .none: "no data"
        case .outOfService: "out of service"
        case .emergencyOnly: "emergency calls only"
        case .secondGeneration: "2G"
        case .thirdGeneration: "3G"
        case .lte: "LTE"
        case .nr: "NR"
        case .other: "another technology"
        }
    }

    /// Names of `DATA_CONNECTION_NAMES`.
    private static let names: [(CellularState, String)] = [
        (.none, "none unknown"), (.outOfService, "oos"), (.emergencyOnly, "emngcy"),
        (.secondGeneration, "gprs edge cdma 1xrtt gsm iden"),
        (.thirdGeneration, "umts hsdpa hsupa hspa hspap evdo_0 evdo_A evdo_B ehrpd td_scdma"),
        (.lte, "lte lte_ca"), (.nr, "nr"), (.other, "iwlan other"),
    ]

    static let byHash: [UInt64: CellularState] = {
        var table: [UInt64: CellularState] = [:]
        for (state, words) in names {
            for name in words.split(separator: " ") { table[HistoryWord.hash(name.utf8)] = state }
        }
        return table
    }()
}

/// State of Doze as the phone reports it.
package enum RecordedDoze: UInt8, Sendable, CaseIterable {
    case off, light, deep
}

/// State of the phone's registration.
enum PhoneState: UInt8, Sendable {
    case inService, outOfService, emergencyOnly
    /// The radio is switched off, as in airplane mode.
    case off
}

/// How far the phone is on its way into a Wi-Fi network.
enum Association: UInt8, Sendable {
    case away
    /// Between association and the end of the handshake. A phone that was connected before roams.
    case joining
    case joined
}

/// State of a network in a `conn` event.
enum ConnectivityState: UInt8, Sendable {
    case unknown, connected, suspended, disconnected
}
