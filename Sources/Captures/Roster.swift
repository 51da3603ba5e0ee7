/// An interface that packets were captured on.
public struct CapturedInterface: Equatable, Sendable {
    /// LINKTYPE_ value, as the file has it; of PKTAP, what its header says of the packets inside.
    public var linkType: UInt32
    /// As the file says; 0 is no limit.
    public var snapLength: UInt32
    public var name: String?
    public var about: String?
    /// What the capturing system says it lost.
    public var dropped: UInt64 = 0
    public var packets: UInt64 = 0
    /// Named by a header inside the packets (PKTAP, cooked v2), not by the file.
    public var isInner = false

    /// By its name: what Android, iOS and Linux call the interfaces of modems.
    public var isCellular: Bool {
        let modems = ["rmnet", "ccmni", "pdp_ip", "wwan", "seth_lte", "v4-rmnet", "v4-ccmni"]
        return name.map { name in modems.contains { name.hasPrefix($0) } } ?? false
    }

    /// What people call the link type.
    public var linkTypeName: String { LinkKind.name(linkType) }

    public init(linkType: UInt32, snapLength: UInt32 = 0, name: String? = nil, about: String? = nil) {
        self.linkType = linkType
        self.snapLength = snapLength
        self.name = name
        self.about = about
    }
}

/// An app or process that the capture names.
public struct App: Hashable, Sendable {
    public var name: String
    /// Of Android: the number that the system gives each app.
    public var user: UInt32?

    public init(name: String, user: UInt32? = nil) {
        self.name = name
        self.user = user
    }
}

/// The interfaces and apps met so far.
struct Roster {
    private(set) var interfaces: [CapturedInterface] = []
    private(set) var links: [LinkKind] = []
    private(set) var areCellular: [Bool] = []
    /// Beside the interfaces, because it changes with every packet.
    private var packets: [UInt64] = []
    /// Those that nobody has taken yet, the first of them.
    private var outages: [Outage] = []
    private var remarks: [InterfaceRemark] = []
    private(set) var apps: [App] = []
    /// Names of apps that had no room any more.
    private(set) var unnamedApps = 0
    var comments: [String] = []
    var isOfDeadzone = false
    var commentCount = 0
    private var appIDs: [App: AppID] = [:]
    private var usersOfAndroid: [UInt32: App] = [:]
    /// By what a PKTAP or cooked header says: the interface it means.
    private var inner: [InnerInterface: Int] = [:]

    /// Interfaces of the files before this one; those of this one that are the same.
    private var earlier = 0
    private var sameAsEarlier: Set<Int> = []

    /// What follows is of the next file of one capture: an interface that looks like one before is that one.
    mutating func beginFile() {
        earlier = interfaces.count
        sameAsEarlier = []
    }

    /// - Parameter order: of the numbers in headers that keep the order of the capturing host.
    /// - Returns: its place among the interfaces.
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
        guard interfaces.count < Limits.interfaces else {
            throw CaptureFault(at: offset, "the file describes more than \(Limits.interfaces) interfaces")
        }
        interfaces.append(interface)
        packets.append(0)
        links.append(link)
        areCellular.append(interface.isCellular)
        return interfaces.count - 1
    }

    /// Counts packets on their interfaces: those of one mostly follow each other.
    mutating func count(_ batch: UnsafeBufferPointer<Packet>) {
        var run: (interface: UInt32, length: UInt64) = (0, 0)
        for packet in batch {
            if packet.interface != run.interface {
                if run.length > 0 { packets[Int(run.interface)] &+= run.length }
                run = (packet.interface, 0)
            }
            run.length &+= 1
        }
        if run.length > 0 { packets[Int(run.interface)] &+= run.length }
    }

    mutating func drop(_ packets: UInt64, on interface: Int) {
        interfaces[interface].dropped = max(interfaces[interface].dropped, packets)
    }

    mutating func add(_ outage: Outage) {
        if outages.count < Limits.outages { outages.append(outage) }
    }

    mutating func takeOutages() -> [Outage] {
        defer { outages = [] }
        return outages
    }

    mutating func add(_ remark: InterfaceRemark) {
        if remarks.count < Limits.remarks { remarks.append(remark) }
    }

    mutating func takeRemarks() -> [InterfaceRemark] {
        defer { remarks = [] }
        return remarks
    }

    /// The interfaces with the packets that they had.
    var counted: [CapturedInterface] {
        zip(interfaces, packets).map { interface, count in
            var interface = interface
            interface.packets = count
            return interface
        }
    }

    mutating func id(of app: App) -> AppID {
        if let known = appIDs[app] { return known }
        guard apps.count < Limits.apps, !app.name.isEmpty else {
            unnamedApps += 1
            return .none
        }
        let id = AppID(UInt16(apps.count))
        apps.append(app)
        appIDs[app] = id
        return id
    }

    mutating func map(user: UInt32, to app: App) {
        guard usersOfAndroid.count < Limits.apps else { return }
        usersOfAndroid[user] = app
    }

    mutating func id(ofUser user: UInt32) -> AppID {
        id(of: usersOfAndroid[user] ?? App(name: "uid \(user)", user: user))
    }

    func knows(user: UInt32) -> Bool { usersOfAndroid[user] != nil }

    mutating func remark(_ comment: String) {
        commentCount += 1
        if comments.count < Limits.comments { comments.append(comment) }
    }

    /// The interface that a header inside the packet names. The one of the file stands in where there is no room for more.
    mutating func interface(_ key: InnerInterface, on outer: Int, _ make: () -> CapturedInterface) -> Int {
        if let known = inner[key] { return known }
        guard interfaces.count < Limits.interfaces else { return outer }
        interfaces.append(make())
        interfaces[interfaces.count - 1].isInner = true
        areCellular.append(interfaces[interfaces.count - 1].isCellular)
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
