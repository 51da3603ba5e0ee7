/// Where the simulated phones of a worker lie. Both ways give the same records.
package enum PhoneMemory: String, Sendable {
    /// All parts of a phone lie in one block. In a large group, phones that wait are stored as their difference from a
    /// similar phone.
    case compact
    /// The parts of a phone's simulation have memory of their own, and each phone stays in memory until it has finished.
    case plain
}
