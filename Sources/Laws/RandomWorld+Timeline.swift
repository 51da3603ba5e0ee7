import DeadzoneBase
import DeadzoneSimulator

/// Random timelines.
extension RandomWorld {
    mutating func timeline(until horizon: TimeSpan, in world: World) -> [TimelineEntry] {
        var entries = [TimelineEntry(at: .zero, .pathUp(interface(), .plain))]
        var at = Instant.zero
        for _ in 0..<below(16) {
            // In a long world the changes are far apart.
            at += .nanoseconds(Int64(dice.next().scaled(below: UInt64(max(horizon, .minutes(10)).nanoseconds / 10))))
            entries.append(TimelineEntry(at: at, once(in: 2) ? pathChange(in: world) : otherChange()))
        }
        for index in entries.indices.dropFirst() where once(in: 4) {
            entries[index].occurrence = OccurrenceRule(
                drawnAt: entries[index].at, extraDelay: randomDelay(until: horizon),
                extraLength: randomDelay(until: horizon),
                phones: once(in: 3) ? Probability(1, of: 2) : .one, isCommon: once(in: 3))
        }
        return entries
    }

    /// Lets the server move a few times, and its name follow it.
    mutating func move(in world: inout World, until horizon: TimeSpan) {
        var at = Instant.zero
        for _ in 0...below(2) {
            at += seconds(0..<Int(horizon.nanoseconds / 2_000_000_000))
            world.timeline.append(TimelineEntry(at: at, .serverMoved(pick(OldAddress.allCases))))
            if once(in: 2) { at += seconds(0..<60) }
            world.timeline.append(TimelineEntry(at: at, .nameUpdated))
        }
        let ordered = world.timeline.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        world.timeline = ordered.map(\.element)
    }

    /// A random delay. Later entries may overtake the delayed one, and its time may be after the horizon.
    private mutating func randomDelay(until horizon: TimeSpan) -> SpanRange {
        let most = Int64(dice.next().scaled(below: UInt64(horizon.nanoseconds)))
        let laws = [
            Distribution.constant(0), .uniform(0, most), .exponential(mean: most / 8),
            .normal(mean: most / 2, deviation: most / 4), .logNormal(median: most / 8, sigmaPPM: 500_000),
        ]
        return SpanRange(pick(laws), in: .zero ... .hours(24)) ?? SpanRange(.zero)
    }

    private mutating func interface() -> Interface { once(in: 2) ? .wifi : .cellular }

    private mutating func pathLossSignal() -> PathLossSignal {
        // Silent loss is drawn half of the time, because it is the hardest case for a client.
        once(in: 2) ? .silent : pick([.error, .reset, .ended])
    }

    private mutating func attachment() -> Attachment {
        guard once(in: 3) else { return .plain }
        return Attachment(
            usableAfter: .milliseconds(Int64(below(4_000))), portal: once(in: 3) ? .seconds(20) : nil,
            announcedAfter: once(in: 3) ? .milliseconds(Int64(below(3_000))) : nil)
    }

    /// A random change of network, signal or link.
    private mutating func pathChange(in world: World) -> ConditionChange {
        switch below(12) {
        case 0, 1: return .pathUp(interface(), attachment())
        case 2: return .pathDown(interface(), pathLossSignal())
        case 3: return .readdress(interface(), pathLossSignal())
        case 4, 5: return .coverage(interface(), once(in: 2))
        case 6: return .cellHandover
        case 7: return .fading(interface())
        case 8, 9:
            let interface = interface()
            return .conditions(interface, UInt8(below(world.conditions(of: interface).count)))
        case _ where hasWeakSignal:
            let isWeak = once(in: 2)
            let condition = isWeak ? world.conditions(of: .cellular).count - 1 : 0
            return .signal(isWeak: isWeak, radio: isWeak ? 1 : 0, condition: UInt8(condition))
        default: return .technology(UInt8(below(world.cellularAlternates.count + 1)))
        }
    }

    private mutating func otherChange() -> ConditionChange {
        switch below(19) {
        case 0, 1: .app(foreground: once(in: 2))
        case 2: .oneWay(interface(), once(in: 2) ? .up : .down, passes: once(in: 2))
        case 3: .uplink(interface(), once(in: 2))
        case 4: .mappingsLost(interface())
        case 5: .spurious(interface(), pick(SpuriousEvent.allCases))
        case 6: .names(resolve: once(in: 2))
        case 7, 8: .screen(once(in: 2))
        case 9: .charging(once(in: 2))
        case 10: .moving(once(in: 2))
        case 11: .kill
        case 12: .clockSet(.seconds(Int64(below(7_200)) - 3_600))
        case 13: .push(urgent: once(in: 2))
        case 14: .forceStop
        case 15:
            pick([
                .saving(true), .saving(false), .dataSaver(true), .dataSaver(false), .restriction(true),
                .restriction(false), .peer(.moves), .peer(.blocked), .peer(.open),
            ])
        case 17: .access(interface(), pick([.open, .refused, .needsConnection(.seconds(2)), .needsConnection(nil)]))
        case 16: .alarmClock(.zero + .seconds(Int64(below(7_200))))
        default: .server(pick(ServerChange.allCases))
        }
    }
}
