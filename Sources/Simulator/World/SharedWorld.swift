/// A world that all copies of its owner share until one of them changes it. A world is large, and most owners only read
/// it: a copy of all its parts takes longer than many uses of it.
package struct SharedWorld: Sendable {
    /// Only changed while there is one reference to it.
    private final class Storage: @unchecked Sendable {
        var world: World

        init(_ world: World) { self.world = world }
    }

    private var storage: Storage

    package init(_ world: World) { storage = Storage(world) }

    /// The world, in place: a getter would copy it.
    package var world: World {
        _read { yield storage.world }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.world) }
            yield &storage.world
        }
    }
}
