import DeadzoneCaptures

extension ReplayReport.DirectionBasis {
    /// Describes how directions were determined: named by the user, recorded in the file, or inferred, with the basis
    /// of the inference.
    init(_ report: DirectionReport, packets: UInt64) {
        let device = report.device.map(\.text)
        let named = device.prefix(4).joined(separator: ", ") + (device.count > 4 ? ", …" : "")
        if report.isDeviceStated {
            self.init(by: "device", reason: "packets from \(named) are uplink, as given by --device", device: device)
            return
        }
        if report.packetsWithStatedDirection > 0, report.packetsWithStatedDirection >= packets {
            self.init(by: "file", reason: "recorded in the file for all packets", device: device)
            return
        }
        let share = "\(report.explained) of the first \(report.sampled) IP packets"
        let guess =
            device.isEmpty
            ? "the phone's address is unknown; name it with --device"
            : "inferred: \(named) \(device.count == 1 ? "is the phone, the endpoint" : "are addresses of the phone, the endpoints") of \(share)"
                + (report.hasStation ? "; all packets from its network card are uplink" : "")
        if report.packetsWithStatedDirection > 0 {
            self.init(
                by: "file",
                reason:
                    "recorded in the file for \(report.packetsWithStatedDirection) packets; for the others: \(guess)",
                device: device)
        } else {
            self.init(by: device.isEmpty ? "unknown" : "inferred", reason: guess, device: device)
        }
    }
}
