/// Journals of `JournalStories`.
extension JournalStories {
    static let consumerJournal = """
        0 connecting 1
        101 drift 0
        121 opened 1, herdBack 121M, silent 28672:121M
        2000 sentDown 0
        2068 deliveredDown 68M
        4000 sentDown 1
        4568 deliveredDown 568M
        6000 sentDown 2
        7068 deliveredDown 1068M
        8000 sentDown 3
        9568 deliveredDown 1568M
        10000 sentDown 4
        12000 sentDown 5
        12068 deliveredDown 2068M
        14000 sentDown 6
        14568 deliveredDown 2568M
        16000 sentDown 7
        17068 deliveredDown 3068M
        18000 sentDown 8
        19568 deliveredDown 3568M
        20000 consumerStalled 15000M, sentDown 9
        22000 sentDown 10
        24000 sentDown 11
        24084 bufferFilled 3, bufferDropped 1:1
        26000 sentDown 12
        26030 bufferDropped 1:1
        28000 sentDown 13
        28078 bufferDropped 1:1
        30000 sentDown 14
        30023 bufferDropped 1:1
        32000 sentDown 15
        32071 bufferDropped 1:1
        34000 sentDown 16
        34119 bufferDropped 1:1
        35000 lostDown 4971973988751M, gapUnnoticed 1:6, deliveredDown 5000M
        36000 sentDown 17
        37500 deliveredDown 5500M
        38000 sentDown 18
        40000 sentDown 19, deliveredDown 6000M
        42000 sentDown 20
        42107 bufferDropped 1:1
        42500 lostDown 4971973988902M, gapUnnoticed 1:1, deliveredDown 4500M
        44000 sentDown 21
        45000 deliveredDown 5000M
        46000 sentDown 22
        47500 deliveredDown 5500M
        48000 sentDown 23
        50000 sentDown 24, deliveredDown 6000M
        52000 sentDown 25
        52039 bufferDropped 1:1
        52500 lostDown 4971973988986M, gapUnnoticed 1:1, deliveredDown 4500M
        54000 sentDown 26
        55000 deliveredDown 5000M
        56000 sentDown 27
        57500 deliveredDown 5500M
        58000 sentDown 28
        60000 sentDown 29, deliveredDown 6000M
        62000 sentDown 30
        62075 bufferDropped 1:1
        62500 lostDown 4971973989070M, gapUnnoticed 1:1, deliveredDown 4500M
        64000 sentDown 31
        65000 deliveredDown 5000M
        66000 sentDown 32
        67500 deliveredDown 5500M
        68000 sentDown 33
        70000 networkTold 2:0, serverHeld 69979M, available 69878M, detected 0, zombie 0, closed 3:1, herdBegan 1:0, sentDown 34, deliveredDown 6000M
        72000 sentDown 35, timerFired 0
        72500 deliveredDown 6500M
        74000 sentDown 36
        75000 deliveredDown 7000M
        76000 sentDown 37
        78000 sentDown 38
        80000 sentDown 39
        82000 sentDown 40
        84000 sentDown 41
        86000 sentDown 42
        88000 sentDown 43
        90000 sentDown 44
        92000 sentDown 45
        94000 sentDown 46
        95000 networkTold 0, herdBegan 1:0, silent 20485:25000M, connecting 1:2
        95101 drift 13, gapNoticed 1:13, fullSync 5000
        95124 opened 2, herdBack 1:25124M, silent 28677:124M, resumed 34, recovered 124M, deliveredDown 25124M, bufferFilled 3, bufferDropped 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1
        96000 sentDown 47
        96071 bufferDropped 1:1
        97624 lostDown 4971973989204M, gapUnnoticed 1:10, deliveredDown 5624M
        98000 sentDown 48
        100124 deliveredDown 6124M
        102624 deliveredDown 6624M
        105124 deliveredDown 7124M
        120000 available 24875M, serverHeld 24979M, bufferPeak 3, memoryPeak 2800, finished 120000M
        """

