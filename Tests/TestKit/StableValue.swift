/// A value at a stable address until the object is gone, for tests of components that keep pointers to their settings.
package final class StableValue<Value: ~Copyable> {
    package let pointer: UnsafeMutablePointer<Value>

    package init(_ value: consuming Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: value)
    }

    deinit { pointer.deinitialize(count: 1).deallocate() }
}
