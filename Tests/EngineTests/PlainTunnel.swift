import DeadzoneBase
import DeadzoneTransport
@testable import DeadzoneSimulator

/// Reference model of the tunnel with a resolution of one second. It stores every event and searches the events for
/// each answer, instead of storing deadlines.
struct PlainTunnel {
    enum Sign: Equatable { case sentData, sentEmpty, gotData, gotEmpty, answered, ended, tried }

    let rules: TunnelRules
    private var signs: [(at: Int, what: Sign)] = []
    private var began: Int?
    private var tries: [Int] = []
    private(set) var number: UInt16 = 0
    var outer: Int?

    init(_ rules: TunnelRules) { self.rules = rules }

    private static func seconds(_ span: TimeSpan) -> Int {
        span == .longest ? .max / 4 : Int(span.nanoseconds / 1_000_000_000)
    }

    private func last(_ wanted: Sign...) -> Int? { signs.lastIndex { wanted.contains($0.what) } }

    /// Time of the first `wanted` after the last of `marks`.
    private func first(_ wanted: Sign, after marks: Int?) -> Int? {
        signs[((marks ?? -1) + 1)...].first { $0.what == wanted }?.at
    }

    private var openedAt: Int? {
        guard let answer = last(.answered), last(.ended).map({ $0 < answer }) ?? true else { return nil }
        return signs[answer].at
    }

    func hasSession(_ second: Int) -> Bool { openedAt.map { second < $0 + Self.seconds(rules.deadAfter) } ?? false }

    private func isOld(_ second: Int) -> Bool { openedAt.map { $0 + Self.seconds(rules.rekey) <= second } ?? false }

    private mutating func begin(_ second: Int) -> Bool {
        guard began == nil else { return false }
        (began, tries) = (second, [second])
        number &+= 1
        return true
    }

    mutating func send(_ second: Int) -> Tunnel.Passage {
        guard hasSession(second) else { return begin(second) ? .waitsAndInitiates : .waits }
        signs.append((second, .sentData))
        return isOld(second) && begin(second) ? .passesAndInitiates : .passes
    }

    mutating func receive(isData: Bool, _ second: Int) -> Bool {
        guard hasSession(second) else { return false }
        signs.append((second, isData ? .gotData : .gotEmpty))
        return true
    }

    /// Seconds since the first packet of the handshake; `nil` if the answer does not count.
    mutating func answer(_ number: UInt16, _ second: Int) -> Int? {
        guard let begun = began, number == self.number else { return nil }
        began = nil
        signs.append((second, .answered))
        return second - begun
    }

    /// A handshake of the gateway, after which nothing of the earlier session is owed.
    mutating func acceptHandshakeOfGateway(_ second: Int) {
        began = nil
        signs += [(second, .ended), (second, .answered)]
    }

    private mutating func again(_ second: Int) -> Tunnel.TunnelTask {
        if let begun = began, second - begun >= Self.seconds(rules.giveUp) {
            began = nil
            return hasSession(second) ? .nothing : .giveUp
        }
        tries.append(second)
        number &+= 1
        return .initiate
    }

    mutating func use(path: Int, _ second: Int) -> Tunnel.TunnelTask {
        guard outer != path, outer == nil || rules.onPathChange != .keep else { return .nothing }
        let isNew = outer == nil
        outer = path
        if rules.onPathChange == .renew, !isNew {
            signs.append((second, .ended))
            return began != nil ? again(second) : begin(second) ? .initiate : .nothing
        }
        if hasSession(second) {
            signs.append((second, .sentEmpty))
            return .keepAlive
        }
        if began != nil { return again(second) }
        return rules.keepalive != .longest && begin(second) ? .initiate : .nothing
    }

    /// Everything that is due, in its order.
    mutating func due(_ second: Int) -> [Tunnel.TunnelTask] {
        var actions: [Tunnel.TunnelTask] = []
        while true {
            if openedAt != nil, !hasSession(second) { signs.append((second, .ended)) }
            if began != nil, let latest = tries.last, latest + Self.seconds(rules.retry) <= second {
                actions.append(again(second))
                continue
            }
            let heard = last(.gotData, .gotEmpty, .answered, .ended, .tried)
            if let asked = first(.sentData, after: heard), asked + 10 + Self.seconds(rules.retry) <= second {
                signs.append((second, .tried))
                actions.append(begin(second) ? .initiate : .nothing)
                continue
            }
            let traffic = last(.sentData, .sentEmpty, .gotData, .gotEmpty, .answered).map { signs[$0].at }
            let isQuiet =
                rules.keepalive != .longest && (traffic.map { $0 + Self.seconds(rules.keepalive) } ?? 0) <= second
            let owed = first(.gotData, after: last(.sentData, .sentEmpty, .ended)).map { $0 + 10 <= second } ?? false
            guard isQuiet || owed else { return actions }
            signs.append((second, .sentEmpty))
            if hasSession(second) {
                actions.append(isOld(second) && begin(second) ? .initiate : .keepAlive)
            } else {
                actions.append(begin(second) ? .initiate : .nothing)
            }
        }
    }
}

/// The gateway of the plain tunnel.
struct PlainGateway {
    let rules: TunnelRules
    private var opened: Int?
    private var began: Int?
    private var tries: [Int] = []
    private var events: [(at: Int, isDown: Bool)] = []
    private(set) var number: UInt16 = 0
    private(set) var endpoint: Int?

    init(_ rules: TunnelRules) { self.rules = rules }

    private static func seconds(_ span: TimeSpan) -> Int { Int(span.nanoseconds / 1_000_000_000) }

    func accepts(_ second: Int) -> Bool { opened.map { second < $0 + Self.seconds(rules.deadAfter) } ?? false }

    mutating func shake(_ address: Int, _ second: Int) {
        (opened, endpoint, events, began) = (second, address, [], nil)
    }

    mutating func answer(_ number: UInt16, _ address: Int, _ second: Int) -> Bool {
        guard began != nil, number == self.number else { return false }
        shake(address, second)
        return true
    }

    mutating func accept(isData: Bool, _ address: Int, _ second: Int) -> Bool {
        guard accepts(second) else { return false }
        endpoint = address
        if isData { events.append((second, false)) }
        return true
    }

    mutating func sendDown(_ second: Int) -> Tunnel.Passage {
        if accepts(second) {
            events.append((second, true))
            return .passes
        }
        guard began == nil else { return .waits }
        (began, tries) = (second, [second])
        number &+= 1
        return .waitsAndInitiates
    }

    mutating func due(_ second: Int) -> [Tunnel.TunnelTask] {
        var actions: [Tunnel.TunnelTask] = []
        while true {
            if !accepts(second) { events = [] }
            if let begun = began, let latest = tries.last, latest + Self.seconds(rules.retry) <= second {
                if begun + Self.seconds(rules.giveUp) <= second {
                    began = nil
                    actions.append(.giveUp)
                } else {
                    tries.append(second)
                    number &+= 1
                    actions.append(.initiate)
                }
                continue
            }
            let since = (events.lastIndex { $0.isDown } ?? -1) + 1
            guard let first = events[since...].first, first.at + 10 <= second else { return actions }
            events.append((second, true))
            actions.append(.keepAlive)
        }
    }
}
