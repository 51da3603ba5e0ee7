import DeadzoneBase
package import DeadzoneCaptures

extension DayReport {
    /// JSON document of several reports, `DocumentSchema.day`. Times are milliseconds.
    package static func json(_ reports: [DayReport]) -> JSON {
        .object([
            "schema": DocumentSchema.day.json,
            "tool": .object(["version": .string(reports.first?.tool ?? "")]),
            "days": .array(reports.map(\.json)),
        ])
    }

    private var json: JSON {
        let history = day.history
        return .object([
            "name": .string(name),
            "length_ms": Self.number(day.length),
            "began": day.began.map { .string(PhoneDay.date($0)) } ?? .null,
            "time_zone": history.totals.timeZone.map { .string($0) } ?? .null,
            "form": .string(history.form.rawValue), "system": .string(day.isIOS ? "ios" : "android"),
            "android": day.isIOS ? .null : .integer(Int128(day.release.number)),
            "android_is_guessed": .bool(day.release.isGuessed),
            "bytes": day.bytes.map(Self.bytes) ?? .null,
            "push_keepalives": history.keepalives.map {
                .object(["cellular": Self.number($0.cellular), "wifi": Self.number($0.wifi)])
            } ?? .null,
            "entries": .object([
                "all": .integer(Int128(history.entries)), "understood": .integer(Int128(history.understoodEntries)),
                "out_of_order": .integer(Int128(history.backwardEntries)),
                "largest_step_back_ms": Self.number(history.largestStepBack),
                "other_histories": .integer(Int128(history.otherHistories)),
                "is_cut": .bool(history.isCut), "overflow_ms": history.overflow.map(Self.number) ?? .null,
            ]),
            "source": history.source.map { .string($0) } ?? .null,
            "other_sources": .array(
                history.otherSources.map {
                    .object([
                        "name": .string($0.name), "length_ms": Self.number($0.length),
                        "entries": .integer(Int128($0.entries)),
                    ])
                }),
            "unknown_words": .object(
                Dictionary(history.unknownWords.map { ($0.word, JSON.integer(Int128($0.count))) }) { first, _ in first }
            ),
            "totals_ms": totals, "counts": counts, "app": app, "lanes": lanes,
            "checks": .array(day.checks.map(Self.check)), "doze": doze.map(Self.comparison) ?? .null,
            "radio": radio.map(Self.radio) ?? .null,
            "not_told": .array(day.untold.map { .string($0) }),
        ])
    }

    private static func number(_ value: Int64) -> JSON { .integer(Int128(value)) }

    private var totals: JSON {
        var members: [(String, JSON)] = [
            ("wifi", Self.number(day.network.total { $0 == .wifi })),
            ("cellular", Self.number(day.network.total { $0 == .cellular })),
            ("no_network", Self.number(day.network.total { $0 == .none })),
        ]
        members += day.technologies.map { ("cellular_\($0.state)", Self.number($0.time)) }
        members += [
            ("out_of_service", Self.number(day.outages.reduce(0) { $0 + $1.length })),
            ("suspended_by_call", Self.number(day.suspended.total { $0 })),
            ("radio_off", Self.number(day.radioOff.total { $0 })),
            ("light_doze", Self.number(day.doze.total { $0 == .light })),
            ("deep_doze", Self.number(day.doze.total { $0 == .deep })),
            ("screen_on", Self.number(day.screen.total { $0 })), ("locked", Self.number(day.locked.total { $0 })),
            ("weak_signal", Self.number(day.signalBars.total { $0 <= 1 })),
            ("charger", Self.number(day.plugged.total { $0 })),
            ("battery_saver", Self.number(day.powerSave.total { $0 })),
            ("mobile_radio_busy", Self.number(day.mobileBusy.total { $0 })),
            ("wifi_radio_busy", Self.number(day.wifiBusy.total { $0 })),
        ]
        return .object(Dictionary(uniqueKeysWithValues: members))
    }

