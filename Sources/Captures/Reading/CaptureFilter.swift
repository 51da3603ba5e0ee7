import CPcap

/// Filters captured packets by a tcpdump expression. libpcap compiles it for each link type in the capture.
package final class CaptureFilter {
    private let expression: String
    private var programs: [UInt32: UnsafeMutablePointer<bpf_program>] = [:]
    /// libpcap's error message for each link type that it cannot compile the filter for.
    private var refusals: [UInt32: String] = [:]
    private let passes: deadzone_pcap_filter

    /// - Throws: libpcap's error for the expression on Ethernet.
    package init(_ expression: String) throws(CaptureFault) {
        guard let passes = deadzone_pcap_offline_filter() else {
            throw CaptureFault(at: 0, "a filter needs libpcap, which is not installed", help: "install libpcap")
        }
        self.expression = expression
        self.passes = passes
        if let word = FilterWords.hostName(in: expression) {
            throw CaptureFault(
                at: 0, "the filter names the host \(word)",
                help: "write its address: names are not looked up")
        }
        guard program(1) != nil else {
            throw CaptureFault(at: 0, "libpcap rejects the filter: \(refusals[1] ?? "")", help: nil)
        }
    }

    deinit {
        for (_, program) in programs {
            deadzone_pcap_freecode(program)
            program.deallocate()
        }
    }

    /// Returns `true` if the packet passes. Packets of a link type that libpcap cannot filter do not pass.
    func accepts(_ frame: Frame, _ linkType: UInt32) -> Bool {
        guard let program = program(linkType) else { return false }
        var header = pcap_pkthdr()
        header.caplen = UInt32(frame.bytes.count)
        header.len = frame.wireLength
        return passes(program, &header, frame.bytes.start.assumingMemoryBound(to: UInt8.self)) != 0
    }

    var refusedLinkTypes: [UInt32] { refusals.keys.sorted() }

    private func program(_ linkType: UInt32) -> UnsafePointer<bpf_program>? {
        if let known = programs[linkType] { return UnsafePointer(known) }
        guard refusals[linkType] == nil else { return nil }
        guard let handle = deadzone_pcap_open_dead(Self.dataLink(linkType), Int32(CaptureLimits.packet)) else {
            return nil
        }
        defer { deadzone_pcap_close(handle) }
        let program = UnsafeMutablePointer<bpf_program>.allocate(capacity: 1)
        program.initialize(to: bpf_program())
        guard deadzone_pcap_compile(handle, program, expression) == 0 else {
            refusals[linkType] = String(cString: deadzone_pcap_geterr(handle))
            program.deallocate()
            return nil
        }
        programs[linkType] = program
        return UnsafePointer(program)
    }

    /// Converts a LINKTYPE_ value to libpcap's DLT_ value. Only raw IP differs among the types read here.
    private static func dataLink(_ linkType: UInt32) -> Int32 { linkType == 101 ? DLT_RAW : Int32(linkType) }
}

/// Finds host names in a tcpdump filter expression, to reject them. The library libpcap would resolve them with DNS,
/// and nothing here may access the network.
enum FilterWords {
    static func hostName(in expression: String) -> String? {
        let words = words(of: expression)
        for (index, word) in words.enumerated() {
            if index > 0, servicePlaces.contains(words[index - 1]) { continue }
            if isKeyword(word) || isNumber(word) || isAddress(word) { continue }
            return word
        }
        return nil
    }

    /// Splits an expression as libpcap does. A hyphen at the edge of a word is a minus sign; inside, it belongs to the
    /// word.
    private static func words(of expression: String) -> [String] {
        let parts = expression.split { " \t\n()[]!&|=<>+*/%^~,".contains($0) }
        let trimmed = parts.map { part in part.drop { $0 == "-" }.reversed().drop { $0 == "-" }.reversed() }
        return trimmed.map { String($0) }.filter { !$0.isEmpty }
    }

    /// Keywords with an argument that libpcap looks up in local files.
    private static let servicePlaces: Set = [
        "port", "portrange", "proto", "protochain", "ifname", "on", "rset", "ruleset",
    ]

    private static func isKeyword(_ word: String) -> Bool {
        keywords.contains(word.hasPrefix("\\") ? String(word.dropFirst()) : word) || constants.contains(word)
    }

    private static func isNumber(_ word: String) -> Bool {
        let digits = word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word[...]
        return !digits.isEmpty && digits.allSatisfy(\.isHexDigit) && (word.first?.isNumber ?? false)
    }

    /// `true` for IP and MAC addresses, complete or partial.
    private static func isAddress(_ word: String) -> Bool {
        if word.contains("-") {
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            return parts.count == 6 && parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy(\.isHexDigit) }
        }
        return word.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" } && word.contains { $0 == "." || $0 == ":" }
    }

    /// The keywords of the filter language, as listed in the manual page pcap-filter(7).
    private static let keywords: Set = [
        "dst", "src", "host", "net", "mask", "port", "portrange", "less", "greater", "len", "proto", "protochain",
        "and",
        "or", "not", "ether", "fddi", "tr", "wlan", "ip", "ip6", "arp", "rarp", "decnet", "tcp", "udp", "sctp", "icmp",
        "icmp6", "igmp", "igrp", "pim", "vrrp", "carp", "ah", "esp", "atalk", "aarp", "lat", "moprc", "mopdl", "iso",
        "stp", "ipx", "netbeui", "broadcast", "multicast", "gateway", "inbound", "outbound", "vlan", "mpls", "pppoed",
        "pppoes", "geneve", "vxlan", "ifname", "on", "ra", "ta", "addr1", "addr2", "addr3", "addr4", "type", "subtype",
        "dir", "mgt", "ctl", "data", "link", "ppp", "slip", "radio", "tcpflags", "tcp", "syn", "ack", "fin", "rst",
        "psh",
        "urg", "ece", "cwr", "push", "reason", "rnr", "rulenum", "rset", "ruleset", "srnr", "subrulenum", "action",
        "llc",
    ]

    /// Names of flags, ICMP types and offsets, as listed there.
    private static let constants = Set(
        ["tcpflags", "icmptype", "icmpcode", "icmp6type", "icmp6code"]
            + ["fin", "syn", "rst", "push", "ack", "urg", "ece", "cwr"].map { "tcp-" + $0 }
            + [
                "echoreply", "unreach", "sourcequench", "redirect", "echo", "routeradvert", "routersolicit", "timxceed",
                "paramprob", "tstamp", "tstampreply", "ireq", "ireqreply", "maskreq", "maskreply",
            ].map { "icmp-" + $0 }
            + [
                "destinationunreach", "packettoobig", "timeexceeded", "parameterproblem", "echo", "echoreply",
                "multicastlistenerquery", "multicastlistenerreportv1", "multicastlistenerdone", "routersolicit",
                "routeradvert", "neighborsolicit", "neighboradvert", "redirect", "routerrenum", "nodeinformationquery",
                "nodeinformationresponse", "ineighbordiscoverysolicit", "ineighbordiscoveryadvert",
                "multicastlistenerreportv2", "homeagentdiscoveryrequest", "homeagentdiscoveryreply",
                "mobileprefixsolicit",
                "mobileprefixadvert", "certpathsolicit", "certpathadvert", "multicastrouteradvert",
                "multicastroutersolicit", "multicastrouterterm",
            ].map { "icmp6-" + $0 })
}
