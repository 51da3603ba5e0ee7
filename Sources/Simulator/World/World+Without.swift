import DeadzoneBase

extension World {
    /// The same world without some changes of its timeline. Each is replaced by a change without an effect, so that
    /// later changes keep their numbers and their random numbers.
    /// - Parameter changes: Indices into the timeline of the whole population.
    package func without(_ changes: [Int]) -> World {
        var world = self
        for index in timeline.indices where changes.contains(index) {
            world.timeline[index].change = .consumerStall(.zero)
        }
        world.groups = groups.map { group in
            let own = changes.map { $0 - group.firstChange }
            return PopulationGroup(
                name: group.name, phones: group.phones, world: group.world.without(own),
                firstChange: group.firstChange)
        }
        return world
    }
}
