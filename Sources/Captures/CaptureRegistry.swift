/// A network interface on which packets of a capture were recorded.
package struct CapturedInterface: Equatable, Sendable {
    /// LINKTYPE_ value from the file; for PKTAP, the link type in its header, which describes the inner packets.
    package var linkType: UInt32
    /// Snap length from the file; 0 means no limit.
    package var snapLength: UInt32
    package var name: String?
    package var about: String?
    /// Packets lost, as counted by the capturing system.
    package var dropped: UInt64 = 0
    package var packets: UInt64 = 0
    /// The interface is named by a header inside the packets (PKTAP, cooked v2), not by the file.
    package var isInner = false

    /// `true` if the name is one that Android, iOS or Linux gives to modem interfaces.
    package var isCellular: Bool {
        let modems = ["rmnet", "ccmni", "pdp_ip", "wwan", "seth_lte", "v4-rmnet", "v4-ccmni"]
        return name.map { name in modems.contains { name.hasPrefix($0) } } ?? false
    }

    /// `true` if the name is one that Android gives to Wi-Fi interfaces.
    var isWiFi: Bool { name?.hasPrefix("wlan") ?? false }

    /// Human-readable name of the link type.
    package var linkTypeName: String { LinkKind.name(linkType) }

    package init(linkType: UInt32, snapLength: UInt32 = 0, name: String? = nil, about: String? = nil) {
        self.linkType = linkType
        self.snapLength = snapLength
        self.name = name
        self.about = about
    }
}

/// An app or process that a capture file names as sender or receiver of packets.
package struct App: Hashable, Sendable {
    package var name: String
    /// Android user id (uid) of the app.
    package var user: UInt32?

    package init(name: String, user: UInt32? = nil) {
        self.name = name
        self.user = user
    }
}

/// Collects the interfaces and apps that a capture file names, up to the current reading position.
struct CaptureRegistry {
    private(set) var interfaces: [CapturedInterface] = []
    private(set) var links: [LinkKind] = []
    private(set) var cellularFlags: [Bool] = []
    /// Packet count for each interface. Stored outside `interfaces` because it changes with every packet.
    private var packets: [UInt64] = []
    /// Outages that have not been delivered with a batch yet, up to a limit.
    private var outages: [Outage] = []
    private var remarks: [InterfaceRemark] = []
    private(set) var apps: [App] = []
    /// Number of app names dropped because the limit was reached or the name was empty.
    private(set) var unnamedApps = 0
    var comments: [String] = []
    var isDeadzoneOutput = false
    /// `true` if a packet has PCAPdroid's trailer, or the file has PCAPdroid's block.
    var isFromPCAPdroid = false
    var commentCount = 0
    private var appIDs: [App: AppID] = [:]
    private var appsByUser: [UInt32: App] = [:]
    /// Index of the interface named by a PKTAP or cooked v2 header.
    private var inner: [InnerInterface: Int] = [:]

    /// Number of interfaces from earlier files, and those of them that the current file describes again.
    private var earlier = 0
    private var sameAsEarlier: Set<Int> = []

    /// Starts the next file of the same capture. An interface that looks like an earlier one is treated as the same
    /// interface.
    mutating func beginFile() {
        earlier = interfaces.count
        sameAsEarlier = []
    }

    /// - Parameter order: Byte order of numbers in headers that use the capturing host's order.
    /// - Returns: The index of the interface.
    mutating func add(_ interface: CapturedInterface, _ order: ByteOrder, at offset: UInt64) throws(CaptureFault) -> Int
    {
        let link = LinkKind(interface.linkType, order)
        let same = interfaces.indices.prefix(earlier).first { index in
            let known = interfaces[index]
            return !known.isInner && links[index] == link && !sameAsEarlier.contains(index)
                && (known.linkType, known.snapLength) == (interface.linkType, interface.snapLength)
                && (known.name, known.about) == (interface.name, interface.about)
        }
        if let same {
            sameAsEarlier.insert(same)
            return same
        }
        guard interfaces.count < CaptureLimits.interfaces else {
            throw CaptureFault(at: offset, "the file describes more than \(CaptureLimits.interfaces) interfaces")
        }
        interfaces.append(interface)
        packets.append(0)
        links.append(link)
        cellularFlags.append(interface.isCellular)
        return interfaces.count - 1
    }

