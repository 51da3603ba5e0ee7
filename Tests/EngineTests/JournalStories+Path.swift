/// Journals of `JournalStories`.
extension JournalStories {
    static let boxesJournal = """
        0 connecting 1
        101 drift 0
        121 opened 1, herdBack 121M, silent 28672:121M
        40185 mappingExpired 0, available 40063M
        45101 serverPinged 1, serverHeld 45081M
        47000 sentDown 0
        71000 sentUp 0
        71040 detected 30855M, zombie 30855M, silent 12288:30855M, closed 3:1
        73040 timerFired 0, connecting 2
        73142 drift 1
        73162 opened 2, silent 28672:2121M, resumed 0, recovered 32977M, deliveredDown 26162M
        73182 deliveredUp 2182M
        94000 sentDown 1
        94023 deliveredDown 23M
        100000 mappingExpired 0, available 26837M, herdBegan 1:0
        118142 serverPinged 1, serverHeld 45081M
        141000 sentDown 2
        142000 sentUp 1
        142040 detected 42040M, zombie 42040M, silent 12291:42040M, closed 3:2
        144040 timerFired 0, connecting 1:3
        144142 drift 1
        144162 opened 3, herdBack 1:44162M, silent 28675:2121M, resumed 2, recovered 44162M, deliveredDown 3162M
        144182 deliveredUp 2182M
        150000 networkTold 1, available 5837M, detected 0, zombie 0, closed 1:3, herdBegan 1:0
        152000 timerFired 0, connecting 1:4, promotion 1:0
        152436 serverHeld 8376M, drift 0
        152471 opened 4, herdBack 1:2471M, silent 28676:2471M, resumed 3, recovered 2471M
        188000 sentDown 3
        188296 promotion 1:0
        188556 deliveredDown 556M
        197436 serverPinged 1
        213000 sentUp 2, promotion 1:0
        213295 deliveredUp 295M
        235000 sentDown 4
        235656 promotion 1:0
        235916 deliveredDown 916M
        242506 serverPinged 2
        250000 mappingExpired 1:0, serverHeld 97704M, available 97528M, herdBegan 1:0
        250069 detected 69M, zombie 69M, silent 12293:69M, closed 3:4
        252069 timerFired 0, connecting 1:5
        252246 drift 0
        252281 opened 5, herdBack 1:2281M, silent 28677:2211M, resumed 5, recovered 2281M
        282000 sentDown 5
        283016 promotion 1:0
        283276 deliveredDown 1276M
        284000 sentUp 3
        284035 deliveredUp 35M
        297246 serverPinged 1
        298376 promotion 1:0
        329000 sentDown 6
        329096 promotion 1:0
        329356 deliveredDown 356M
        343671 serverPinged 2
        344456 promotion 1:0
        355000 sentUp 4, promotion 1:0
        355295 deliveredUp 295M
        376000 sentDown 7
        376456 promotion 1:0
        376716 deliveredDown 716M
        389751 serverPinged 3
        390536 promotion 1:0
        400000 available 147718M, serverHeld 147895M, finished 400000M
        """

    static let portalJournal = """
        0 connecting 1, promotion 1:0
        369 resolved 2:369M, failed 4:1
        2369 timerFired 0, connecting 2
        2470 resolved 2:100M, failed 4:2
        6470 timerFired 0, connecting 3
        6570 resolved 2:100M, failed 4:3
        9000 sentUp 0
        14570 timerFired 0, connecting 4
        14670 resolved 2:100M, failed 4:4
        18000 sentUp 1
        27000 sentUp 2
        30670 timerFired 0, connecting 5, promotion 1:0
        31030 resolved 360M
        31207 drift 0
        31242 opened 5, herdBack 31242M, silent 28673:31242M
        31277 deliveredUp 22277M 13277M 4277M
        36000 sentUp 3
        36035 deliveredUp 35M
        40000 herdBegan 1:0
        41000 networkTold 0, available 9757M, closed 5, connecting 1:6
        41035 serverHeld 9969M
        43070 resolved 2070M
        43151 failed 5:6
        45000 sentUp 4
        54000 sentUp 5
        63000 sentUp 6
        63151 timerFired 0, connecting 1:7, resolved 1:0
        63233 failed 5:7
        65000 networkTold 3:0, silent 20484:24000M, connecting 1:8, resolved 1:0
        65101 drift 0
        65121 opened 8, herdBack 1:25121M, silent 28676:121M, resumed 0
        65142 deliveredUp 20142M 11142M 2142M
        72000 sentUp 7
        72020 deliveredUp 20M
        81000 sentUp 8
        81020 deliveredUp 20M
        90000 networkTold 1, serverHeld 24979M, available 24878M, detected 0, zombie 0, closed 4:8, herdBegan 1:0, connecting 1:9, promotion 1:0, sentUp 9
        90369 resolved 369M
        90546 drift 0
        90581 opened 9, herdBack 1:581M, silent 28677:581M, resumed 0, recovered 581M
        90617 deliveredUp 617M
        99000 sentUp 10
        99035 deliveredUp 35M
        108000 sentUp 11
        108035 deliveredUp 35M
        117000 sentUp 12
        117035 deliveredUp 35M
        120000 networkTold 2:1, available 29418M, detected 0, zombie 0, closed 1:9, herdBegan 1:0
        122000 timerFired 0
        130000 networkTold 1, herdBegan 1:0, connecting 1:10, promotion 1:0
        133000 silent 20486:13000M
        134000 resolved 2:4000M, failed 4:10
        136000 timerFired 0, connecting 1:11
        136109 resolved 109M
        136286 serverHeld 45881M, drift 0
        136321 opened 11, herdBack 1:16321M, silent 28678:3321M, resumed 0, recovered 3321M
        200000 available 63678M, serverHeld 63855M, finished 200000M
        """