    static let callsJournal = """
        13000 called 0, connecting 1, promotion 1:0
        13401 opened 1, herdBack 13401M, silent 28672:13401M
        13436 drift 0
        13437 serverAsked 0
        13909 answered 909M
        26000 called 1, promotion 1:0
        26295 serverAsked 1
        26749 answered 749M
        39000 called 2, promotion 1:0
        39295 serverAsked 2
        39749 answered 749M
        40000 herdBegan 1:0, available 26598M
        49000 herdBegan 1:0, blocked 9000M, herdBack 1:9000M, silent 20482:9000M
        52000 called 3, promotion 1:0
        52295 serverAsked 3
        52749 answered 749M
        65000 called 4, promotion 1:0
        65295 serverAsked 4
        65500 herdBegan 1:0, available 16500M
        67749 timerFired 1:0, pinged 0
        71000 timerFired 5:0, callFailed 6000M, pinged 0
        71749 timerFired 2:0, blocked 6249M, closed 1
        71784 serverHeld 58489M
        78000 called 5, connecting 1:2
        80000 herdBegan 1:0, falseDrop 1, silent 24580:14500M
        84000 timerFired 5:0, callFailed 6000M
        91000 called 6
        97000 timerFired 5:0, callFailed 6000M
        98000 timerFired 3:0, promotion 1:0
        98295 serverHeld 20259M
        100000 timerFired 0, connecting 1:3
        100141 opened 3, herdBack 1:34641M, silent 28676:20141M, resumed 0
        100176 drift 0
        100211 recovered 20211M
        104000 called 7
        104035 serverAsked 7
        104471 answered 471M, callOutage 3:39471M
        119471 timerFired 1:0
        124471 timerFired 10:0, promotion 1:0, available 24329M, closed 3
        124766 serverHeld 24731M
        150000 silent 28672:25528M, finished 150000M
        """