    /// Adds a batch to the packet counts. Packets of one interface mostly follow each other, so runs are counted at
    /// once.
    /// - Returns: The interface of all packets; `nil` if there are several, or no packets.
    @discardableResult
    mutating func count(_ batch: UnsafeBufferPointer<CapturedPacket>) -> UInt32? {
        guard let front = batch.first else { return nil }
        guard interfaces.count > 1 else {
            packets[0] &+= UInt64(batch.count)
            return 0
        }
        var run = (interface: front.interface, length: UInt64(0))
        for packet in batch {
            if packet.interface != run.interface {
                packets[Int(run.interface)] &+= run.length
                run = (packet.interface, 0)
            }
            run.length &+= 1
        }
        packets[Int(run.interface)] &+= run.length
        return run.length == UInt64(batch.count) ? run.interface : nil
    }

    mutating func recordDropped(_ packets: UInt64, on interface: Int) {
        interfaces[interface].dropped = max(interfaces[interface].dropped, packets)
    }

    mutating func add(_ outage: Outage) {
        if outages.count < CaptureLimits.outages { outages.append(outage) }
    }

    mutating func takeOutages() -> [Outage] {
        defer { outages = [] }
        return outages
    }

    mutating func add(_ remark: InterfaceRemark) {
        if remarks.count < CaptureLimits.remarks { remarks.append(remark) }
    }

    mutating func takeRemarks() -> [InterfaceRemark] {
        defer { remarks = [] }
        return remarks
    }

    /// The interfaces with their packet counts filled in.
    var interfacesWithCounts: [CapturedInterface] {
        zip(interfaces, packets).map { interface, count in
            var interface = interface
            interface.packets = count
            return interface
        }
    }

    mutating func id(of app: App) -> AppID {
        if let known = appIDs[app] { return known }
        guard apps.count < CaptureLimits.apps, !app.name.isEmpty else {
            unnamedApps += 1
            return .none
        }
        let id = AppID(UInt16(apps.count))
        apps.append(app)
        appIDs[app] = id
        return id
    }

    mutating func register(user: UInt32, to app: App) {
        guard appsByUser.count < CaptureLimits.apps else { return }
        appsByUser[user] = app
    }

    mutating func id(ofUser user: UInt32) -> AppID {
        id(of: appsByUser[user] ?? App(name: "uid \(user)", user: user))
    }

    /// The app of a packet in a trace of Android. The part of an id above 100,000 is the number of the phone's user or
    /// work profile (AID_USER_OFFSET in android_filesystem_config.h), which packages lists do not contain.
    mutating func id(ofAndroidUser user: UInt32) -> AppID {
        let profile = user / 100_000
        guard appsByUser[user] == nil, profile > 0, let app = appsByUser[user % 100_000] else {
            return id(ofUser: user)
        }
        return id(of: App(name: app.name + " (user \(profile))", user: user))
    }

    /// Names the app of a user id, also if packets of it were read before.
    mutating func name(user: UInt32, _ name: String) {
        let (app, before) = (App(name: name, user: user), appsByUser[user] ?? App(name: "uid \(user)", user: user))
        register(user: user, to: app)
        guard app != before, let id = appIDs.removeValue(forKey: before) else { return }
        apps[Int(id.index)] = app
        appIDs[app] = id
    }

    func knows(user: UInt32) -> Bool { appsByUser[user] != nil }

    /// Counts a comment and keeps its text, up to a limit. Some files have a comment for each packet.
    mutating func addComment(_ comment: Bytes) {
        commentCount += 1
        if comments.count < CaptureLimits.comments { comments.append(comment.text(0, atMost: CaptureLimits.text)) }
    }

    /// Index of the interface with a name that is found beside packets without a link header. Beyond the limit, the
    /// last interface.
    mutating func interface(named name: String?) -> Int {
        let key = InnerInterface(outer: -1, name: name ?? "", number: 0)
        if let known = inner[key] { return known }
        guard interfaces.count < CaptureLimits.interfaces else { return interfaces.count - 1 }
        var interface = CapturedInterface(linkType: LinkKind.withoutLink, name: name)
        interface.isInner = true
        interfaces.append(interface)
        cellularFlags.append(interface.isCellular)
        packets.append(0)
        links.append(.raw)
        inner[key] = interfaces.count - 1
        return interfaces.count - 1
    }

    /// Index of the interface named by a header inside the packet. Returns the file's own interface if the limit is
    /// reached.
    mutating func interface(_ key: InnerInterface, on outer: Int, _ make: () -> CapturedInterface) -> Int {
        if let known = inner[key] { return known }
        guard interfaces.count < CaptureLimits.interfaces else { return outer }
        interfaces.append(make())
        interfaces[interfaces.count - 1].isInner = true
        cellularFlags.append(interfaces[interfaces.count - 1].isCellular)
        packets.append(0)
        links.append(links[outer])
        inner[key] = interfaces.count - 1
        return interfaces.count - 1
    }
}

struct InnerInterface: Hashable {
    let outer: Int
    let name: String
    let number: UInt32
}
