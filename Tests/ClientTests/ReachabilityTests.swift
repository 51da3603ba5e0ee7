import DeadzoneClient
import DeadzonePrimitives
import Testing

@Test(arguments: [
    (false, false, false, Reachability.Category.none), (false, false, true, .none), (false, true, false, .none),
    (false, true, true, .none), (true, true, false, .none), (true, true, true, .none), (true, false, false, .wifi),
    (true, false, true, .cellular),
])
func flagsComeToOneOfThree(_ reachable: Bool, _ needs: Bool, _ wwan: Bool, _ category: Reachability.Category) {
    /// Broken: a row of the table in gRPC's note on network transitions of iOS is read otherwise.
    let flags = Reachability(isReachable: reachable, needsConnection: needs, isWWAN: wwan)
    #expect(flags.category == category)
}

@Test func whatTheSystemSaysIsOneOfTheRows() {
    /// Broken: a network that the system names is another one in its flags.
    #expect(Reachability(NetworkView()).category == .none)
    #expect(Reachability(NetworkView(path: .wifi)).category == .wifi)
    #expect(Reachability(NetworkView(path: .cellular)).category == .cellular)
    var blocked = NetworkView(path: .wifi)
    blocked.isBlocked = true
    #expect(Reachability(blocked).category == .none)
}