    static let quicJournal = """
        0 connecting 1
        41 opened 1, herdBack 41M, silent 28672:41M
        62 drift 0
        5000 sentUp 0
        5020 deliveredUp 20M
        7000 sentDown 0
        7086 deliveredDown 86M
        10000 sentUp 1
        10020 deliveredUp 20M
        14000 sentDown 1
        14049 deliveredDown 49M
        15000 herdBegan 1:0, sentUp 2
        15020 deliveredUp 20M
        20000 sentUp 3
        20020 deliveredUp 20M
        21000 sentDown 2
        21115 deliveredDown 115M
        22000 networkTold 1, herdBegan 1:0, available 21958M, blocked 0, herdBack 1:0, promotion 1:0
        25000 sentUp 4
        25035 deliveredUp 35M
        28000 sentDown 3
        28069 deliveredDown 69M
        30000 sentUp 5
        30035 deliveredUp 35M
        35000 sentDown 4, sentUp 6
        35035 deliveredDown 35M, deliveredUp 35M
        40000 networkTold 1, herdBegan 1:0, available 18000M, blocked 0, herdBack 1:0, sentUp 7
        40035 deliveredUp 35M
        42000 sentDown 5
        42069 deliveredDown 69M
        45000 sentUp 8
        45035 deliveredUp 35M
        49000 sentDown 6
        49069 deliveredDown 69M
        50000 sentUp 9
        50035 deliveredUp 35M
        55000 sentUp 10
        55035 deliveredUp 35M
        56000 sentDown 7
        56069 deliveredDown 69M
        60000 networkTold 0, herdBegan 1:0, sentUp 11
        60020 deliveredUp 20M
        63000 sentDown 8
        63099 deliveredDown 99M
        65000 sentUp 12
        65020 deliveredUp 20M
        70000 sentDown 9, sentUp 13
        70020 deliveredDown 20M, deliveredUp 20M
        75000 sentUp 14
        75020 deliveredUp 20M
        77000 sentDown 10
        77025 deliveredDown 25M
        80000 serverHeld 79979M, herdBegan 1:0, available 40000M, sentUp 15
        80020 detected 20M, zombie 20M, closed 3:1
        82020 timerFired 0, connecting 1:2
        82060 failed 3:2
        84000 sentDown 11
        85000 herdBegan 1:0, silent 24582:5000M, sentUp 16
        86060 timerFired 0, connecting 1:3
        86102 opened 3, herdBack 1:6102M, silent 28678:1102M, resumed 11
        86122 drift 1, deliveredUp 6122M 1122M
        86142 recovered 1142M, deliveredDown 2142M
        90000 sentUp 17
        90020 deliveredUp 20M
        91000 sentDown 12
        91054 deliveredDown 54M
        95000 sentUp 18
        95020 deliveredUp 20M
        98000 sentDown 13
        98119 deliveredDown 119M
        100000 networkTold 1, herdBegan 1:0, available 13897M, blocked 0, herdBack 1:0, promotion 1:0, sentUp 19
        100295 deliveredUp 295M
        105000 sentDown 14, sentUp 20
        105035 deliveredDown 35M, deliveredUp 35M
        110000 sentUp 21
        110035 deliveredUp 35M
        112000 sentDown 15
        112069 deliveredDown 69M
        115000 sentUp 22
        115035 deliveredUp 35M
        119000 sentDown 16
        119069 deliveredDown 69M
        120000 available 20000M, serverHeld 33918M, finished 120000M
        """

