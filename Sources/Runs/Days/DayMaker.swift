package import DeadzoneBase
package import DeadzoneCaptures
import DeadzoneDevice
package import DeadzoneHost
import DeadzoneScenarios

/// Reads battery histories from files, and compares their Doze with a platform's model.
package struct DayMaker {
    /// Strategies of a scenario if none are named. Both deliver, so that their energy can be compared: a client that
    /// loses messages is cheap.
    private static let usualStrategies = """
          mqtt: {strategy: paho-java}
          recommended: {strategy: deadzone-recommended}

        """

    /// The day that was read.
    package let report: DayReport

    /// - Parameters:
    ///   - path: file with a battery history, or `-` for standard input.
    ///   - app: package name of the app under study.
    ///   - isStopped: is called before each read. Input that never waits, such as a device, does not end by itself.
    ///   - input: opens standard input.
    package init(
        _ path: String, app: String?, isStopped: @escaping () -> Bool, input: InputOpener<ByteSource>
    ) throws(ToolFault) {
        let source: ByteSource
        guard path == "-" || Files.kind(of: path) != .folder else {
            throw ToolFault(
                .unreadable, "cannot read \(visible(path, atMost: 200)): it is a folder",
                help: ["name the files in it: deadzone day FOLDER/*"])
        }
        do throws(SystemFault) {
            source = path == "-" ? try input() : try CaptureFiles.source(InstalledFiles.resolved(path))
        } catch {
            throw ToolFault.unreadable(error)
        }
        let stopped = ToolFault(
            .interrupted, "stopped while reading \(visible(path, atMost: 200)); nothing was written")
        let history: BatteryHistory
        do throws(DayFault) {
            history = try DayFile.history { buffer throws(DayFault) in
                guard !isStopped() else { throw DayFault("stopped") }
                do throws(SourceFailure) { return try source(buffer) } catch { throw DayFault(error.message) }
            }
        } catch {
            if isStopped() { throw stopped }
            throw ToolFault(
                .badCapture, "\(visible(path, atMost: 200)) cannot be read as a battery history: \(error.message)",
                help: error.help)
        }
        let day = PhoneDay(history, app: app)
        if let app, !day.appIsKnown {
            throw ToolFault.unknownName(
                app, "package", among: day.history.packages,
                help: day.topApps.isEmpty
                    ? "the history names no app"
                    : "most used: " + day.topApps.prefix(5).map(\.package).joined(separator: ", "))
        }
        let name = path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "")
        report = DayReport(
            name: visible(name, atMost: 100), tool: toolVersion, day: day, doze: Self.comparison(day))
    }

    /// The scenario of the day.
    /// - Parameter simplify: stretches that are shorter are merged with the one before.
    package func scenario(simplify: TimeSpan) -> DayScenario {
        DayScenario(
            report.day,
            .init(
                simplify: simplify.nanoseconds / 1_000_000, strategies: Self.usualStrategies, schema: schemaName,
                maximumEntries: TextLimits.timelineEntries, maximumBytes: TextLimits.bytes))
    }

    // MARK: Doze

    /// Drives the Doze of the phone's platform with the recorded screen, charger and battery saver: once with the
    /// platform's own numbers, and once with the times and the work in windows that the recording shows. `nil` if neither
    /// dozes.
    private static func comparison(_ day: PhoneDay) -> DozeComparison? {
        let name = DayScenario.platform(day)
        guard !day.isIOS, let platform = Platform.named(name), day.length > 0 else { return nil }
        var model = DozeModel(day, platform)
        let shipped = model.lane()
        guard [day.doze, shipped].contains(where: { $0.stretches.contains { $0.value != .off } }) else { return nil }
        var adjusted = DozeModel(day, adjusted(platform, to: day.dozeTimes), windows: day.dozeWindows)
        return DozeComparison(day, platform: name, shipped: shipped, adjusted: adjusted.lane())
    }

    private static func adjusted(_ platform: Platform, to times: DozeTimes) -> Platform {
        var result = platform
        let numbers = PlatformParameter.numbers(of: platform.family)
        for (key, milliseconds) in times.settings(release: platform.release) {
            let isNever = milliseconds == DozeTimes.never
            let nanoseconds = isNever ? Int64.max : TimeSpan.milliseconds(milliseconds).nanoseconds
            numbers.first { $0.key == key }?.write(nanoseconds, to: &result)
        }
        return result
    }
}

/// The Doze of one phone, driven with the recorded use of a day.
private struct DozeModel {
    private let day: PhoneDay
    private var platform: Platform
    private var phone: Phone
    private var changes: [(at: Int64, value: RecordedDoze)] = []
    /// Recorded windows that no simulated window has used.
    private var windows: [DozeWindow]
    private let usualWork: TimeSpan

    /// - Parameter windows: recorded windows. The simulated window next to one of them has the same work.
    init(_ day: PhoneDay, _ platform: Platform, windows: [DozeWindow] = []) {
        self.day = day
        self.platform = platform
        self.windows = windows
        usualWork = platform.doze.work
        phone = Phone(platform: platform, privileges: AppPrivileges(), at: .zero)
    }

    private var state: RecordedDoze { phone.isDozingDeeply ? .deep : phone.isDozing ? .light : .off }

    mutating func lane() -> Lane<RecordedDoze> {
        var inputs: [(at: Int64, order: Int, value: Bool)] = []
        for (order, lane) in [day.use, day.plugged, day.powerSave].enumerated() {
            inputs += lane.stretches.map { ($0.start, order, $0.value) }
        }
        inputs.sort { ($0.at, $0.order) < ($1.at, $1.order) }
        for input in inputs {
            let at = Instant(nanoseconds: input.at * 1_000_000)
            advance(to: at)
            switch input.order {
            case 0: _ = phone.setScreen(input.value, at: at, platform)
            case 1: _ = phone.setCharging(input.value, at: at, platform)
            default: _ = phone.setBatterySaver(input.value, at: at, platform)
            }
            changes.append((input.at, state))
        }
        advance(to: Instant(nanoseconds: day.length * 1_000_000))
        return Lane(changes, from: .off, until: day.length)
    }

    /// Performs the phone's own transitions up to a time.
    private mutating func advance(to at: Instant) {
        while phone.nextTransition <= at {
            let due = phone.nextTransition
            let (at, before) = (due.nanoseconds / 1_000_000, state)
            let window = windowNear(at, after: before)
            platform.doze.work = window.map { .milliseconds(windows[$0].work) } ?? usualWork
            _ = phone.advance(platform)
            changes.append((at, state))
            if let window, state == .off { windows.remove(at: window) }
        }
    }

    /// Greatest time between a recorded window and the simulated one with its work: half an hour.
    private static let farthest: Int64 = 1_800_000

    /// Index of the recorded window of a kind of Doze that is nearest to a time; `nil` if there is none.
    private func windowNear(_ at: Int64, after state: RecordedDoze) -> Int? {
        let near = windows.indices.filter { windows[$0].state == state && abs(windows[$0].start - at) <= Self.farthest }
        return near.min { abs(windows[$0].start - at) < abs(windows[$1].start - at) }
    }
}
