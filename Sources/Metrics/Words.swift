import DeadzoneDevice
public import DeadzonePrimitives

// What reports and explanations call the things that a record counts.

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
        }
    }

    /// Continues "energy of the radio …".
    var clause: String {
        switch self {
        case .idle: "while it sleeps and listens for paging or beacons"
        case .search: "while it looks for a network and finds none"
        case .promotion: "while it is brought up from idle"
        case .active: "while bytes cross the air"
        case .tail: "while it stays up after the last byte"
        case .shortDRX: "in short discontinuous reception"
        case .longDRX: "in long discontinuous reception"
        case .inactive: "suspended in NR's INACTIVE state"
        case .handover: "while it changes cells"
        case .dch: "on a dedicated UMTS channel"
        case .fach: "on a shared UMTS channel"
        }
    }

    var explanation: String {
        switch self {
        case .idle:
            "Idle power is the mean over a paging cycle or beacon interval. At long intervals between packets it decides."
        case .search:
            "Without coverage the radio scans for cells, less and less often. Its power is an assumption of the profile."
        case .promotion: "From idle to connected the network is asked for a channel; data waits meanwhile."
        case .active: "Base power while sending or receiving, and the cost per bit on top of it."
        case .tail:
            "The network keeps the radio connected for some time after the last packet, in case another one follows."
        case .shortDRX: "In the first part of a DRX tail the radio wakes often; data waits for the next on-duration."
        case .longDRX: "In the long part of a DRX tail the radio wakes seldom; data waits for the next on-duration."
        case .inactive:
            "NR keeps the context of a suspended connection, so that resuming is quicker than promotion from idle."
        case .handover: "During the execution of a handover no data flows."
        case .dch: "UMTS gives each phone with much to send a channel of its own, at high power."
        case .fach: "UMTS carries small amounts on a channel that phones share, at about half the power."
        }
    }
}

extension Cause {
    public var title: String {
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
        }
    }

    var explanation: String {
        switch self {
        case .baseline: "What the radio spends though nobody sends anything."
        case .payload: "What the app and the server had to say to each other."
        case .keepalive: "Pings that the client sends to learn whether its connection lives."
        case .pong: "What the other side answers to pings."
        case .ack: "Packets that only confirm others."
        case .connect: "Packets of the transport's own handshake, and of attempts that fail."
        case .tls: "Packets of the TLS handshake."
        case .dns: "Packets of name lookups."
        case .resume: "What client and server exchange to go on from a cursor."
        case .retransmit: "Packets that had been sent before."
        case .poll: "Requests that only ask whether there is something new."
        case .push: "Packets of the platform's push service."
        case .wake: "What waking the processor for the app's own timers costs."
        case .otherApps: "What other apps on the phone send and receive."
        case .handover: "What changing cells costs."
        case .search: "What looking for a network costs where there is none."
        case .probe:
            "What the server sends to measure the network (`traffic: probe`), and the phone's answers. No client sends any."
        }
    }
}