    private var counts: JSON {
        .object([
            "handoffs": .integer(Int128(day.handoffs)), "roams": .integer(Int128(day.roams.count)),
            "out_of_service": .integer(Int128(day.outages.count)),
            "out_of_service_without_network": .integer(Int128(day.felt)),
            "calls_without_data": .integer(Int128(day.suspended.stretches.count { $0.value })),
            "restarts": .integer(Int128(day.restarts.count)), "clock_changes": .integer(Int128(day.clockJumps.count)),
            "mobile_bursts": .integer(Int128(day.bursts.count { $0.isMobile })),
            "wifi_bursts": .integer(Int128(day.bursts.count { !$0.isMobile })),
            "pushes": .integer(Int128(day.pushes.count)),
        ])
    }

    private var app: JSON {
        .object([
            "package": day.app.map { .string($0) } ?? .null,
            "foreground_ms": day.app == nil ? .null : Self.number(day.foreground.total { $0 }),
            "bursts": day.app == nil ? .null : .integer(Int128(day.bursts.count { $0.isOfApp })),
            "pushes": day.app == nil ? .null : .integer(Int128(day.pushes.count { $0.isForApp })),
            "in_front_ms": .object(
                Dictionary(uniqueKeysWithValues: day.topApps.prefix(10).map { ($0.package, Self.number($0.time)) })),
        ])
    }

    private var lanes: JSON {
        func lane<Value>(_ lane: Lane<Value>, _ name: (Value) -> String) -> JSON {
            .array(
                lane.stretches.map {
                    .array([Self.number($0.start), Self.number($0.end), .string(name($0.value))])
                })
        }
        func onOff(_ value: Bool) -> String { value ? "on" : "off" }
        return .object([
            "network": lane(day.network) { "\($0)" }, "cellular": lane(day.cellular) { $0.name },
            "doze": lane(day.doze) { "\($0)" }, "screen": lane(day.screen, onOff),
            "charger": lane(day.plugged, onOff), "battery_saver": lane(day.powerSave, onOff),
            "mobile_radio_busy": lane(day.mobileBusy, onOff), "wifi_radio_busy": lane(day.wifiBusy, onOff),
            "app_in_front": lane(day.foreground, onOff),
        ])
    }

    private static func bytes(_ bytes: DayBytes) -> JSON {
        func count(_ count: TrafficInterval.ByteCount) -> JSON {
            .object(["down": number(count.down), "up": number(count.up)])
        }
        return .object([
            "cellular": count(bytes.cellular), "wifi": count(bytes.wifi), "app": count(bytes.ofApp),
        ])
    }

    private static func check(_ check: TotalCheck) -> JSON {
        .object([
            "name": .string(check.name), "counted_ms": number(check.counted), "printed_ms": number(check.printed),
        ])
    }

    private static func radio(_ radio: RadioAgreement) -> JSON {
        .object([
            "strategy": .string(radio.strategy), "same_ms": number(radio.same), "length_ms": number(radio.length),
            "recorded_busy_ms": number(radio.recordedBusy), "simulated_busy_ms": number(radio.simulatedBusy),
        ])
    }

    private static func comparison(_ doze: DozeComparison) -> JSON {
        func spans(_ light: DozeSpans, _ deep: DozeSpans) -> [String: JSON] {
            [
                "light_entry_ms": .array(light.entries.map(number)), "deep_entry_ms": .array(deep.entries.map(number)),
                "light_idle_ms": .array(light.idle.map(number)), "light_windows_ms": .array(light.windows.map(number)),
                "deep_idle_ms": .array(deep.idle.map(number)), "deep_windows_ms": .array(deep.windows.map(number)),
            ]
        }
        func model(_ model: DozeAgreement) -> JSON {
            let sums: [String: JSON] = [
                "same_ms": number(model.same), "length_ms": number(model.length),
                "same_at_rest_ms": number(model.sameAtRest), "rest_ms": number(model.rest),
            ]
            return .object(sums.merging(spans(model.light, model.deep)) { first, _ in first })
        }
        return .object([
            "platform": .string(doze.platform), "recorded": .object(spans(doze.recordedLight, doze.recordedDeep)),
            "simulated": model(doze.shipped), "simulated_with_recorded_times": model(doze.adjusted),
        ])
    }
}
