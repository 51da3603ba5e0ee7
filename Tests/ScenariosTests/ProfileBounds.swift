/// The fault of each number of a sheet far below and far above its range, by technology.
enum ProfileBounds {
    static let all = [
        #"""
        promotion-time: must be from 0s to 1h / must be from 0s to 1h
        promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        signalling-time: must be from 0s to 1h / must be from 0s to 1h
        inactivity-time: must be from 0s to 1h / must be from 0s to 1h
        short-drx-time: must be from 0s to 1h / must be from 0s to 1h
        short-drx-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        short-drx-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-time: must be from 0s to 1h / must be from 0s to 1h
        inactivity-power: must be from 0mW to 100W / must be from 0mW to 100W
        short-drx-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        short-drx-off-power: must be from 0mW to 100W / must be from 0mW to 100W
        long-drx-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        long-drx-off-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        paging-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        sleep-power: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        search-power: must be from 0mW to 100W / must be from 0mW to 100W
        search-time: must be from 10ms to 1h / must be from 10ms to 1h
        search-rest: must be from 10ms to 1h / must be from 10ms to 1h
        search-longest-rest: must be from 10ms to 1h / must be from 10ms to 1h
        unassociated-power: must be from 0mW to 100W / must be from 0mW to 100W
        handover-time: must be from 0s to 1h / must be from 0s to 1h
        handover-failure: must be from 0 to 1, or 0% to 100% / must be from 0 to 1, or 0% to 100%
        re-establishment-time: must be from 0s to 1h / must be from 0s to 1h
        handover-power: must be from 0mW to 100W / must be from 0mW to 100W
        base-round-trip: must be from 0s to 1h / must be from 0s to 1h
        weak-signal-rate-down: must be from 1bps to 1000Gbps / must be from 1bps to 1000Gbps
        weak-signal-rate-up: must be from 1bps to 1000Gbps / must be from 1bps to 1000Gbps
        weak-signal-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        weak-signal-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        weak-signal-cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        weak-signal-cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        """#,
        #"""
        promotion-time: must be from 0s to 1h / must be from 0s to 1h
        promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        signalling-time: must be from 0s to 1h / must be from 0s to 1h
        inactivity-time: must be from 0s to 1h / must be from 0s to 1h
        short-drx-time: must be from 0s to 1h / must be from 0s to 1h
        short-drx-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        short-drx-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        long-drx-time: must be from 0s to 1h / must be from 0s to 1h
        inactivity-power: must be from 0mW to 100W / must be from 0mW to 100W
        short-drx-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        short-drx-off-power: must be from 0mW to 100W / must be from 0mW to 100W
        long-drx-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        long-drx-off-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        paging-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        sleep-power: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        search-power: must be from 0mW to 100W / must be from 0mW to 100W
        search-time: must be from 10ms to 1h / must be from 10ms to 1h
        search-rest: must be from 10ms to 1h / must be from 10ms to 1h
        search-longest-rest: must be from 10ms to 1h / must be from 10ms to 1h
        unassociated-power: must be from 0mW to 100W / must be from 0mW to 100W
        handover-time: must be from 0s to 1h / must be from 0s to 1h
        handover-failure: must be from 0 to 1, or 0% to 100% / must be from 0 to 1, or 0% to 100%
        re-establishment-time: must be from 0s to 1h / must be from 0s to 1h
        handover-power: must be from 0mW to 100W / must be from 0mW to 100W
        base-round-trip: must be from 0s to 1h / must be from 0s to 1h
        nr-promotion-time: change one of the two / change one of the two
        nr-promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        second-tail-until: must be from 0s to 1h / must be from 0s to 1h
        second-tail-power: must be from 0mW to 100W / must be from 0mW to 100W
        nr-addition-time: must be from 0s to 1h / must be from 0s to 1h
        nr-release-time: must be from 0s to 1h / must be from 0s to 1h
        fast-dormancy: must be from 0s to 1h / must be from 0s to 1h
        """#,
        #"""
        promotion-time: must be from 0s to 1h / must be from 0s to 1h
        promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        inactivity-time: must be from 0s to 1h / must be from 0s to 1h
        tail-time: profile mine needs `long-drx-time` / profile mine needs `long-drx-time`
        tail-power: must be from 0mW to 100W / must be from 0mW to 100W
        idle-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        inactive-time: must be from 0s to 1h / must be from 0s to 1h
        inactive-power: must be from 0mW to 100W / must be from 0mW to 100W
        inactive-resume-time: must be from 0s to 1h / must be from 0s to 1h
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        """#,
        #"""
        idle-to-dch-power: must be from 0mW to 100W / must be from 0mW to 100W
        fach-to-dch-power: must be from 0mW to 100W / must be from 0mW to 100W
        dch-power: must be from 0mW to 100W / must be from 0mW to 100W
        fach-power: must be from 0mW to 100W / must be from 0mW to 100W
        idle-to-fach-time: must be from 0s to 1h / must be from 0s to 1h
        idle-to-fach-power: must be from 0mW to 100W / must be from 0mW to 100W
        idle-to-dch-time: must be from 0s to 1h / must be from 0s to 1h
        fach-to-dch-time: must be from 0s to 1h / must be from 0s to 1h
        dch-time: must be from 0s to 1h / must be from 0s to 1h
        fach-time: must be from 0s to 1h / must be from 0s to 1h
        dch-to-fach-time: must be from 0s to 1h / must be from 0s to 1h
        fach-to-idle-time: must be from 0s to 1h / must be from 0s to 1h
        up-idle-limit: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        up-fach-limit: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        up-drain-time: must be from 0s to 1s / must be from 0s to 1s
        up-drain-per-byte: must be from 0s to 1s / must be from 0s to 1s
        up-drain-per-square-byte: must be from 0s to 1s / must be from 0s to 1s
        down-idle-limit: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        down-fach-limit: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        down-drain-time: must be from 0s to 1s / must be from 0s to 1s
        down-drain-per-byte: must be from 0s to 1s / must be from 0s to 1s
        down-drain-per-square-byte: must be from 0s to 1s / must be from 0s to 1s
        dch-reset-size: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        dch-reset-window: must be from 0s to 1h / must be from 0s to 1h
        paging-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        idle-power: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        search-power: must be from 0mW to 100W / must be from 0mW to 100W
        search-time: must be from 10ms to 1h / must be from 10ms to 1h
        search-rest: must be from 10ms to 1h / must be from 10ms to 1h
        search-longest-rest: must be from 10ms to 1h / must be from 10ms to 1h
        unassociated-power: must be from 0mW to 100W / must be from 0mW to 100W
        handover-time: must be from 0s to 1h / must be from 0s to 1h
        handover-failure: must be from 0 to 1, or 0% to 100% / must be from 0 to 1, or 0% to 100%
        re-establishment-time: must be from 0s to 1h / must be from 0s to 1h
        handover-power: must be from 0mW to 100W / must be from 0mW to 100W
        base-round-trip: must be from 0s to 1h / must be from 0s to 1h
        """#,
        #"""
        promotion-time: must be from 0s to 1h / must be from 0s to 1h
        promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        tail-time: must be from 0s to 1h / must be from 0s to 1h
        tail-power: must be from 0mW to 100W / must be from 0mW to 100W
        beacon-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        beacon-on-power: must be from 0mW to 100W / must be from 0mW to 100W
        beacon-on-time: must be from 1ms to 1m / must be from 1ms to 1m
        sleep-power: must be from 0mW to 100W / must be from 0mW to 100W
        broadcast-interval: must be from 1ms to 1h / must be from 1ms to 1h
        broadcast-time: must be from 1ms to 1m / must be from 1ms to 1m
        high-size: must be from 0KiB to 1GiB / must be from 0KiB to 1GiB
        high-power: must be from 0mW to 100W / must be from 0mW to 100W
        high-window: must be from 1ms to 1m / must be from 1ms to 1m
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        search-power: must be from 0mW to 100W / must be from 0mW to 100W
        search-time: must be from 10ms to 1h / must be from 10ms to 1h
        search-rest: must be from 10ms to 1h / must be from 10ms to 1h
        search-longest-rest: must be from 10ms to 1h / must be from 10ms to 1h
        unassociated-power: must be from 0mW to 100W / must be from 0mW to 100W
        handover-time: must be from 0s to 1h / must be from 0s to 1h
        handover-failure: must be from 0 to 1, or 0% to 100% / must be from 0 to 1, or 0% to 100%
        re-establishment-time: must be from 0s to 1h / must be from 0s to 1h
        handover-power: must be from 0mW to 100W / must be from 0mW to 100W
        base-round-trip: must be from 0s to 1h / must be from 0s to 1h
        """#,
        #"""
        promotion-time: must be from 0s to 1h / must be from 0s to 1h
        promotion-power: must be from 0mW to 100W / must be from 0mW to 100W
        inactivity-time: must be from 0s to 1h / must be from 0s to 1h
        tail-time: profile mine needs `long-drx-time` / profile mine needs `long-drx-time`
        tail-power: must be from 0mW to 100W / must be from 0mW to 100W
        idle-power: must be from 0mW to 100W / must be from 0mW to 100W
        paging-cycle: must be from 1ms to 1m / must be from 1ms to 1m
        psm-update-interval: must be from 0s to 9920h / must be from 0s to 9920h
        edrx-cycle: must be from 0s to 10485760ms / must be from 0s to 10485760ms
        psm-active-time: must be from 0s to 186m / must be from 0s to 186m
        psm-update-time: must be from 0s to 1h / must be from 0s to 1h
        psm-power: must be from 0mW to 100W / must be from 0mW to 100W
        edrx-window: must be from 1ms to 40960ms / must be from 1ms to 40960ms
        psm-buffer: must be from 0 to 10000 / must be from 0 to 10000
        active-power-down: must be from 0mW to 100W / must be from 0mW to 100W
        active-power-up: must be from 0mW to 100W / must be from 0mW to 100W
        cost-up: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        cost-down: must be from 0mW/Mbps to 1000W/Mbps / must be from 0mW/Mbps to 1000W/Mbps
        """#,
    ]
}
