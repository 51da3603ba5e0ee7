import DeadzoneBase
import DeadzoneSamples

@testable import DeadzoneReports

extension TracedDay {
    static func history(_ records: [Record] = records) -> PhoneHistory {
        var history = PhoneHistory(phone: 3, horizon: .seconds(20), prices: prices, markers: markers)
        records.withUnsafeBufferPointer { history.record($0) }
        return history
    }
}
