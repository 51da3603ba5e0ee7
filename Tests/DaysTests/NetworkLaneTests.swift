import Testing

@testable import DeadzoneCaptures

struct NetworkLaneTests {
    private func day(_ lines: [String]) throws -> PhoneDay {
        let texts = ["9,hsp,0,0,\"CONNECTED\"", "9,hsp,1,1,\"CONNECTED\"", "9,hsp,2,0,\"DISCONNECTED\""]
        let more = ["9,hsp,3,1,\"DISCONNECTED\"", "9,hsp,4,0,\"SUSPENDED\"", "9,hsp,5,17,\"CONNECTED\""]
        return try HistoryText.day(
            (texts + more + ["9,h,0:RESET:TIME:1000"] + lines.map { "9,h," + $0 }).joined(separator: "\n") + "\n")
    }

    @Test func oldPhoneBounces() throws {
        // Broken: times without a default network, as Android 6 announces them, are lost.
        let found = try day([
            "0,+W,Wsp=compl,Ecn=1", "1000,Wsp=dsc", "13,Pcn=lte,Wsp=scan,Ecn=3", "920,Ecn=0", "2000,Wsp=asced",
            "100,Wsp=compl,Ecn=2", "700,Ecn=1", "5000,Est=0",
        ])
        let wanted = "0 wifi, 1000 none, 1013 cellular, 1013 none, 1933 cellular, 4033 none, 4733 wifi"
        // Data of the cellular network begins before it is announced; both are in one entry here.
        #expect(HistoryText.text(found.network) == wanted.replacing("1013 cellular, 1013 none, ", with: ""))
        #expect(found.handoffs == 2 && found.roams.isEmpty)
    }

    @Test func repeatedAnnouncementsAreOneNetwork() throws {
        // Broken: newer phones announce a network at each change of its capabilities, which looks like handoffs.
        let found = try day(["0,+W,Wsp=compl,Pcn=nr", "500,Ecn=1", "500,Ecn=1", "500,Ecn=1", "500,Ecn=5", "900,Est=0"])
        #expect(HistoryText.text(found.network) == "0 wifi" && found.handoffs == 0)
    }

    @Test func announcedNetworkWinsOverAssociation() throws {
        // Broken: a phone that is associated with a Wi-Fi network that does not work counts as being on Wi-Fi.
        let found = try day(["0,+W,Wsp=compl,Pcn=nr,Ecn=1", "1000,Ecn=0", "4000,Ecn=1", "1000,Est=0"])
        #expect(HistoryText.text(found.network) == "0 wifi, 1000 cellular, 5000 wifi")
    }

    @Test func anAssociationWithoutTrafficIsNoNetworkFromTheBeginning() throws {
        // Broken: a phone on a cellular network counts as being on Wi-Fi until the first announcement, because it was
        // associated with a network that did not work; or a real handoff is moved to the beginning.
        func network(_ before: String, _ between: String = "+Pr") throws -> String {
            let lines = ["0,+W,Wsp=compl" + before, "1000," + between, "9000,-Pr", "2000,Ecn=0", "8000,Est=0"]
            return HistoryText.text(try day(lines).network)
        }
        #expect(try network("") == "0 cellular" && network(",Pcn=lte") == "0 cellular")
        for other in [",+Wr", ",Ecn=1", ",Pst=off"] {
            #expect(try network(other).hasPrefix("0 wifi"), "\(other)")
        }
        let quiet = try day(["0,+W,Wsp=compl,Pcn=lte", "12000,Ecn=0", "8000,Est=0"])
        #expect(HistoryText.text(quiet.network) == "0 wifi, 12000 cellular")
        #expect(try network(",Pcn=lte", "+Wr,+Pr") == "0 wifi, 12000 cellular")
    }

    @Test func changeOfTheAccessPointIsNoLoss() throws {
        // Broken: a roam of 150 ms counts as a loss of Wi-Fi, or a real loss as a roam.
        let found = try day([
            "0,+W,Wsp=compl,Pcn=lte", "1000,Wsp=asced", "50,Wsp=4-way", "60,Wsp=group", "40,Wsp=compl", "5000,Wsp=dsc",
            "3000,Wsp=scan", "1000,Wsp=asced", "100,Wsp=compl", "1000,Est=0",
        ])
        #expect(found.roams.map(\.start) == [1_000] && found.roams.map(\.length) == [150])
        #expect(HistoryText.text(found.network) == "0 wifi, 6150 cellular, 10250 wifi")
    }

    @Test func outOfServiceIsApartFromNoData() throws {
        // Broken: times out of service are not counted, or count although Wi-Fi carried everything.
        let found = try day([
            "0,Pcn=lte", "1000,Pcn=oos", "51000,Pcn=nr", "1000,+W,Wsp=compl", "500,Pcn=oos", "2000,Pcn=nr", "900,Est=0",
        ])
        #expect(found.outages.map(\.length) == [51_000, 2_000] && found.felt == 1)
        #expect(HistoryText.text(found.network) == "0 cellular, 1000 none, 52000 cellular, 53000 wifi")
        #expect(found.technologies.map(\.state) == [.lte, .nr])
    }

    @Test func callSuspendsData() throws {
        // Broken: data that a call stops is reported as a lost network.
        let found = try day([
            "0,Pcn=lte", "1000,+Pcl,Ecn=4", "1200,Pcn=hspa,Ecn=0", "60000,-Pcl", "2000,Pcn=lte", "500,+Pcl",
            "100,Pcn=none", "1900,Pcn=hspa", "9000,-Pcl", "0,Est=0",
        ])
        #expect(found.suspended.stretches.filter(\.value).map(\.length) == [1_200, 1_900])
        #expect(found.call.total { $0 } == 72_200)
    }

    @Test func radioOffIsAirplaneMode() throws {
        // Broken: airplane mode, no registration and emergency calls only are one state.
        let found = try day(["0,Pcn=lte", "1000,Pst=out", "1000,Pst=em", "1000,Pst=off", "5000,Pst=in", "1000,Est=0"])
        #expect(found.radioOff.stretches.filter(\.value).map(\.start) == [3_000])
        #expect(HistoryText.text(found.network) == "0 cellular, 3000 none, 8000 cellular")
    }

    @Test func technologyThatIsNeverSaidIsUnknown() throws {
        // Broken: a phone that does not print `data_conn` has no cellular network at all.
        let found = try day(["0,+Pr", "9000,-Pr", "1000,Ecn=0", "1000,Est=0"])
        #expect(
            HistoryText.text(found.network) == "0 cellular"
                || HistoryText.text(found.network) == "0 none, 10000 cellular")
        #expect(found.untold.contains("the cellular technology"))
    }

    @Test func dozeOfAndroid6IsDeep() throws {
        // Broken: Android 6 prints Doze as on or off, which is read as light or as no Doze.
        let found = try day(["0,+di", "5000,-di", "1000,di=light", "1000,di=full", "1000,di=???", "500,Est=0"])
        #expect(HistoryText.text(found.doze) == "0 deep, 5000 off, 6000 light, 7000 deep, 8000 off")
        #expect(found.release.number == 6)
    }
}
