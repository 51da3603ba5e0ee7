/// The differences of the radio for each number of its sheet, by technology.
enum ProfileEffects {
    static let all = [
        #"""
        promotion-time: .0.machine.cellular.promotion.nanoseconds 101000000 → 25250000; .0.cellular.promotion.nanoseconds 101000000 → 25250000; .1.profile.machine.cellular.promotion.nanoseconds 101000000 → 25250000; .1.profile.cellular.promotion.nanoseconds 101000000 → 25250000
            without: `promotion-time` is missing
        promotion-power: .0.powers.promotion.femtojoules 102000 → 25500; .1.profile.powers.promotion.femtojoules 102000 → 25500
            without: `promotion-power` is missing
        signalling-time: .0.machine.cellular.signalling.first 103000000 → 25750000; .0.cellular.signalling.first 103000000 → 25750000; .1.profile.machine.cellular.signalling.first 103000000 → 25750000; .1.profile.cellular.signalling.first 103000000 → 25750000
            without: .0.machine.cellular.signalling.first 103000000 → 0; .0.cellular.signalling.first 103000000 → 0; .1.profile.machine.cellular.signalling.first 103000000 → 0; .1.profile.cellular.signalling.first 103000000 → 0
        inactivity-time: .0.machine.cellular.tail.first.until.nanoseconds 104000000 → 26000000; .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 131000000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 241000000; .0.machine.cellular.tail.fourth.until.nanoseconds 319000000 → 241000000; and 16 more
            without: `inactivity-time` is missing
        short-drx-time: .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 130250000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 240250000; .0.machine.cellular.tail.fourth.until.nanoseconds 319000000 → 240250000; .0.machine.cellular.drx.shortSpan.nanoseconds 105000000 → 26250000; and 12 more
            without: .0.powers.shortDRX.femtojoules 2071000000000 → 0; .0.powers.shortDRX.cycle 106000000 → 1; .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 104000000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 214000000; and 16 more
        short-drx-cycle: .0.powers.shortDRX.femtojoules 2071000000000 → 1037500000000; .0.powers.shortDRX.cycle 106000000 → 26500000; .0.machine.cellular.drx.short.period.nanoseconds 106000000 → 26500000; .0.cellular.drx.short.period.nanoseconds 106000000 → 26500000; and 4 more
            without: `short-drx-on-time` is longer than the cycle, `short-drx-on-time` is longer than its cycle
        short-drx-on-time: .0.powers.shortDRX.femtojoules 2071000000000 → 1551250000000; .0.machine.cellular.drx.short.on.nanoseconds 7000000 → 1750000; .0.cellular.drx.short.on.nanoseconds 7000000 → 1750000; .1.profile.powers.shortDRX.femtojoules 2071000000000 → 1551250000000; and 2 more
            without: `short-drx-on-time` is missing
        long-drx-cycle: .0.powers.longDRX.femtojoules 2511000000000 → 1296000000000; .0.powers.longDRX.cycle 108000000 → 27000000; .0.machine.cellular.drx.long.period.nanoseconds 108000000 → 27000000; .0.cellular.drx.long.period.nanoseconds 108000000 → 27000000; and 4 more
            without: `long-drx-on-time` is longer than the cycle, `long-drx-on-time` is longer than its cycle
        long-drx-on-time: .0.powers.longDRX.femtojoules 2511000000000 → 1842750000000; .0.machine.cellular.drx.long.on.nanoseconds 9000000 → 2250000; .0.cellular.drx.long.on.nanoseconds 9000000 → 2250000; .1.profile.powers.longDRX.femtojoules 2511000000000 → 1842750000000; and 2 more
            without: `long-drx-on-time` is missing
        long-drx-time: .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 236500000; .0.machine.cellular.tail.fourth.until.nanoseconds 319000000 → 236500000; .0.cellular.tail.third.until.nanoseconds 319000000 → 236500000; .0.cellular.tail.fourth.until.nanoseconds 319000000 → 236500000; and 4 more
            without: `long-drx-time` is missing
        inactivity-power: .0.powers.tail.femtojoules 111000 → 27750; .1.profile.powers.tail.femtojoules 111000 → 27750
            without: .0.powers.tail.femtojoules 111000 → 11000; .0.machine.cellular.tail.first.level tail → activeDown; .0.cellular.tail.first.level tail → activeDown; .1.profile.powers.tail.femtojoules 111000 → 11000; and 2 more
        short-drx-on-power: .0.powers.shortDRX.femtojoules 2071000000000 → 1483000000000; .1.profile.powers.shortDRX.femtojoules 2071000000000 → 1483000000000
            without: `short-drx-on-power` is missing
        short-drx-off-power: .0.powers.shortDRX.femtojoules 2071000000000 → 1105750000000; .1.profile.powers.shortDRX.femtojoules 2071000000000 → 1105750000000
            without: `short-drx-off-power` is missing
        long-drx-on-power: .0.powers.longDRX.femtojoules 2511000000000 → 1741500000000; .1.profile.powers.longDRX.femtojoules 2511000000000 → 1741500000000
            without: `long-drx-power` is missing, unknown setting `long-drx-off-power`
        long-drx-off-power: .0.powers.longDRX.femtojoules 2511000000000 → 1397250000000; .1.profile.powers.longDRX.femtojoules 2511000000000 → 1397250000000
            without: `long-drx-off-power` is missing
        paging-cycle: .0.powers.idle.femtojoules 3968000000000 → 2315000000000; .0.powers.idle.cycle 116000000 → 29000000; .0.machine.cellular.paging.period.nanoseconds 116000000 → 29000000; .0.cellular.paging.period.nanoseconds 116000000 → 29000000; and 4 more
            without: `paging-cycle` is missing, `paging-on-time` is longer than its cycle
        paging-on-power: .0.powers.idle.femtojoules 3968000000000 → 2388500000000; .1.profile.powers.idle.femtojoules 3968000000000 → 2388500000000
            without: `idle-power` is missing, unknown setting `paging-on-time`, unknown setting `sleep-power`
        paging-on-time: .0.powers.idle.femtojoules 3968000000000 → 2645000000000; .1.profile.powers.idle.femtojoules 3968000000000 → 2645000000000
            without: `paging-on-time` is missing
        sleep-power: .0.powers.idle.femtojoules 3968000000000 → 2571500000000; .1.profile.powers.idle.femtojoules 3968000000000 → 2571500000000
            without: `sleep-power` is missing
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: `active-power-down` is missing
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        search-power: .0.powers.search.femtojoules 301000 → 75250; .1.profile.powers.search.femtojoules 301000 → 75250
            without: .0.powers.search.femtojoules 301000 → 367000; .1.profile.powers.search.femtojoules 301000 → 367000
        search-time: .0.search.scan.nanoseconds 31000000000 → 7750000000; .1.profile.search.scan.nanoseconds 31000000000 → 7750000000
            without: .0.search.scan.nanoseconds 31000000000 → 2000000000; .1.profile.search.scan.nanoseconds 31000000000 → 2000000000
        search-rest: .0.search.firstPause.nanoseconds 32000000000 → 8000000000; .1.profile.search.firstPause.nanoseconds 32000000000 → 8000000000
            without: .0.search.firstPause.nanoseconds 32000000000 → 4000000000; .1.profile.search.firstPause.nanoseconds 32000000000 → 4000000000
        search-longest-rest: .0.search.longestPause.nanoseconds 33000000000 → 8250000000; .1.profile.search.longestPause.nanoseconds 33000000000 → 8250000000
            without: .0.search.longestPause.nanoseconds 33000000000 → 64000000000; .1.profile.search.longestPause.nanoseconds 33000000000 → 64000000000
        unassociated-power: .0.powers.unassociated.femtojoules 34000 → 8500; .1.profile.powers.unassociated.femtojoules 34000 → 8500
            without: .0.powers.unassociated.femtojoules 34000 → 0; .1.profile.powers.unassociated.femtojoules 34000 → 0
        handover-time: .0.handover.execution.first 35000000 → 8750000; .0.handover.addition.first 35000000 → 8750000; .0.handover.release.first 35000000 → 8750000; .1.profile.handover.execution.first 35000000 → 8750000; and 2 more
            without: .0.handover.execution.first 35000000 → 0; .0.handover.addition.first 35000000 → 0; .0.handover.release.first 35000000 → 0; .1.profile.handover.execution.first 35000000 → 0; and 2 more
        handover-failure: .0.handover.failure.halves 3320413933267719290 → 830103483316929822; .1.profile.handover.failure.halves 3320413933267719290 → 830103483316929822
            without: .0.handover.failure.halves 3320413933267719290 → 0; .0.handover.reestablishment.first 37000000 → 0; .1.profile.handover.failure.halves 3320413933267719290 → 0; .1.profile.handover.reestablishment.first 37000000 → 0
        re-establishment-time: .0.handover.reestablishment.first 37000000 → 9250000; .1.profile.handover.reestablishment.first 37000000 → 9250000
            without: `re-establishment-time` is missing
        handover-power: .0.powers.handover.femtojoules 38000 → 9500; .1.profile.powers.handover.femtojoules 38000 → 9500
            without: .0.powers.handover.femtojoules 38000 → 12000; .1.profile.powers.handover.femtojoules 38000 → 12000
        base-round-trip: .2.nanoseconds 39000000 → 9750000
            without: .2 - → nil; .2.nanoseconds 39000000 → -
        weak-signal-rate-down: .1.maxRateDown 41000000 → 10250000
            without: .1.maxRateDown 41000000 → nil
        weak-signal-rate-up: .1.maxRateUp 42000000 → 10500000
            without: .1.maxRateUp 42000000 → nil
        weak-signal-power-down: .1.profile.powers.activeDown.femtojoules 43000 → 10750
            without: .1.profile.powers.activeDown.femtojoules 43000 → 11000
        weak-signal-power-up: .1.profile.powers.activeUp.femtojoules 44000 → 11000; .1.profile.upIsDearer true → false
            without: .1.profile.powers.activeUp.femtojoules 44000 → 12000; .1.profile.upIsDearer true → false
        weak-signal-cost-down: .1.profile.costDown.femtojoules 45000000 → 11250000
            without: .1.profile.costDown.femtojoules 45000000 → 14000000
        weak-signal-cost-up: .1.profile.costUp.femtojoules 46000000 → 11500000
            without: .1.profile.costUp.femtojoules 46000000 → 13000000
        """#,
        #"""
        promotion-time: .0.machine.cellular.promotion.nanoseconds 101000000 → 25250000; .0.machine.cellular.secondPromotion.nanoseconds 100000000 → 175750000; .0.cellular.promotion.nanoseconds 101000000 → 25250000; .0.cellular.secondPromotion.nanoseconds 100000000 → 175750000
            without: `promotion-time` is missing
        promotion-power: .0.powers.promotion.femtojoules 102000 → 25500
            without: `promotion-power` is missing
        signalling-time: .0.machine.cellular.signalling.first 103000000 → 25750000; .0.cellular.signalling.first 103000000 → 25750000
            without: .0.machine.cellular.signalling.first 103000000 → 0; .0.cellular.signalling.first 103000000 → 0
        inactivity-time: .0.machine.cellular.tail.first.until.nanoseconds 104000000 → 26000000; .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 131000000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 241000000; .0.machine.cellular.drx.inactivity.nanoseconds 104000000 → 26000000; and 4 more
            without: `inactivity-time` is missing
        short-drx-time: .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 130250000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 240250000; .0.machine.cellular.drx.shortSpan.nanoseconds 105000000 → 26250000; .0.cellular.tail.second.until.nanoseconds 209000000 → 130250000; and 2 more
            without: .0.powers.shortDRX.femtojoules 2071000000000 → 0; .0.powers.shortDRX.cycle 106000000 → 1; .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 104000000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 214000000; and 4 more
        short-drx-cycle: .0.powers.shortDRX.femtojoules 2071000000000 → 1037500000000; .0.powers.shortDRX.cycle 106000000 → 26500000; .0.machine.cellular.drx.short.period.nanoseconds 106000000 → 26500000; .0.cellular.drx.short.period.nanoseconds 106000000 → 26500000
            without: `short-drx-on-time` is longer than the cycle, `short-drx-on-time` is longer than its cycle
        short-drx-on-time: .0.powers.shortDRX.femtojoules 2071000000000 → 1551250000000; .0.machine.cellular.drx.short.on.nanoseconds 7000000 → 1750000; .0.cellular.drx.short.on.nanoseconds 7000000 → 1750000
            without: `short-drx-on-time` is missing
        long-drx-cycle: .0.powers.longDRX.femtojoules 2511000000000 → 1296000000000; .0.powers.longDRX.cycle 108000000 → 27000000; .0.machine.cellular.drx.long.period.nanoseconds 108000000 → 27000000; .0.cellular.drx.long.period.nanoseconds 108000000 → 27000000
            without: `long-drx-on-time` is longer than the cycle, `long-drx-on-time` is longer than its cycle
        long-drx-on-time: .0.powers.longDRX.femtojoules 2511000000000 → 1842750000000; .0.machine.cellular.drx.long.on.nanoseconds 9000000 → 2250000; .0.cellular.drx.long.on.nanoseconds 9000000 → 2250000
            without: `long-drx-on-time` is missing
        long-drx-time: .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 236500000; .0.cellular.tail.third.until.nanoseconds 319000000 → 236500000
            without: `long-drx-time` is missing
        inactivity-power: .0.powers.tail.femtojoules 111000 → 27750
            without: .0.powers.tail.femtojoules 111000 → 11000; .0.machine.cellular.tail.first.level tail → activeDown; .0.cellular.tail.first.level tail → activeDown
        short-drx-on-power: .0.powers.shortDRX.femtojoules 2071000000000 → 1483000000000
            without: `short-drx-on-power` is missing
        short-drx-off-power: .0.powers.shortDRX.femtojoules 2071000000000 → 1105750000000
            without: `short-drx-off-power` is missing
        long-drx-on-power: .0.powers.longDRX.femtojoules 2511000000000 → 1741500000000
            without: `long-drx-power` is missing, unknown setting `long-drx-off-power`
        long-drx-off-power: .0.powers.longDRX.femtojoules 2511000000000 → 1397250000000
            without: `long-drx-off-power` is missing
        paging-cycle: .0.powers.idle.femtojoules 3968000000000 → 2315000000000; .0.powers.idle.cycle 116000000 → 29000000; .0.machine.cellular.paging.period.nanoseconds 116000000 → 29000000; .0.cellular.paging.period.nanoseconds 116000000 → 29000000
            without: `paging-cycle` is missing, `paging-on-time` is longer than its cycle
        paging-on-power: .0.powers.idle.femtojoules 3968000000000 → 2388500000000
            without: `idle-power` is missing, unknown setting `paging-on-time`, unknown setting `sleep-power`
        paging-on-time: .0.powers.idle.femtojoules 3968000000000 → 2645000000000
            without: `paging-on-time` is missing
        sleep-power: .0.powers.idle.femtojoules 3968000000000 → 2571500000000
            without: `sleep-power` is missing
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: `active-power-down` is missing
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        search-power: .0.powers.search.femtojoules 301000 → 75250
            without: .0.powers.search.femtojoules 301000 → 367000
        search-time: .0.search.scan.nanoseconds 31000000000 → 7750000000
            without: .0.search.scan.nanoseconds 31000000000 → 2000000000
        search-rest: .0.search.firstPause.nanoseconds 32000000000 → 8000000000
            without: .0.search.firstPause.nanoseconds 32000000000 → 4000000000
        search-longest-rest: .0.search.longestPause.nanoseconds 33000000000 → 8250000000
            without: .0.search.longestPause.nanoseconds 33000000000 → 64000000000
        unassociated-power: .0.powers.unassociated.femtojoules 34000 → 8500
            without: .0.powers.unassociated.femtojoules 34000 → 0
        handover-time: .0.handover.execution.first 35000000 → 8750000
            without: .0.handover.execution.first 35000000 → 0
        handover-failure: .0.handover.failure.halves 3320413933267719290 → 830103483316929822
            without: .0.handover.failure.halves 3320413933267719290 → 0; .0.handover.reestablishment.first 37000000 → 0
        re-establishment-time: .0.handover.reestablishment.first 37000000 → 9250000
            without: `re-establishment-time` is missing
        handover-power: .0.powers.handover.femtojoules 38000 → 9500
            without: .0.powers.handover.femtojoules 38000 → 12000
        base-round-trip: .2.nanoseconds 39000000 → 9750000
            without: .2 - → nil; .2.nanoseconds 39000000 → -
        nr-promotion-time: refused
            without: `nr-promotion-time` is missing, `nr-promotion-time` ends before `promotion-time`
        nr-promotion-power: .0.powers.secondPromotion.femtojoules 202000 → 50500
            without: `nr-promotion-power` is missing
        second-tail-until: refused
            without: .0.powers.secondTail.femtojoules 204000 → 0; .0.machine.cellular.tail.fourth.level secondTail → longDRX; .0.machine.cellular.tail.fourth.until.nanoseconds 600000000 → 319000000; .0.cellular.tail.fourth.level secondTail → longDRX; and 1 more
        second-tail-power: .0.powers.secondTail.femtojoules 204000 → 51000
            without: `second-tail-power` is missing
        nr-addition-time: .0.handover.addition.first 205000000 → 51250000
            without: .0.handover.addition.first 205000000 → 35000000
        nr-release-time: .0.handover.release.first 206000000 → 51500000
            without: .0.handover.release.first 206000000 → 35000000
        fast-dormancy: .0.machine.cellular.tail.second.until.nanoseconds 209000000 → 150000000; .0.machine.cellular.tail.third.until.nanoseconds 319000000 → 150000000; .0.machine.cellular.tail.fourth.until.nanoseconds 600000000 → 150000000; .0.cellular.tail.second.until.nanoseconds 209000000 → 150000000; and 2 more
            without: .0.machine.cellular.tail.fourth.until.nanoseconds 600000000 → 703000000; .0.cellular.tail.fourth.until.nanoseconds 600000000 → 703000000
        """#,
        #"""
        promotion-time: .0.machine.cellular.promotion.nanoseconds 101000000 → 25250000; .0.cellular.promotion.nanoseconds 101000000 → 25250000
            without: `promotion-time` is missing
        promotion-power: .0.powers.promotion.femtojoules 102000 → 25500
            without: `promotion-power` is missing
        inactivity-time: .0.machine.cellular.drx.inactivity.nanoseconds 104000000 → 26000000; .0.cellular.drx.inactivity.nanoseconds 104000000 → 26000000
            without: `inactivity-time` is missing
        tail-time: .0.machine.cellular.tail.first.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.second.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.third.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.fourth.until.nanoseconds 120000000 → 30000000; and 4 more
            without: `long-drx-time` is missing, `long-drx-power` is missing, unknown setting `tail-power`
        tail-power: .0.powers.tail.femtojoules 121000 → 30250
            without: `tail-power` is missing
        idle-power: .0.powers.idle.femtojoules 22000 → 5500
            without: `idle-power` is missing
        paging-cycle: .0.machine.cellular.paging.period.nanoseconds 116000000 → 29000000; .0.cellular.paging.period.nanoseconds 116000000 → 29000000
            without: `paging-cycle` is missing
        inactive-time: .0.machine.cellular.inactive.nanoseconds 301000000 → 75250000; .0.cellular.inactive.nanoseconds 301000000 → 75250000
            without: .0.powers.inactive.femtojoules 302000 → 0; .0.machine.cellular.inactive.nanoseconds 301000000 → 0; .0.machine.cellular.resume.nanoseconds 303000000 → 0; .0.cellular.inactive.nanoseconds 301000000 → 0; and 1 more
        inactive-power: .0.powers.inactive.femtojoules 302000 → 75500
            without: `inactive-power` is missing
        inactive-resume-time: .0.machine.cellular.resume.nanoseconds 303000000 → 75750000; .0.cellular.resume.nanoseconds 303000000 → 75750000
            without: `inactive-resume-time` is missing
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: `active-power-down` is missing
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.powers.handover.femtojoules 12000 → 11000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        """#,
        #"""
        idle-to-dch-power: .0.powers.promotion.femtojoules 101000 → 25250
            without: `idle-to-dch-power` is missing
        fach-to-dch-power: .0.powers.secondPromotion.femtojoules 102000 → 25500
            without: `fach-to-dch-power` is missing
        dch-power: .0.powers.dch.femtojoules 103000 → 25750
            without: `dch-power` is missing
        fach-power: .0.powers.fach.femtojoules 104000 → 26000
            without: `fach-power` is missing
        idle-to-fach-time: .0.machine.umts.idleToFACH.nanoseconds 105000000 → 26250000; .0.umts.idleToFACH.nanoseconds 105000000 → 26250000
            without: .0.powers.fachPromotion.femtojoules 106000 → 0; .0.machine.umts.idleToFACH - → nil; .0.machine.umts.up.idleLimit 113 → 0; .0.machine.umts.down.idleLimit 118 → 0; and 5 more
        idle-to-fach-power: .0.powers.fachPromotion.femtojoules 106000 → 26500
            without: `idle-to-fach-power` is missing
        idle-to-dch-time: .0.machine.umts.idleToDCH.nanoseconds 107000000 → 26750000; .0.umts.idleToDCH.nanoseconds 107000000 → 26750000
            without: `idle-to-dch-time` is missing
        fach-to-dch-time: .0.machine.umts.fachToDCH.nanoseconds 108000000 → 27000000; .0.umts.fachToDCH.nanoseconds 108000000 → 27000000
            without: `fach-to-dch-time` is missing
        dch-time: .0.machine.umts.dchInactivity.nanoseconds 109000000 → 27250000; .0.umts.dchInactivity.nanoseconds 109000000 → 27250000
            without: `dch-time` is missing
        fach-time: .0.machine.umts.fachInactivity.nanoseconds 110000000 → 27500000; .0.umts.fachInactivity.nanoseconds 110000000 → 27500000
            without: `fach-time` is missing
        dch-to-fach-time: .0.machine.umts.dchToFACH.nanoseconds 111000000 → 27750000; .0.umts.dchToFACH.nanoseconds 111000000 → 27750000
            without: .0.machine.umts.dchToFACH.nanoseconds 111000000 → 0; .0.umts.dchToFACH.nanoseconds 111000000 → 0
        fach-to-idle-time: .0.machine.umts.fachToIdle.nanoseconds 112000000 → 28000000; .0.umts.fachToIdle.nanoseconds 112000000 → 28000000
            without: .0.machine.umts.fachToIdle.nanoseconds 112000000 → 0; .0.umts.fachToIdle.nanoseconds 112000000 → 0
        up-idle-limit: refused
            without: `up-idle-limit` is missing
        up-fach-limit: refused
            without: `up-fach-limit` is missing
        up-drain-time: .0.machine.umts.up.constant 115000000 → 28750000; .0.umts.up.constant 115000000 → 28750000
            without: `up-drain-time` is missing
        up-drain-per-byte: .0.machine.umts.up.linear 116 → 29; .0.umts.up.linear 116 → 29
            without: .0.machine.umts.up.linear 116 → 0; .0.umts.up.linear 116 → 0
        up-drain-per-square-byte: refused
            without: .0.machine.umts.up.quadratic 117 → 0; .0.umts.up.quadratic 117 → 0
        down-idle-limit: refused
            without: `down-idle-limit` is missing
        down-fach-limit: refused
            without: `down-fach-limit` is missing
        down-drain-time: .0.machine.umts.down.constant 120000000 → 30000000; .0.umts.down.constant 120000000 → 30000000
            without: `down-drain-time` is missing
        down-drain-per-byte: refused
            without: .0.machine.umts.down.linear 121 → 0; .0.umts.down.linear 121 → 0
        down-drain-per-square-byte: refused
            without: .0.machine.umts.down.quadratic 122 → 0; .0.umts.down.quadratic 122 → 0
        dch-reset-size: refused
            without: .0.machine.umts.dchResetBytes 123 → 0; .0.umts.dchResetBytes 123 → 0
        dch-reset-window: .0.machine.umts.dchResetWindow.nanoseconds 124000000 → 31000000; .0.umts.dchResetWindow.nanoseconds 124000000 → 31000000
            without: .0.machine.umts.dchResetWindow.nanoseconds 124000000 → 0; .0.umts.dchResetWindow.nanoseconds 124000000 → 0
        paging-cycle: .0.machine.umts.paging.period.nanoseconds 125000000 → 31250000; .0.umts.paging.period.nanoseconds 125000000 → 31250000
            without: `paging-cycle` is missing
        idle-power: .0.powers.idle.femtojoules 126000 → 31500
            without: `idle-power` is missing
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: .0.powers.activeDown.femtojoules 11000 → 0; .0.powers.activeUp.femtojoules 12000 → 0; .0.machine.umts.hasActiveLevels true → false; .0.umts.hasActiveLevels true → false
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        search-power: .0.powers.search.femtojoules 301000 → 75250
            without: .0.powers.search.femtojoules 301000 → 367000
        search-time: .0.search.scan.nanoseconds 31000000000 → 7750000000
            without: .0.search.scan.nanoseconds 31000000000 → 2000000000
        search-rest: .0.search.firstPause.nanoseconds 32000000000 → 8000000000
            without: .0.search.firstPause.nanoseconds 32000000000 → 4000000000
        search-longest-rest: .0.search.longestPause.nanoseconds 33000000000 → 8250000000
            without: .0.search.longestPause.nanoseconds 33000000000 → 64000000000
        unassociated-power: .0.powers.unassociated.femtojoules 34000 → 8500
            without: .0.powers.unassociated.femtojoules 34000 → 0
        handover-time: .0.handover.execution.first 35000000 → 8750000; .0.handover.addition.first 35000000 → 8750000; .0.handover.release.first 35000000 → 8750000
            without: .0.handover.execution.first 35000000 → 0; .0.handover.addition.first 35000000 → 0; .0.handover.release.first 35000000 → 0
        handover-failure: .0.handover.failure.halves 3320413933267719290 → 830103483316929822
            without: .0.handover.failure.halves 3320413933267719290 → 0; .0.handover.reestablishment.first 37000000 → 0
        re-establishment-time: .0.handover.reestablishment.first 37000000 → 9250000
            without: `re-establishment-time` is missing
        handover-power: .0.powers.handover.femtojoules 38000 → 9500
            without: .0.powers.handover.femtojoules 38000 → 103000
        base-round-trip: .2.nanoseconds 39000000 → 9750000
            without: .2 - → nil; .2.nanoseconds 39000000 → -
        """#,
        #"""
        promotion-time: .0.machine.wifi.promotion.nanoseconds 101000000 → 25250000; .0.wifi.promotion.nanoseconds 101000000 → 25250000
            without: .0.powers.promotion.femtojoules 102000 → 0; .0.machine.wifi.promotion.nanoseconds 101000000 → 0; .0.wifi.promotion.nanoseconds 101000000 → 0
        promotion-power: .0.powers.promotion.femtojoules 102000 → 25500
            without: `promotion-power` is missing
        tail-time: .0.machine.wifi.tail.nanoseconds 103000000 → 25750000; .0.wifi.tail.nanoseconds 103000000 → 25750000
            without: `tail-time` is missing
        tail-power: .0.powers.idle.femtojoules 2478767000000 → 1698767000000; .0.powers.tail.femtojoules 104000 → 26000
            without: `tail-power` is missing
        beacon-cycle: .0.powers.idle.femtojoules 2478767000000 → 4419167000000; .0.machine.wifi.beacon.period.nanoseconds 105000000 → 26250000; .0.wifi.beacon.period.nanoseconds 105000000 → 26250000
            without: `beacon-cycle` is missing, `beacon-on-time` is longer than its cycle
        beacon-on-power: .0.powers.idle.femtojoules 2478767000000 → 1954067000000
            without: `idle-power` is missing, unknown setting `beacon-on-time`, unknown setting `sleep-power`
        beacon-on-time: .0.powers.idle.femtojoules 2478767000000 → 1993667000000
            without: `beacon-on-time` is missing
        sleep-power: .0.powers.idle.femtojoules 2478767000000 → 1924367000000
            without: `sleep-power` is missing
        broadcast-interval: .0.powers.idle.femtojoules 2478767000000 → 1290694250000; .0.powers.idle.cycle 109000000 → 27250000
            without: .0.powers.idle.femtojoules 2478767000000 → 1526000000000; .0.powers.idle.cycle 109000000 → 105000000
        broadcast-time: .0.powers.idle.femtojoules 2478767000000 → 1807764500000
            without: `broadcast-time` is missing
        high-size: refused
            without: .0.powers.activeHigh.femtojoules 112000 → 0; .0.machine.wifi.highBytes 111 → nil; .0.machine.wifi.highWindow.nanoseconds 113000000 → 0; .0.wifi.highBytes 111 → nil; and 1 more
        high-power: .0.powers.activeHigh.femtojoules 112000 → 28000
            without: `high-power` is missing
        high-window: .0.machine.wifi.highWindow.nanoseconds 113000000 → 28250000; .0.wifi.highWindow.nanoseconds 113000000 → 28250000
            without: `high-window` is missing
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: `active-power-down` is missing
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        search-power: .0.powers.search.femtojoules 301000 → 75250
            without: .0.powers.search.femtojoules 301000 → 367000
        search-time: .0.search.scan.nanoseconds 31000000000 → 7750000000
            without: .0.search.scan.nanoseconds 31000000000 → 2000000000
        search-rest: .0.search.firstPause.nanoseconds 32000000000 → 8000000000
            without: .0.search.firstPause.nanoseconds 32000000000 → 4000000000
        search-longest-rest: .0.search.longestPause.nanoseconds 33000000000 → 8250000000
            without: .0.search.longestPause.nanoseconds 33000000000 → 64000000000
        unassociated-power: .0.powers.unassociated.femtojoules 34000 → 8500
            without: .0.powers.unassociated.femtojoules 34000 → 0
        handover-time: .0.handover.execution.first 35000000 → 8750000; .0.handover.addition.first 35000000 → 8750000; .0.handover.release.first 35000000 → 8750000
            without: .0.handover.execution.first 35000000 → 0; .0.handover.addition.first 35000000 → 0; .0.handover.release.first 35000000 → 0
        handover-failure: .0.handover.failure.halves 3320413933267719290 → 830103483316929822
            without: .0.handover.failure.halves 3320413933267719290 → 0; .0.handover.reestablishment.first 37000000 → 0
        re-establishment-time: .0.handover.reestablishment.first 37000000 → 9250000
            without: `re-establishment-time` is missing
        handover-power: .0.powers.handover.femtojoules 38000 → 9500
            without: .0.powers.handover.femtojoules 38000 → 12000
        base-round-trip: .2.nanoseconds 39000000 → 9750000
            without: .2 - → nil; .2.nanoseconds 39000000 → -
        """#,
        #"""
        promotion-time: .0.machine.cellular.promotion.nanoseconds 101000000 → 25250000; .0.cellular.promotion.nanoseconds 101000000 → 25250000
            without: `promotion-time` is missing
        promotion-power: .0.powers.promotion.femtojoules 102000 → 25500
            without: `promotion-power` is missing
        inactivity-time: .0.machine.cellular.drx.inactivity.nanoseconds 104000000 → 26000000; .0.cellular.drx.inactivity.nanoseconds 104000000 → 26000000
            without: `inactivity-time` is missing
        tail-time: .0.machine.cellular.tail.first.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.second.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.third.until.nanoseconds 120000000 → 30000000; .0.machine.cellular.tail.fourth.until.nanoseconds 120000000 → 30000000; and 4 more
            without: `long-drx-time` is missing, `long-drx-power` is missing, unknown setting `tail-power`
        tail-power: .0.powers.tail.femtojoules 121000 → 30250
            without: `tail-power` is missing
        idle-power: .0.powers.idle.femtojoules 4897755610 → 4074812967
            without: `idle-power` is missing
        paging-cycle: .0.machine.cellular.paging.period.nanoseconds 116000000 → 29000000; .0.cellular.paging.period.nanoseconds 116000000 → 29000000
            without: `paging-cycle` is missing
        psm-update-interval: .0.machine.cellular.saving.updateInterval.nanoseconds 400000000000 → 100000000000; .0.cellular.saving.updateInterval.nanoseconds 400000000000 → 100000000000
            without: .0.machine.cellular.saving.activeTime.nanoseconds 42000000000 → 0; .0.machine.cellular.saving.updateInterval.nanoseconds 400000000000 → 0; .0.machine.cellular.saving.updateTime.nanoseconds 403000000 → 0; .0.cellular.saving.activeTime.nanoseconds 42000000000 → 0; and 2 more
        edrx-cycle: .0.powers.idle.femtojoules 4897755610 → 7591022443; .0.machine.cellular.saving.extendedCycle.nanoseconds 401000000000 → 100250000000; .0.cellular.saving.extendedCycle.nanoseconds 401000000000 → 100250000000
            without: .0.powers.idle.femtojoules 4897755610 → 22000; .0.powers.idle.cycle 1000000 → 1; .0.machine.cellular.saving.extendedCycle.nanoseconds 401000000000 → 0; .0.machine.cellular.saving.window.nanoseconds 20000000000 → 0; and 2 more
        psm-active-time: .0.machine.cellular.saving.activeTime.nanoseconds 42000000000 → 10500000000; .0.cellular.saving.activeTime.nanoseconds 42000000000 → 10500000000
            without: `psm-active-time` is missing
        psm-update-time: .0.machine.cellular.saving.updateTime.nanoseconds 403000000 → 100750000; .0.cellular.saving.updateTime.nanoseconds 403000000 → 100750000
            without: `psm-update-time` is missing
        psm-power: .0.powers.idle.femtojoules 4897755610 → 2047381546; .0.powers.powerSaving.femtojoules 4000 → 1000
            without: `psm-power` is missing
        edrx-window: .0.powers.idle.femtojoules 4897755610 → 4224438902; .0.machine.cellular.saving.window.nanoseconds 20000000000 → 5000000000; .0.cellular.saving.window.nanoseconds 20000000000 → 5000000000
            without: .0.powers.idle.femtojoules 4897755610 → 4114912718; .0.machine.cellular.saving.window.nanoseconds 20000000000 → 2560000000; .0.cellular.saving.window.nanoseconds 20000000000 → 2560000000
        psm-buffer: .0.machine.cellular.saving.heldPackets 8 → 2; .0.cellular.saving.heldPackets 8 → 2
            without: .0.machine.cellular.saving.heldPackets 8 → 64; .0.cellular.saving.heldPackets 8 → 64
        active-power-down: .0.powers.activeDown.femtojoules 11000 → 2750
            without: `active-power-down` is missing
        active-power-up: .0.powers.activeUp.femtojoules 12000 → 3000; .0.powers.handover.femtojoules 12000 → 11000; .0.upIsDearer true → false
            without: `active-power-up` is missing
        cost-up: .0.costUp.femtojoules 13000000 → 3250000
            without: .0.costUp.femtojoules 13000000 → 0
        cost-down: .0.costDown.femtojoules 14000000 → 3500000
            without: .0.costDown.femtojoules 14000000 → 0
        """#,
    ]
}