    static let datagramsJournal = """
        0 connecting 1, opened 1, herdBack 0
        3000 sentDown 0
        3092 deliveredDown 92M
        4000 sentUp 0
        4020 deliveredUp 20M
        6000 sentDown 1
        6062 deliveredDown 62M
        8000 sentUp 1
        8020 deliveredUp 20M
        8040 probeAnswered 40M
        9000 sentDown 2
        9031 deliveredDown 31M
        12000 sentDown 3, sentUp 2
        12020 deliveredDown 20M, deliveredUp 20M
        15000 sentDown 4
        15073 deliveredDown 73M
        16000 sentUp 3
        16020 deliveredUp 20M
        16040 probeAnswered 40M
        18000 sentDown 5
        18043 deliveredDown 43M
        20000 herdBegan 1:0, available 20000M, sentUp 4
        21000 sentDown 6
        24000 sentDown 7, sentUp 5
        24020 probeLost 1
        27000 herdBegan 1:0, blocked 7000M, herdBack 1:7000M, silent 20482:7000M, sentDown 8
        27054 lostDown 2:3062447746712M, deliveredDown 54M
        28000 sentUp 6
        28020 lostUp 2:3062447746679M, deliveredUp 20M
        30000 sentDown 9
        30023 deliveredDown 23M
        32000 sentUp 7
        32020 deliveredUp 20M
        32040 probeAnswered 40M
        33000 sentDown 10
        33095 deliveredDown 95M
        36000 sentDown 11, sentUp 8
        36020 deliveredDown 20M, deliveredUp 20M
        39000 sentDown 12
        39035 deliveredDown 35M
        40000 herdBegan 1:0, available 13000M, sentUp 9
        40040 probeAnswered 40M
        42000 sentDown 13
        44000 sentUp 10
        45000 herdBegan 1:0, blocked 5000M, herdBack 1:5000M, silent 24580:5000M, sentDown 14
        45076 lostDown 4:3098476543849M, deliveredDown 76M
        48000 sentDown 15, sentUp 11
        48020 deliveredDown 20M, lostUp 4:3098476543781M, deliveredUp 20M
        48040 probeAnswered 40M
        51000 sentDown 16
        51118 deliveredDown 118M
        52000 sentUp 12
        52020 deliveredUp 20M
        54000 sentDown 17
        54087 deliveredDown 87M
        56000 sentUp 13
        56020 deliveredUp 20M
        56040 probeAnswered 40M
        57000 sentDown 18
        57057 deliveredDown 57M
        60000 available 15000M, finished 60000M
        """

    static let radioJournal = """
        0 connecting 1, promotion 1:0
        436 drift 0
        471 opened 1, herdBack 471M, silent 28672:471M
        5000 sentDown 0
        5219 deliveredDown 219M
        10000 sentDown 1
        10219 deliveredDown 219M
        15000 sentDown 2
        15219 deliveredDown 219M
        20000 sentDown 3
        20185 deliveredDown 185M
        25000 sentDown 4
        25219 deliveredDown 219M
        30000 sentDown 5
        30219 deliveredDown 219M
        35000 sentDown 6
        35185 deliveredDown 185M
        40000 sentDown 7
        40219 deliveredDown 219M
        45000 sentDown 8
        48219 timerFired 1:0, pinged 0
        50000 sentDown 9
        50302 deliveredDown 5302M
        50308 ponged 2088M
        55000 sentDown 10
        55306 deliveredDown 5306M
        60000 sentDown 11
        60293 deliveredDown 5293M
        65000 sentDown 12
        65279 deliveredDown 5279M
        70000 sentDown 13
        70269 deliveredDown 5269M 269M
        75000 networkTold 2:1, available 74528M, detected 0, zombie 0, closed 1:1, herdBegan 1:0, sentDown 14
        77000 timerFired 0
        80000 sentDown 15
        85000 sentDown 16
        90000 silent 20488:15000M, herdMissing 1:15000M, serverHeld 89704M, pendingDown 3, waitedDown 15000M 10000M 5000M, finished 90000M
        """
}
