package import DeadzoneBase

/// Timers of a device that saves power: PSM (power saving mode) and eDRX (extended DRX). The core network holds its
/// downlink packets meanwhile.
///
/// PSM: after the connection is released, the device listens for the active time (T3324). Then it sleeps and cannot be
/// paged, until it sends data or its periodic update is due (T3412, counted from the release): 3GPP TS 24.301, 5.3.11
/// and TS 23.682, 4.5.4. eDRX: the device listens for a window (PTW) once per long cycle, and within the window at its
/// usual paging occasions: 3GPP TS 36.304, 7.3.
package struct PowerSaving: Hashable, Sendable, BitwiseCopyable {
    /// Time from the release of the connection to sleep (T3324).
    package var activeTime: TimeSpan
    /// Time from the release to the periodic tracking area update (TAU, T3412); zero if the device never sleeps.
    package var updateInterval: TimeSpan
    /// Length of the update: promotion and signalling. The network then releases the connection at once.
    package var updateTime: TimeSpan
    /// Cycle of eDRX; zero if the device listens at every paging occasion.
    package var extendedCycle: TimeSpan
    /// Time that the device listens in each cycle of eDRX (PTW).
    package var window: TimeSpan
    /// Maximum number of downlink packets that the core network holds for the device. It drops further ones.
    package var heldPackets: UInt32

    static let none = PowerSaving()

    package init(
        activeTime: TimeSpan = .zero, updateInterval: TimeSpan = .zero, updateTime: TimeSpan = .zero,
        extendedCycle: TimeSpan = .zero, window: TimeSpan = .zero, heldPackets: UInt32 = 0
    ) {
        self.activeTime = activeTime
        self.updateInterval = updateInterval
        self.updateTime = updateTime
        self.extendedCycle = extendedCycle
        self.window = window
        self.heldPackets = heldPackets
    }

    /// `true` if the device sleeps after its active time.
    package var sleeps: Bool { .zero < updateInterval }
    /// `true` if the core network may have to hold packets for longer than a paging cycle.
    package var isOn: Bool { sleeps || .zero < extendedCycle }

    /// Returns the first paging occasion from `now` on. `offset` is the phase of the eDRX cycle, or of the paging cycle
    /// without eDRX, in nanoseconds.
    func nextPaging(from now: Instant, _ paging: Cycle, offset: Int64) -> Instant {
        let cycle = extendedCycle.nanoseconds
        guard cycle > 0 else { return paging.nextOn(from: now, offset: offset) }
        let into = (now.nanoseconds - offset % cycle + cycle) % cycle
        let period = max(paging.period.nanoseconds, 1)
        let occasion = (into + period - 1) / period * period
        return now + .nanoseconds(occasion < window.nanoseconds ? occasion - into : cycle - into)
    }
}

extension RadioProfile {
    /// The power saving of the device; `nil` if it listens at every paging occasion for as long as it is idle.
    package var powerSaving: PowerSaving? { savesPower ? cellular.saving : nil }
}
