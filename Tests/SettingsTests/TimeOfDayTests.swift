import DeadzoneBase
import Testing

/// Times of day, and their meaning as times from the start.
@Suite struct TimeOfDayTests {
    /// Broken: a time of day is another number of seconds, another form is taken for one, or the text does not read back.
    @Test(
        arguments: [
            ("00:00", 0, "00:00"), ("7:05", 25_500, "07:05"), ("07:30:15", 27_015, "07:30:15"),
            ("31:00", 111_600, "31:00"), ("8783:59:59", 31_622_399, "8783:59:59"), ("15:60", nil, ""),
            ("15:00:60", nil, ""), ("15", nil, ""), ("15:0", nil, ""), (":30", nil, ""), ("15:00:00:00", nil, ""),
            ("-1:00", nil, ""), ("12345:00", nil, ""), ("1h:00", nil, ""), ("٣:00", nil, ""),
        ] as [(String, Int64?, String)])
    func aTimeOfDayIsReadAndWritten(_ text: String, _ seconds: Int64?, _ written: String) {
        let time = TimeOfDay(text)
        #expect(time?.sinceMidnight == seconds.map { .seconds($0) })
        #expect(time.map(\.text) ?? "" == written)
    }

    private func moment(_ text: String, start: StartOfDay) -> (value: TimeSpan?, fault: Fault?) {
        var faults = Faults()
        let form = ValueFormat<TimeSpan>.moment(in: .zero ... .hours(48), startingAt: start)
        let value = form.read(.text(text), &faults)
        return (value, faults.sorted.first)
    }

    /// Broken: a time of day counts from midnight, or one outside the scenario is read.
    @Test func aTimeOfDayCountsFromTheStart() {
        #expect(moment("15:00", start: .at(.hours(7))).value == .hours(8))
        #expect(moment("07:00", start: .at(.hours(7))).value == .zero)
        #expect(moment("31:00", start: .at(.hours(7))).value == .hours(24))
        #expect(moment("90s", start: .at(.hours(7))).value == .seconds(90))
        let early = moment("06:30", start: .at(.hours(22)))
        #expect(early.value == nil && early.fault?.code == .outOfRange)
        #expect(early.fault?.message == "`06:30` is before the start at 22:00")
        #expect(early.fault?.label == "write 30:30 for the next day")
        let late = moment("56:00", start: .at(.hours(7))).fault
        #expect(late?.code == .outOfRange && late?.label == "must be from 07:00 to 55:00")
    }

    /// Broken: a time of day is read although the scenario says no start, or the message does not name the key.
    @Test func withoutAStartThereAreNoTimesOfDay() {
        let (value, fault) = moment("15:00", start: .notGiven)
        #expect(value == nil && fault?.code == .sexagesimal)
        #expect(fault?.help.contains("`starts: 07:00`") == true)
        #expect(moment("8h", start: .notGiven).value == .hours(8))
    }

    /// Broken: after an unreadable start, each time of day is a fault as well, or a duration is not checked any more.
    @Test func afterAnUnreadableStartTimesOfDayAreNoFaults() {
        let (value, fault) = moment("15:00", start: .unreadable)
        #expect(value == nil && fault == nil)
        #expect(moment("8h", start: .unreadable).value == .hours(8))
        #expect(moment("8", start: .unreadable).fault?.code == .bareNumber)
    }

    /// Broken: a start of more than a day is read.
    @Test(arguments: [("07:00", TimeSpan.hours(7)), ("24:00", nil), ("7h", nil)] as [(String, TimeSpan?)])
    func aStartIsWithinADay(_ text: String, _ start: TimeSpan?) {
        var faults = Faults()
        #expect(ValueFormat<TimeSpan>.startOfDay.read(.text(text), &faults) == start)
        #expect(faults.isEmpty == (start != nil))
        if let start { #expect(ValueFormat<TimeSpan>.startOfDay.write(start).scalar == text) }
    }
}
