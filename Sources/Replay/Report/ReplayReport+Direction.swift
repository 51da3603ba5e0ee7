import DeadzoneCaptures

extension ReplayReport.Direction {
    /// In what order: the user's word, the file's, then the guess, which says what it rests on.
    init(_ report: DirectionReport, packets: UInt64) {
        let device = report.device.map(\.text)
        let named = device.prefix(4).joined(separator: ", ") + (device.count > 4 ? ", …" : "")
        if report.isDeviceTold {
            self.init(by: "device", reason: "what \(named) sends is up, as you say", device: device)
            return
        }
        if report.packetsTold > 0, report.packetsTold >= packets {
            self.init(by: "file", reason: "the file says it of every packet", device: device)
            return
        }
        let share = "\(report.explained) of the first \(report.sampled) IP packets"
        let guess =
            device.isEmpty
            ? "no address could be told to be the phone's; name it with --device"
            : "inferred: \(named) is the phone, an end of \(share)"
                + (report.hasStation ? "; all that its network card sends is up" : "")
        if report.packetsTold > 0 {
            self.init(
                by: "file", reason: "the file says it of \(report.packetsTold) packets; the rest is \(guess)",
                device: device)
        } else {
            self.init(by: device.isEmpty ? "unknown" : "inferred", reason: guess, device: device)
        }
    }
}
