import DeadzoneBase
import DeadzoneClient
import DeadzoneTestKit
import Testing
@testable import DeadzoneTransport

@testable import DeadzoneSimulator

/// The address that a connection uses: the choice of the client's library, the answers that it is told, and the numbers
/// of the addresses that were used.
@Suite struct AddressChoiceTests {
    private func answer(_ bench: PhoneEndBench, with address: UInt16?) {
        let number = address.map { Resolver.answer(with: $0) } ?? Resolver.failure
        let packet = bench.packet(.dnsResponse, number: number)
        bench.act { phone, _, now, session, out in
            phone.receiveResolution(
                packet, 0, generation: phone[0].generation, over: .wifi, addressNumber: 1, at: now, session, &out)
        }
    }

    /// Broken: a failure or an address that the library has kept leads to a query, or to another result.
    @Test func aKeptResultNeedsNoQuery() {
        let bench = PhoneEndBench(resolver: Resolver(), keepsNames: true)
        #expect(
            bench.taking { bench.connect(choosing: .fail) }
                == ["resolved kept_failure 0", "failed unresolved 1", "failed 0 unresolved"])
        #expect(bench.phone[0].belief == .closed && bench.phone.latestAddress == nil)
        #expect(bench.taking { bench.connect(choosing: .use(5)) } == ["resolved kept 0", "send hello 0"])
        #expect(bench.phone[0].address == 5 && bench.phone.latestAddress == 5)
        #expect(bench.phone.resolutionDeadline(0) == .never && bench.phone[0].belief == .opening)
        // Without a resolver the choice is not used, and the present address is.
        let known = PhoneEndBench()
        #expect(known.taking { known.connect(choosing: .fail, address: 3) } == ["send hello 0"])
        #expect(known.phone[0].address == 3 && known.phone.latestAddress == 3)
    }

    /// Broken: a library that keeps addresses is not told of an answer, or another library is.
    @Test(arguments: [true, false])
    func answersAreReportedToALibraryThatKeepsThem(keepsNames: Bool) {
        let bench = PhoneEndBench(resolver: Resolver(), keepsNames: keepsNames)
        let told = keepsNames ? ["nameAnswered(7)"] : []
        bench.connect()
        bench.wait(.milliseconds(40))
        #expect(
            bench.taking { answer(bench, with: 7) } == told + ["resolved answered 40000000", "send hello 0"])
        #expect(bench.phone[0].address == 7 && bench.phone.latestAddress == 7)
        #expect(bench.taking { bench.connect() } == ["resolved cached 0"] + told + ["send hello 0"])
        #expect(bench.phone[0].address == 7)
    }

    /// Broken: a response without an address is not kept for its time, is not reported to the library, or the last
    /// address is not used instead.
    @Test(arguments: [true, false])
    func aFailureIsKeptForItsTime(keepsNames: Bool) {
        let bench = PhoneEndBench(
            resolver: Resolver(negativeTTL: .seconds(30), timeout: .seconds(5), attempts: 1), keepsNames: keepsNames)
        let told = keepsNames ? ["nameUnresolved"] : []
        bench.connect()
        bench.wait(.milliseconds(40))
        #expect(
            bench.taking { answer(bench, with: nil) }
                == ["resolved failed 40000000"] + told + ["failed unresolved 1", "failed 0 unresolved"])
        bench.wait(.seconds(30) - .nanoseconds(1))
        #expect(
            bench.taking { bench.connect() }
                == ["resolved kept_failure 0"] + told + ["failed unresolved 2", "failed 0 unresolved"])
        #expect(
            bench.taking { bench.connect(choosing: .ask(orElse: 9)) }
                == ["resolved kept_failure 0"] + told + ["send hello 0"])
        #expect(bench.phone[0].address == 9 && bench.phone.latestAddress == 9)
        bench.wait(.nanoseconds(1))
        #expect(bench.taking { bench.connect(choosing: .ask(orElse: 0)) } == ["send dnsQuery 0"])
        bench.wait(.seconds(5))
        #expect(
            bench.taking { bench.act { $0.expireResolution(0, at: $2, $3, &$4) } }
                == ["resolved stale 5000000000"] + told + ["send hello 0"])
        #expect(bench.phone[0].address == 0 && bench.phone.latestAddress == 0)
    }

    /// Broken: packets of an earlier connection are taken for those to the present address.
    @Test func theAddressOfTheConnectionBeforeIsKnown() {
        let bench = PhoneEndBench()
        #expect(bench.phone.latestAddress == nil)
        for address in [3, 4, 6] as [UInt16] {
            bench.connect(address: address)
            #expect(bench.phone.latestAddress == address)
        }
        func address(_ generation: UInt16) -> UInt16 { bench.phone.address(0, generation: generation) }
        #expect(address(3) == 6 && address(2) == 4 && address(1) == 4, "earlier ones are taken for the previous one")
        bench.connect(.webSocket, 1, address: 8)
        #expect(bench.phone.latestAddress == 8 && address(3) == 6)
    }

    /// Broken: the time limit of an address is not the shorter one of the app's two settings.
    @Test func anAppLimitsTheTimeOfAnAddress() {
        let bench = PhoneEndBench(kernel: .linux)
        for limit in [nil, .seconds(3), .seconds(60)] as [TimeSpan?] {
            for retries in [nil, 2] as [UInt8?] {
                var transport = Transport(.webSocket)
                transport.addressTimeout = limit
                transport.synRetries = retries
                bench.connect(transport)
                // SYNs at 0, 1 and 3 s, and the end at 7 s (tcp_syn_retries of ip-sysctl.rst).
                let kernel = bench.phone[0].upward.pointee.kernel.connectTimeout
                #expect(retries == nil || .seconds(7) <= kernel && kernel < .seconds(8))
                let expected = retries == nil ? limit : limit == .seconds(3) ? limit : kernel
                #expect(bench.phone[0].addressLimit == expected)
            }
        }
    }

    /// Broken: a connection in a tunnel migrates, or its client counts as one that left for a better network.
    @Test func aConnectionInATunnelKeepsItsAddress() {
        for keepsAddress in [true, false] {
            let bench = PhoneEndBench(keepsAddress: keepsAddress)
            bench.open(Transport(.quic))
            bench.session.network = NetworkView(path: .cellular, handle: 4)
            let moves = bench.act { $0.migrate(0, $1, at: $2, $3, &$4) }
            #expect(moves == !keepsAddress && bench.phone[0].interface == (moves ? .cellular : .wifi))
            let socket = PhoneEndBench(keepsAddress: keepsAddress)
            socket.open()
            socket.session.network = NetworkView(path: .cellular, handle: 4)
            let gaveUp = keepsAddress ? ["gaveUp(slot: 0)"] : []
            #expect(
                socket.taking { socket.act { $0.close(0, isDone: false, at: $2, $3, &$4) } }
                    == ["send reset 0"] + gaveUp + ["believedClosed(slot: 0)", "closed by_client 1"])
        }
    }
}
