package import DeadzoneBase
import DeadzoneDevice

// Titles and explanations of radio states and causes, for reports and `explain`.

extension RadioState {
    var title: String {
        switch self {
        case .idle: "idle"
        case .search: "search"
        case .promotion: "promotion"
        case .active: "transfer"
        case .tail: "tail"
        case .shortDRX: "short DRX"
        case .longDRX: "long DRX"
        case .inactive: "inactive"
        case .handover: "handover"
        case .dch: "DCH"
        case .fach: "FACH"
        case .powerSaving: "power saving"
        }
    }

    /// Continues "energy of the radio …".
    var clause: String {
        switch self {
        case .idle: "while it sleeps and listens for paging or beacons"
        case .search: "while it searches for a network without success"
        case .promotion: "during promotion from idle"
        case .active: "while bytes are transferred"
        case .tail: "while it stays up after the last byte"
        case .shortDRX: "in short discontinuous reception"
        case .longDRX: "in long discontinuous reception"
        case .inactive: "suspended in NR's INACTIVE state"
        case .handover: "during a handover"
        case .dch: "on a dedicated UMTS channel"
        case .fach: "on a shared UMTS channel"
        case .powerSaving: "asleep, where it cannot be paged (PSM)"
        }
    }

    var explanation: String {
        switch self {
        case .idle:
            "Idle power is the mean over a paging cycle or beacon interval. At long intervals between packets it dominates."
        case .search:
            "Without coverage the radio scans for cells at growing intervals. Its power is an assumption of the profile."
        case .promotion: "From idle to connected the phone requests a channel from the network; data waits meanwhile."
        case .active: "Base power while sending or receiving, plus the cost per bit."
        case .tail:
            "The network keeps the radio connected for some time after the last packet, in case another one follows."
        case .shortDRX: "In the first part of a DRX tail the radio wakes often; data waits for the next on-duration."
        case .longDRX: "In the long part of a DRX tail the radio wakes seldom; data waits for the next on-duration."
        case .inactive:
            "NR keeps the context of a suspended connection, so that resuming is quicker than promotion from idle."
        case .handover: "During the execution of a handover no data flows."
        case .dch: "UMTS gives each phone with much data to send a channel of its own, at high power."
        case .fach: "UMTS carries small amounts of data on a channel that phones share, at about half the power."
        case .powerSaving:
            "With PSM a small device sleeps after its active time. The core network holds data for it until it sends some or updates."
        }
    }
}

extension Cause {
    package var title: String {
        switch self {
        case .baseline: "idle paging and beacons"
        case .payload: "messages"
        case .keepalive: "keepalive pings"
        case .pong: "answers to pings"
        case .ack: "acknowledgements"
        case .connect: "opening connections"
        case .tls: "TLS handshakes"
        case .dns: "name lookups"
        case .resume: "resuming"
        case .retransmit: "retransmissions"
        case .poll: "polling"
        case .push: "push wake-ups"
        case .wake: "wake-ups of the processor"
        case .otherApps: "other apps"
        case .handover: "handovers"
        case .search: "searching for a network"
        case .probe: "probes of the server"
        case .tunnel: "VPN tunnel"
        }
    }

    var explanation: String {
        switch self {
        case .baseline: "Energy of the radio without any traffic."
        case .payload: "Messages and calls between the app and the server."
        case .keepalive: "Pings that the client sends to test whether its connection is alive."
        case .pong: "Answers of the other side to pings."
        case .ack: "Packets that only confirm others."
        case .connect: "Packets of the transport's own handshake, and of failed attempts."
        case .tls: "Packets of the TLS handshake."
        case .dns: "Packets of name lookups."
        case .resume: "Packets between client and server for resumption from a cursor."
        case .retransmit: "Packets that were sent before."
        case .poll: "Requests that only check for new messages."
        case .push: "Packets of the platform's push service."
        case .wake: "Energy of waking the processor for the app's own timers."
        case .otherApps: "Packets that other apps on the phone send and receive."
        case .handover: "Energy of handovers between cells."
        case .search: "Energy of the search for a network where there is none."
        case .probe:
            "Packets that the server sends to measure the network (`traffic: probe`), and the phone's answers. No client sends them."
        case .tunnel:
            "Handshakes and empty packets of a VPN tunnel (`phone: tunnel`), and the bytes that it adds to other packets."
        }
    }
}