    static let serverJournal = """
        0 connecting 1
        101 dedupMemory 21, drift 0
        121 opened 1, herdBack 121M, silent 28672:121M
        5000 sentUp 0
        5020 deliveredUp 20M
        6000 sentDown 0
        6062 deliveredDown 62M
        10000 sentUp 1
        10020 deliveredUp 20M
        12000 sentDown 1
        12103 deliveredDown 103M
        15000 sentUp 2
        15020 deliveredUp 20M
        18000 sentDown 2
        18043 deliveredDown 43M
        20000 serverHeld 19979M, herdBegan 1:0, available 19878M, sentUp 3
        20020 detected 20M, zombie 20M, closed 3:1
        22020 timerFired 0, connecting 1:2
        22060 failed 3:2
        24000 sentDown 3
        25000 sentUp 4
        26060 timerFired 0, connecting 1:3
        26100 failed 3:3
        30000 sentDown 4, sentUp 5, queueOverflow 1
        32000 herdBegan 1:0, silent 24578:12000M
        34100 timerFired 0, connecting 1:4
        34201 drift 2
        34222 opened 4, herdBack 1:14222M, silent 28674:2222M, resumed 3, recovered 2222M, deliveredDown 10222M 4222M
        34242 lostUp 2:4431542033382M, deliveredUp 9242M 4242M
        35000 sentUp 6
        35020 deliveredUp 20M
        36000 sentDown 5
        36065 deliveredDown 65M
        40000 sentUp 7
        40020 deliveredUp 20M
        42000 sentDown 6
        42107 deliveredDown 107M
        45000 herdBegan 1:0, available 10777M, sentUp 8
        48000 sentDown 7
        50000 sentUp 9
        54000 sentDown 8
        55000 sentUp 10, queueOverflow 1
        60000 sentDown 9, sentUp 11, queueOverflow 1
        65000 sentUp 12, queueOverflow 1
        66000 sentDown 10
        70000 deliveredUp 25000M 20000M 15000M 10000M 5000M, herdBegan 1:0, blocked 25000M, herdBack 1:25000M, silent 24580:25000M, sentUp 13, queueOverflow 1
        70020 deliveredUp 20M, recovered 20M, deliveredDown 22020M 16020M 10020M 4020M
        72000 sentDown 11
        72110 deliveredDown 110M
        75000 sentUp 14
        75020 deliveredUp 20M
        78000 sentDown 12
        78049 deliveredDown 49M
        80000 sentUp 15
        80020 deliveredUp 20M
        84000 sentDown 13
        84091 deliveredDown 91M
        85000 herdBegan 1:0, sentUp 16
        85020 deliveredUp 20M
        90000 networkTold 2:0, available 20000M, detected 0, zombie 0, closed 1:4, herdBegan 1:0, sentDown 14, sentUp 17
        91000 networkTold 0, herdBegan 1:0
        92000 timerFired 0, connecting 1:5
        92121 opened 5, resumed 14, detected 30800, zombie 30800, closed 5:5
        92142 serverHeld 122M
        94121 timerFired 0, connecting 1:6
        94243 opened 6, resumed 14, detected 30800, zombie 30800, closed 5:6
        94264 serverHeld 122M
        95000 sentUp 18
        96000 sentDown 15
        96243 timerFired 0, connecting 1:7
        96365 opened 7, resumed 14, detected 30800, zombie 30800, closed 5:7
        96386 serverHeld 122M
        98365 timerFired 0, connecting 1:8
        98487 opened 8, resumed 14, detected 30800, zombie 30800, closed 5:8
        98508 serverHeld 122M
        100000 silent 24583:10000M, herdBegan 1:0, sentUp 19, queueOverflow 1
        100487 timerFired 0, connecting 1:9
        100589 serverHeld 66469M, drift 2
        100609 opened 9, herdBack 1:10609M, silent 28679:609M, resumed 14, recovered 609M
        100610 deliveredDown 10610M 4610M
        100630 lostUp 7:4431542033617M, deliveredUp 5630M 630M
        102000 sentDown 16
        102113 deliveredDown 113M
        105000 sentUp 20
        105020 deliveredUp 20M
        108000 sentDown 17
        108052 deliveredDown 52M
        110000 sentUp 21
        110020 deliveredUp 20M
        114000 sentDown 18
        114094 deliveredDown 94M
        115000 sentUp 22
        115020 deliveredUp 20M
        120000 herdBegan 1:0, sentDown 19, sentUp 23, available 19390M
        120020 deliveredDown 20M, detected 20M, zombie 20M, silent 24586:20M, closed 4:9
        120040 serverHeld 19532M
        122020 timerFired 0, connecting 1:10
        122122 drift 0
        122142 opened 10, herdBack 1:2142M, silent 28682:2121M, resumed 20, recovered 2142M
        122162 deliveredUp 2162M
        122500 available 357M
        122593 detected 93M, zombie 93M, silent 24586:93M, closed 4:10
        122613 serverHeld 573M
        124593 timerFired 0, connecting 1:11
        124695 drift 0
        124715 opened 11, silent 28682:2121M, resumed 20, recovered 2215M
        125000 sentUp 24
        125020 deliveredUp 20M
        126000 sentDown 20
        126075 deliveredDown 75M
        130000 sentUp 25
        130020 deliveredUp 20M
        132000 sentDown 21
        132116 deliveredDown 116M
        135000 sentUp 26
        135020 deliveredUp 20M
        138000 sentDown 22
        138055 deliveredDown 55M
        140000 sentUp 27
        140020 deliveredUp 20M
        144000 sentDown 23
        144097 deliveredDown 97M
        145000 sentUp 28
        145020 deliveredUp 20M
        150000 herdBegan 1:0, serverHeld 25386M
        150036 available 25321M, detected 0, zombie 0, closed 3:11
        152036 timerFired 0, connecting 1:12
        152138 drift 0
        152158 opened 12, herdBack 1:2158M, silent 28672:2121M, resumed 24, recovered 2121M
        192138 serverExpired 12, available 39979M
        192225 detected 86M, zombie 86M, silent 24576:86M, closed 4:12
        192245 serverHeld 40188M
        194225 timerFired 0, connecting 1:13
        194327 drift 0
        194347 opened 13, silent 28672:2121M, resumed 24, recovered 2208M
        200000 available 5652M, serverHeld 5754M, finished 200000M
        """

