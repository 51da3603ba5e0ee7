import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Filter expressions: the words that are host names, and packets of link types that cannot be filtered.
struct FilterTests {
    /// Keywords of pcap-filter(7).
    private static let keywords = """
        dst src host net mask port portrange less greater len proto protochain and or not ether fddi tr wlan ip ip6 arp \
        rarp decnet tcp udp sctp icmp icmp6 igmp igrp pim vrrp carp ah esp atalk aarp lat moprc mopdl iso stp ipx netbeui \
        broadcast multicast gateway inbound outbound vlan mpls pppoed pppoes geneve vxlan ifname on ra ta addr1 addr2 \
        addr3 addr4 type subtype dir mgt ctl data link ppp slip radio tcpflags syn ack fin rst psh urg ece cwr push \
        reason rnr rulenum rset ruleset srnr subrulenum action llc
        """

    /// Broken: a keyword, a number or an address is taken for a host name, so that a valid filter is rejected.
    @Test func wordsOfTheLanguageAreNoHosts() {
        for word in Self.keywords.split(separator: " ").map(String.init) {
            #expect(FilterWords.hostName(in: word) == nil && FilterWords.hostName(in: "\\" + word) == nil, "\(word)")
            #expect(FilterWords.hostName(in: "(\(word)[1:2]!=\(word))&\(word)|\(word)\t\(word)\n\(word)") == nil)
        }
        for word in [
            "0", "80", "0x1f", "0X1F", "9f", "192.0.2.1", "10.0", "2001:db8::1", "::", "02:00:00:00:00:01", "ab.cd",
            ".",
            "tcp[13]&7", "1~2^3%4/5*6 -7+8,9", "02-00-00-0a-b-ff", "len - 20 < -5", "ip[0]-5 = -1", "portrange 50-60",
        ] {
            #expect(FilterWords.hostName(in: word) == nil, "\(word)")
        }
    }

    /// Broken: a filter that tests a flag or an ICMP type by its name is rejected.
    @Test func constantsOfTheLanguageAreNoHosts() throws {
        for flag in ["fin", "syn", "rst", "push", "ack", "urg", "ece", "cwr"] {
            #expect(try CaptureFilter("tcp[tcpflags] & tcp-\(flag) != 0").refusedLinkTypes.isEmpty)
        }
        for type in [
            "echoreply", "unreach", "sourcequench", "redirect", "echo", "routeradvert", "routersolicit", "timxceed",
            "paramprob", "tstamp", "tstampreply", "ireq", "ireqreply", "maskreq", "maskreply",
        ] {
            #expect(try CaptureFilter("icmp[icmptype] = icmp-\(type) and icmp[icmpcode]=0").refusedLinkTypes.isEmpty)
        }
        for type in [
            "destinationunreach", "packettoobig", "timeexceeded", "parameterproblem", "echo", "echoreply",
            "multicastlistenerquery", "multicastlistenerreportv1", "multicastlistenerdone", "routersolicit",
            "routeradvert", "neighborsolicit", "neighboradvert", "redirect", "routerrenum", "nodeinformationquery",
            "nodeinformationresponse", "ineighbordiscoverysolicit", "ineighbordiscoveryadvert",
            "multicastlistenerreportv2", "homeagentdiscoveryrequest", "homeagentdiscoveryreply", "mobileprefixsolicit",
            "mobileprefixadvert", "certpathsolicit", "certpathadvert", "multicastrouteradvert",
            "multicastroutersolicit", "multicastrouterterm",
        ] {
            // Older versions of libpcap do not know these.
            #expect(FilterWords.hostName(in: "icmp6[icmp6type] = icmp6-\(type) and icmp6[icmp6code] == 0") == nil)
        }
        // Other words with a hyphen are names for libpcap.
        for name in [
            "tcp-any", "icmp-any", "icmp6-any", "len-20", "10-20", "my-host", "02-00-00-0a-b", "1-2-3-4-5-g",
            "1-2-3-4-5-123", "1--3-4-5-6", "tcp-", "xtcp-syn",
        ] {
            let host = name.hasSuffix("-") ? nil : name
            #expect(FilterWords.hostName(in: "host \(name)") == host, "\(name)")
        }
    }

    /// Broken: a host name is passed to libpcap, which would look it up.
    @Test func otherWordsAreHosts() {
        for word in [
            "hosts", "example", "example.org", "f9", "abc", "0xg", "tcp_syn", "g.1", "a:g", "TCP", "9z", "\\\\tcp",
        ] {
            #expect(FilterWords.hostName(in: "host \(word) and tcp") == word, "\(word)")
        }
        #expect(FilterWords.hostName(in: "0x") == "0x" && FilterWords.hostName(in: "") == nil)
        #expect(FilterWords.hostName(in: "one or two") == "one")
        // Names of services, protocols, interfaces and rules are looked up in local files.
        for place in ["port", "portrange", "proto", "protochain", "ifname", "on", "rset", "ruleset"] {
            #expect(
                FilterWords.hostName(in: "\(place) https") == nil && FilterWords.hostName(in: "\(place) a b") == "b")
        }
        for place in ["host", "net", "src", "not", "type"] {
            #expect(FilterWords.hostName(in: "\(place) https") == "https")
        }
        #expect(FilterWords.hostName(in: "https") == "https")
    }

    /// Broken: the error of a filter that cannot be used does not say why.
    @Test func rejectedFiltersSayWhy() {
        let named = CaptureFault(
            at: 0, "the filter names the host example.org", help: "write its address: names are not looked up")
        #expect(throws: named) { try CaptureFilter("host example.org") }
        let wrong = #expect(throws: CaptureFault.self) { try CaptureFilter("tcp and") }
        #expect(wrong?.message.hasPrefix("libpcap rejects the filter: ") == true && wrong?.help == nil)
        #expect((wrong?.message.count ?? 0) > 30 && wrong?.offset == 0)
    }

    /// Broken: packets of a link type for which the filter has no meaning pass, or are not reported; or the filter
    /// compares another length or another part of the packet.
    @Test func linkTypesAreFilteredByTheirOwnHeaders() throws {
        let packet = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))
        var file = PcapngWriter()
        for type in [101, 1, 101] as [UInt16] { file.addInterface(linkType: type) }
        file.add(packet, at: 1, wireLength: 1_000)
        file.add(PacketBytes.ethernet(packet, to: [UInt8](repeating: 255, count: 6)), at: 1, interface: 1)
        file.add(packet, at: 1, interface: 2)
        file.add(PacketBytes.ethernet(packet), at: 1, interface: 1)
        // On raw IP there are no stations, so a filter for them cannot be compiled. Lengths are those on the wire.
        let cases: [(expression: String, interfaces: [UInt32], unfiltered: [String])] = [
            ("tcp", [0, 1, 2, 1], []), ("udp", [], []), ("ether broadcast", [1], ["raw IP"]), ("greater 1000", [0], []),
            ("greater 1001", [], []), ("less 54", [1, 2, 1], []), ("less 53", [2], []),
            ("ip[39] = 0", [0, 1, 2, 1], []),
            ("ip[40] = 0", [], []),
        ]
        for (expression, interfaces, unfiltered) in cases {
            let reading = try Reading(file.bytes, filter: try CaptureFilter(expression))
            #expect(reading.packets.map(\.interface) == interfaces, "\(expression)")
            #expect(reading.capture.filteredOut == UInt64(4 - interfaces.count))
            #expect(reading.capture.unfilteredLinkTypes == unfiltered, "\(expression)")
        }
        #expect(try Reading(file.bytes).capture.unfilteredLinkTypes.isEmpty)
    }
}
