package import DeadzoneBase

/// Parameters of the kernels that scenarios can name.
extension Kernel {
    /// The ranges of Linux releases that the simulation distinguishes, because their TCP timers differ. Since 4.8
    /// timers are coarse (`kernel/time/timer.c`). Since 6.5 the first four repetitions of a SYN do not
    /// double the interval of a second (`tcp_syn_linear_timeouts`, Documentation/networking/ip-sysctl.rst).
    package enum LinuxRelease: UInt8, CaseIterable, Sendable {
        case before48, since48, since65

        var name: String {
            switch self {
            case .before48: "linux-4.4"
            case .since48: "linux-6.1"
            case .since65: "linux-6.6"
            }
        }
    }

    /// The TCP parameters of a Linux release.
    /// - Parameter hertz: CONFIG_HZ, the kernel's timer frequency. Android's generic kernels leave it at arm64's 250
    ///   (`kernel/Kconfig.hz`).
    package static func linux(_ release: LinuxRelease, hertz: Int64 = 250) -> Kernel {
        let linear: UInt8 = release == .since65 ? 4 : 0
        return Kernel(
            family: .linux, linearSYNs: linear,
            // `tcp_syn_retries` = 6, plus the linear ones (`tcp_write_timeout`).
            repeatedSYNs: 6 + linear, gains: .standard, tick: .nanoseconds(1_000_000_000 / hertz),
            isCoarse: release != .before48,
            // TCP_TIMEOUT_INIT, TCP_RTO_MIN, TCP_RTO_MAX.
            initial: .seconds(1), floor: .milliseconds(200), longest: .seconds(120),
            acknowledgementDelay: .milliseconds(200), connectLimit: .longest)
    }

    /// TCP parameters of current Linux releases (6.5 and newer), compared with measurements on 6.18.
    package static var linux: Kernel { linux(.since65) }

    /// TCP parameters of the kernel of iOS and macOS. It repeats its SYN five times at intervals of a second before
    /// the interval doubles (`tcp_syn_backoff`). The connect timer ends the attempt (TCPTV_KEEP_INIT). Its timers are
    /// assumed to be exact.
    package static var xnu: Kernel {
        Kernel(
            family: .xnu, linearSYNs: 4, repeatedSYNs: 12, gains: .standard, tick: .zero, isCoarse: false,
            initial: .seconds(1), floor: .milliseconds(30), longest: .seconds(64), acknowledgementDelay: .zero,
            connectLimit: .seconds(75))
    }

    /// Timing of a QUIC library with the defaults that RFC 9002 recommends.
    package static var quic: Kernel { quic(.standard) }

    /// Timing of this QUIC library. Its max_ack_delay is the 25 ms that apply if the other end announces none (RFC 9000
    /// §18.2).
    package static func quic(_ library: QUICLibrary) -> Kernel {
        Kernel(
            family: .quic, linearSYNs: 0, repeatedSYNs: .max, gains: .standard, tick: .zero, isCoarse: false,
            initial: library.initial, floor: .zero, longest: .longest, acknowledgementDelay: .milliseconds(25),
            connectLimit: library.connectLimit)
    }

    /// All kernels that a scenario can name: each Linux release at timer frequencies of 250, 100 and 300 Hz, with which
    /// phones were built, and XNU.
    package static var shipped: [(name: String, about: String, kernel: Kernel)] {
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

    /// Returns the newest kernel with which devices of this Android release are launched
    /// (platform/test/vts-testcase/security `avb/data/kernel_version_matrix.textproto`): 15 with android15-6.6, 14 with
    /// android14-6.1, 13 with android13-5.15. Before that rule existed, 6 and 7 came with 3.18 and 4.4, and 8 with 4.9
    /// (source.android.com, "Android common kernels").
    package static func android(_ release: Int) -> Kernel {
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