    static let accountJournal = """
        0 connecting 1, promotion 1:0, connecting 1, promotion 1:0
        936 serverAccepted 1, drift 0
        989 opened 1, herdBack 989M, silent 28672:989M
        5000 sentUp 0
        5035 deliveredUp 35M
        6000 sentDown 0
        6069 deliveredDown 69M
        10000 sentUp 1
        10035 deliveredUp 35M
        12000 sentDown 1
        12069 deliveredDown 69M
        15000 sentUp 2
        15035 deliveredUp 35M
        18000 sentDown 2
        18069 deliveredDown 69M
        20000 serverHeld 19704M, herdBegan 1:0, available 19010M, sentUp 3
        20035 detected 35M, zombie 35M, silent 24578:35M, closed 3:1
        22035 timerFired 0, connecting 1:2
        936 serverAccepted 1, drift 0
        989 opened 1, herdBack 989M, silent 28672:989M
        5000 sentUp 0
        5035 deliveredUp 35M
        6000 sentDown 0
        6069 deliveredDown 69M
        10000 sentUp 1
        10035 deliveredUp 35M
        12000 sentDown 1
        12069 deliveredDown 69M
        15000 sentUp 2
        15035 deliveredUp 35M
        18000 sentDown 2
        18069 deliveredDown 69M
        20000 sentUp 3
        20035 deliveredUp 35M
        24000 sentDown 3
        24069 deliveredDown 69M
        25000 sentUp 4
        25035 deliveredUp 35M
        30000 sentDown 4, sentUp 5
        30035 deliveredDown 35M, deliveredUp 35M
        35000 sentUp 6
        35035 deliveredUp 35M
        36000 sentDown 5
        36069 deliveredDown 69M
        40000 available 39010M, herdBegan 1:0, sentUp 7
        22211 serverHeld 141M
        22246 failed 3:2
        24000 sentDown 3
        25000 sentUp 4
        26246 timerFired 0, connecting 1:3
        26923 serverAccepted 3, drift 1
        26989 opened 3, herdBack 1:6989M, silent 28674:6954M, resumed 3, recovered 6989M, deliveredDown 2989M
        27025 deliveredUp 7025M 2025M
        30000 sentDown 4, sentUp 5
        30035 deliveredDown 35M, deliveredUp 35M
        35000 sentUp 6
        35035 deliveredUp 35M
        36000 sentDown 5
        36069 deliveredDown 69M
        40000 available 13010M, herdBegan 1:0, sentUp 7
        42000 sentDown 6
        45000 sentUp 8
        48000 sentDown 7
        50000 serverHeld 23718M, herdBegan 1:0, sentUp 9
        50035 detected 10035M, zombie 10035M, silent 24580:10035M, closed 3:3
        52035 timerFired 0, connecting 1:4
        42000 sentDown 6
        45000 sentUp 8
        48000 sentDown 7
        50000 serverHeld 49704M, herdBegan 1:0, sentUp 9
        50035 detected 10035M, zombie 10035M, silent 24580:10035M, closed 3:1
        52035 timerFired 0, connecting 1:2
        52711 serverAccepted 4, drift 2
        52749 opened 4, herdBack 1:12749M, silent 28676:2714M, resumed 6, recovered 12749M, deliveredDown 10749M 4749M
        52785 lostUp 4:3674937296051M, deliveredUp 2785M
        54000 sentDown 8
        54069 deliveredDown 69M
        55000 sentUp 10
        55035 deliveredUp 35M
        60000 sentDown 9, sentUp 11
        60035 deliveredDown 35M, deliveredUp 35M
        65000 sentUp 12
        65035 deliveredUp 35M
        66000 sentDown 10
        66069 deliveredDown 69M
        70000 available 17250M, serverHeld 17929M, finished 70000M
        53211 serverAccepted 2, drift 2
        53269 opened 2, herdBack 1:13269M, silent 28676:3234M, resumed 6, recovered 13269M, deliveredDown 11269M 5269M
        53304 lostUp 4:3674937296051M, deliveredUp 3304M
        54000 sentDown 8
        54069 deliveredDown 69M
        55000 sentUp 10
        55035 deliveredUp 35M
        60000 sentDown 9, sentUp 11
        60035 deliveredDown 35M, deliveredUp 35M
        65000 sentUp 12
        65035 deliveredUp 35M
        66000 sentDown 10
        66069 deliveredDown 69M
        70000 available 16730M, serverHeld 17929M, finished 70000M
        """
}
