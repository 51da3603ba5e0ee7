import DeadzoneCaptures
import Testing

struct LaneTests {
    @Test func neighboursDifferAndCoverTheDay() {
        // Broken: two stretches of one value follow each other, or a change of zero length remains.
        let lane = Lane([(0, 1), (10, 2), (10, 3), (20, 3), (30, 1)], from: 0, until: 40)
        #expect(lane.stretches == [LaneStretch(0, 10, 1), LaneStretch(10, 30, 3), LaneStretch(30, 40, 1)])
        #expect(lane.value(at: 10) == 3 && lane.value(at: 29) == 3 && lane.value(at: 99) == 1)
    }

    @Test func shortStretchesContinueTheOneBefore() {
        // Broken: merging moves time to the later value, or drops the first stretch.
        let lane = Lane([(5, true), (8, false), (50, true), (53, false)], from: false, until: 100)
        #expect(lane.simplified(10).stretches == [LaneStretch(0, 100, false)])
        #expect(lane.simplified(0) == lane)
        #expect(lane.total { $0 } == 6)
    }

    @Test func sumsWhileAnotherLaneHolds() {
        // Broken: a sum counts time outside the other lane's condition.
        let screen = Lane([(10, true), (40, false)], from: false, until: 100)
        let plugged = Lane([(20, true), (30, false), (90, true)], from: false, until: 100)
        #expect(screen.total(where: { $0 }, while: plugged) { $0 } == 10)
        #expect(screen.total(where: { $0 }, while: plugged) { !$0 } == 20)
        #expect(screen.total(where: { !$0 }, within: 35..<50) == 10)
    }
}
