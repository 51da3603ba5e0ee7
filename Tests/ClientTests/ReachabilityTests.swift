import DeadzoneBase
import DeadzoneClient
import Testing

@Test(arguments: [
    (false, false, false, Reachability.Category.none), (false, false, true, .none), (false, true, false, .none),
    (false, true, true, .none), (true, true, false, .none), (true, true, true, .none), (true, false, false, .wifi),
    (true, false, true, .cellular),
])
func flagsGiveOneOfThreeCategories(_ reachable: Bool, _ needs: Bool, _ wwan: Bool, _ category: Reachability.Category) {
    /// Broken: a row of the table in gRPC's note on network transitions on iOS gives another category.
    let flags = Reachability(isReachable: reachable, needsConnection: needs, isWWAN: wwan)
    #expect(flags.category == category)
}

@Test func systemNetworksHaveTheirCategory() {
    /// Broken: a network of the simulated system gives flags of another category.
    #expect(Reachability(NetworkView()).category == .none)
    #expect(Reachability(NetworkView(path: .wifi)).category == .wifi)
    #expect(Reachability(NetworkView(path: .cellular)).category == .cellular)
    var blocked = NetworkView(path: .wifi)
    blocked.isBlocked = true
    #expect(Reachability(blocked).category == .none)
}
