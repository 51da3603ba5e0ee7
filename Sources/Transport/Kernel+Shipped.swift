public import DeadzonePrimitives

/// The kernels that there are, by the names that scenarios use.
extension Kernel {
    /// What differs between releases of Linux here: since 4.8 timers are coarse (`kernel/time/timer.c`), since 6.5 the SYN is repeated
    /// each second four times before its wait doubles (`tcp_syn_linear_timeouts`, Documentation/networking/ip-sysctl.rst).
    public enum LinuxRelease: UInt8, CaseIterable, Sendable {
        case before48, since48, since65

        var name: String {
            switch self {
            case .before48: "linux-4.4"
            case .since48: "linux-6.1"
            case .since65: "linux-6.6"
            }
        }
    }

    /// - Parameter hertz: CONFIG_HZ. Android's generic kernels leave it at arm64's 250 (`kernel/Kconfig.hz`).
    public static func linux(_ release: LinuxRelease, hertz: Int64 = 250) -> Kernel {
        let linear: UInt8 = release == .since65 ? 4 : 0
        return Kernel(
            family: .linux, linearSYNs: linear,
            // `tcp_syn_retries` = 6, and the linear ones beside them (`tcp_write_timeout`).
            repeatedSYNs: 6 + linear, gains: .standard, tick: .nanoseconds(1_000_000_000 / hertz),
            isCoarse: release != .before48,
            // TCP_TIMEOUT_INIT, TCP_RTO_MIN, TCP_RTO_MAX.
            initial: .seconds(1), floor: .milliseconds(200), longest: .seconds(120),
            acknowledgementDelay: .milliseconds(200), connectLimit: .longest)
    }

    /// Of the releases of today: what was run is 6.18.
    public static var linux: Kernel { linux(.since65) }

    /// It repeats its SYN each second five times before it doubles (`tcp_syn_backoff`); the connect timer ends it, TCPTV_KEEP_INIT.
    /// Its timers are taken for exact.
    public static var xnu: Kernel {
        Kernel(
            family: .xnu, linearSYNs: 4, repeatedSYNs: 12, gains: .standard, tick: .zero, isCoarse: false,
            initial: .seconds(1), floor: .milliseconds(30), longest: .seconds(64), acknowledgementDelay: .zero,
            connectLimit: .seconds(75))
    }

    /// As RFC 9002 recommends.
    public static var quic: Kernel { quic(.standard) }

    /// With max_ack_delay where the other end does not say (RFC 9000 §18.2).
    public static func quic(_ library: QUICLibrary) -> Kernel {
        Kernel(
            family: .quic, linearSYNs: 0, repeatedSYNs: .max, gains: .standard, tick: .zero, isCoarse: false,
            initial: library.initial, floor: .zero, longest: .longest, acknowledgementDelay: .milliseconds(25),
            connectLimit: library.connectLimit)
    }

    /// By name: each release at 250 Hz, and at the two others that phones were built with.
    public static var shipped: [(name: String, about: String, kernel: Kernel)] {
        let releases = LinuxRelease.allCases.flatMap { release in
            [250, 100, 300].map { hertz in
                (
                    hertz == 250 ? release.name : "\(release.name)-hz\(hertz)",
                    "\(release.about), a jiffy of 1/\(hertz) s", linux(release, hertz: Int64(hertz))
                )
            }
        }
        return releases + [("xnu", "iOS and macOS, from their source; never run", xnu)]
    }

    /// What a release of Android is launched with at the newest (platform/test/vts-testcase/security
    /// `avb/data/kernel_version_matrix.textproto`): 15 with android15-6.6, 14 with android14-6.1, 13 with android13-5.15; before
    /// there was such a rule 6 and 7 came with 3.18 and 4.4, 8 with 4.9 (source.android.com, "Android common kernels").
    public static func android(_ release: Int) -> Kernel {
        switch release {
        case ..<8: linux(.before48)
        case 8..<15: linux(.since48)
        default: linux(.since65)
        }
    }
}

extension Kernel.LinuxRelease {
    fileprivate var about: String {
        switch self {
        case .before48: "Linux before 4.8: exact timers, SYN at 0, 1, 3, 7 s"
        case .since48: "Linux 4.8 to 6.4: coarse timers, SYN at 0, 1, 3, 7 s"
        case .since65: "Linux since 6.5: coarse timers, SYN at 0, 1, 2, 3, 4, 5, 7 s"
        }
    }
}
