/// Journals of `JournalStories`.
extension JournalStories {
    static let handoffJournal = """
        0 connecting 1
        101 drift 0
        121 opened 1, herdBack 121M, silent 28672:121M
        11000 sentDown 0
        11079 deliveredDown 79M
        17000 sentUp 0
        17020 deliveredUp 20M
        20500 networkTold 1, available 20378M, detected 0, zombie 0, closed 1:1, herdBegan 1:0, connecting 1:2, promotion 1:0
        20936 serverHeld 20916M, drift 0
        20971 opened 2, herdBack 1:471M, silent 28675:471M, resumed 1, recovered 471M
        22000 sentDown 1
        22069 deliveredDown 69M
        33000 sentDown 2
        33416 promotion 1:0
        33676 deliveredDown 676M
        34000 sentUp 1
        34035 deliveredUp 35M
        40250 networkTold 0, herdBegan 1:0, available 19278M, closed 2, connecting 1:3
        40285 serverHeld 19489M
        40351 drift 0
        40371 opened 3, herdBack 1:121M, silent 28676:121M, resumed 3
        44000 sentDown 3
        44052 deliveredDown 52M
        51000 sentUp 2
        51020 deliveredUp 20M
        52000 herdBegan 1:0, available 11628M
        55000 sentDown 4
        61000 herdBegan 1:0, blocked 9000M, herdBack 1:9000M, silent 20485:9000M
        63303 recovered 2303M, deliveredDown 8303M
        66000 sentDown 5
        66068 deliveredDown 68M
        68000 sentUp 3
        68020 deliveredUp 20M
        70000 networkTold 1, herdBegan 1:0, available 9000M, detected 0, zombie 0, closed 3, connecting 1:4, promotion 1:0
        70436 serverHeld 30166M, drift 0
        70471 opened 4, herdBack 1:471M, silent 28679:471M, resumed 6, recovered 471M
        77000 sentDown 6
        77069 deliveredDown 69M
        85000 sentUp 4
        85035 deliveredUp 35M
        88000 sentDown 7
        88069 deliveredDown 69M
        90000 herdBegan 1:0, available 19528M
        99000 sentDown 8
        102000 sentUp 5
        108069 timerFired 1:0, pinged 0
        110000 sentDown 9
        111000 herdBegan 1:0, blocked 21000M, herdBack 1:21000M, silent 20488:21000M
        113069 timerFired 2:0, promotion 1:0, falseDrop 4, available 2069M, closed 4
        113364 serverHeld 43069M
        115000 herdBegan 1:0, silent 28672:1930M
        115069 timerFired 0, connecting 1:5
        119000 sentUp 6
        121000 sentDown 10
        128000 herdBegan 1:0, silent 20490:13000M
        130000 herdBegan 1:0, silent 28682:2000M
        132000 sentDown 11
        135069 timerFired 3:0
        136000 sentUp 7
        139000 herdBegan 1:0, silent 20492:9000M
        139069 timerFired 0, serverHeld 23964M, connecting 1:6
        139246 drift 4
        139281 opened 6, herdBack 1:24281M, silent 28684:281M, resumed 8, recovered 281M
        139282 deliveredDown 40282M 29282M 18282M 7282M
        139318 deliveredUp 37318M 20318M 3318M
        140000 networkTold 1, serverHeld 895M, available 718M, detected 0, zombie 0, closed 3:6, herdBegan 1:0, connecting 1:7
        140176 drift 0
        140211 opened 7, herdBack 1:211M, silent 28686:211M, resumed 12, recovered 211M
        143000 sentDown 12
        143069 deliveredDown 69M
        150000 networkTold 2:1 1
        153000 sentUp 8
        153035 deliveredUp 35M
        170000 sentUp 9, promotion 1:0
        170295 deliveredUp 295M
        180000 available 39788M, serverHeld 39964M, finished 180000M
        """

    static let pocketJournal = """
        0 connecting 1, promotion 1:0
        436 drift 0
        471 opened 1, herdBack 471M, silent 28672:471M
        65000 available 64528M, networkTold 5:1
        70000 zombie 5000M, suspended 9000M
        120471 woke 12:0, zombieFrozen 50471M, silent 4099:55471M, suspended 2:50471M, networkTold 6:1, detected 55471M, zombie 0, closed 1:1, timerFired 1:0
        121471 awake 12:1000M
        122471 woke 12:0, suspended 1000M, timerFired 0, connecting 2, promotion 1:0
        122802 awake 12:330M
        122873 awake 5:71M
        122908 serverHeld 122613M, drift 0
        122943 awake 6:70M, opened 2, silent 28675:2471M, resumed 0, recovered 57943M
        123471 awake 8:528M
        132471 available 9528M, networkTold 5:1
        133471 zombie 1000M, suspended 10000M
        150000 herdBegan 1:0
        151176 promotion 1:0
        151436 woke 11:0, zombieFrozen 17964M, silent 4099:18964M, suspended 2:17964M, networkTold 6:1, detected 18964M, zombie 0, closed 1:2, pushed 1436M, connecting 1:3
        151506 awake 11:70M
        151577 awake 5:71M
        151613 serverHeld 28846M, drift 0
        151648 awake 6:70M, opened 3, herdBack 1:1648M, silent 28675:211M, resumed 0, recovered 19176M
        154436 awake 8:2788M
        181436 suspended 27000M, available 29788M
        250000 sentDown 0
        251016 promotion 1:0
        251276 woke 1:0, awake 1:0
        251311 serverHeld 99839M
        251346 awake 9:70M, zombieFrozen 69910M, silent 4099:69910M, suspended 2:69910M, detected 69910M, zombie 0, closed 1:3, pushed 35M, connecting 1:4
        251416 awake 11:70M
        251488 awake 5:71M
        251523 drift 1
        251558 awake 6:70M, opened 4, silent 28675:211M, resumed 0, recovered 70122M, awake 8:151200, deliveredDown 1558M
        254346 awake 1:2787M
        281346 suspended 27000M, available 29788M
        330000 woke 13:0
        330500 awake 13:500M
        371558 woke 12:0, zombieFrozen 90212M, silent 4099:90212M, suspended 2:90212M, detected 90212M, zombie 0, closed 1:4, timerFired 1:0
        372558 awake 12:1000M
        373558 woke 12:0, suspended 1000M, timerFired 0, connecting 1:5, promotion 1:0
        373888 awake 12:330M
        373960 awake 5:71M
        373995 serverHeld 122613M, drift 0
        374030 awake 6:70M, opened 5, silent 28675:2471M, resumed 1, recovered 92684M
        374558 awake 8:528M
        384558 suspended 10000M, available 10528M
        390536 promotion 1:0
        390796 woke 16:0
        390831 probeAnswered 831M
        391296 awake 16:500M
        400000 herdBegan 1:0
        400069 woke 11:0
        400569 awake 11:500M
        420000 sentUp 0
        494030 woke 12:0, zombieFrozen 109471M, silent 4099:109471M, suspended 2:109471M, detected 109471M, zombie 0, closed 1:5, timerFired 1:0
        495030 awake 12:1000M
        496030 woke 12:0, suspended 1000M, timerFired 0, connecting 1:6, promotion 1:0
        496360 awake 12:330M
        496432 awake 5:71M
        496467 serverHeld 122613M, drift 0
        496502 awake 6:70M, opened 6, herdBack 1:96502M, silent 28675:2471M, resumed 1, recovered 111943M
        496537 deliveredUp 76537M
        496629 awake 8:127M
        497129 awake 1:500M
        500000 sentDown 1
        500069 woke 1:0, suspended 2940M, deliveredDown 69M
        500569 awake 1:500M
        507030 suspended 6460M, available 10528M
        551346 networkTold 5:1
        600000 networkTold 2:1, woke 12:0, herdBegan 1:0
        601000 awake 12:1000M, zombieFrozen 93969M, silent 4099:93969M, suspended 2:93969M, detected 93969M, zombie 0, closed 1:6, pushed 201000M
        606000 awake 11:5000M
        626000 silent 20483:25000M
        640000 networkTold 1, herdBegan 1:0
        640500 networkTold 3:1
        641000 awake 12:35000M
        660000 woke 13:0, promotion 1:0
        660830 awake 13:830M
        661000 window 60000M
        750000 sentDown 2
        780936 promotion 1:0
        781196 woke 16:0
        781231 probeAnswered 1231M
        781696 awake 16:500M
        840000 sentUp 1
        920000 silent 4099:294000M, suspended 2:289000M, killed 0, herdBegan 1:0
        990000 woke 13:0
        990500 awake 13:500M
        1001000 networkTold 6:1, silent 8206:81000M, relaunched 0, herdBegan 1:0, connecting 1:7, promotion 1:0
        1001436 serverHeld 505111M, drift 3
        1001471 opened 7, herdBack 1:401471M, silent 28686:471M, resumed 0, recovered 361471M
        1001472 duplicatedDown 2, reorderedDown 1, deliveredDown 251472M, fresh 472M
        1001507 deliveredUp 161507M
        1100000 available 98528M, closed 7, promotion 1:0, killed 0, networkTold 5:1, herdBegan 1:0
        1100295 serverHeld 98999M
        1170056 promotion 1:0
        1170351 probeAnswered 351M
        1200000 networkTold 6:1, silent 8209:100000M, relaunched 0, fresh 0, herdBegan 1:0, connecting 1:8, promotion 1:0
        1200436 drift 3
        1200471 opened 8, herdBack 1:100471M, silent 28689:471M, resumed 0
        1200472 duplicatedDown 3, reorderedDown 2
        1260000 sentUp 2, promotion 1:0
        1260295 deliveredUp 295M
        1320000 promotion 1:0
        1380371 timerFired 1:0, pinged 0, promotion 1:0
        1380701 ponged 330M
        1500000 available 299528M, serverHeld 299704M, finished 1500000M
        """

    static let iPhoneJournal = """
        0 connecting 1, promotion 1:0
        436 drift 0
        471 opened 1, herdBack 471M, silent 28672:471M
        30000 herdBegan 1:0
        39000 networkTold 0, available 38528M, closed 1:1
        39300 timerFired 4:0, connecting 1:2
        39401 serverHeld 39106M, drift 0
        39421 opened 2, herdBack 1:9421M, silent 28674:421M, resumed 0
        55000 sentUp 0
        55071 deliveredUp 71M
        56000 available 16578M, closed 2
        56020 serverHeld 16699M
        86000 awake 12:29000M, silent 28672:30000M
        90000 sentDown 0
        90030 woke 11:0, silent 4100:4030M, suspended 1:4030M, pushed 30M, connecting 1:3
        90070 awake 11:40M
        90112 awake 5:41M
        90132 drift 1
        90152 awake 6:40M, opened 3, silent 28676:121M, resumed 0, awake 8:151200, deliveredDown 152M
        93030 awake 1:2877M
        105030 timerFired 8:0, available 14878M, closed 3
        105050 serverHeld 14999M
        110000 sentUp 1
        120000 herdBegan 1:0
        120030 awake 12:27000M, silent 28672:15000M
        120033 woke 11:0, silent 4100:3M, suspended 1:3M, pushed 33M, connecting 1:4
        120073 awake 11:40M
        120115 awake 5:41M
        120135 drift 0
        120155 awake 6:40M, opened 4, herdBack 1:155M, silent 28676:121M, resumed 1
        120196 awake 8:41M
        120227 deliveredUp 10227M
        123033 awake 1:2836M
        135033 timerFired 8:0, available 14878M, closed 4
        135053 serverHeld 14999M
        150033 awake 12:27000M, silent 28672:15000M
        165000 sentUp 2
        180000 sentDown 1
        180039 silent 4100:30006M, suspended 1:30006M, pushed 39M, connecting 1:5
        180141 drift 1
        180161 opened 5, silent 28676:121M, resumed 1
        180162 deliveredDown 162M
        180233 deliveredUp 15233M
        181000 fresh 0, herdBegan 1:0, pinged 0
        181040 ponged 40M
        220000 sentUp 3
        220071 deliveredUp 71M
        230000 networkTold 2:0, available 49838M
        260000 networkTold 0, blocked 30000M, herdBack 1:79000M, silent 20488:30000M
        260300 timerFired 4:0
        270000 sentDown 2
        270049 deliveredDown 49M
        275000 sentUp 4
        275071 deliveredUp 71M
        290000 networkTold 2:0, available 30000M
        330000 networkTold 2:0, herdBegan 1:0, blocked 40000M, silent 20490:40000M, sentUp 5
        331000 networkTold 1, detected 1000M, zombie 1000M, silent 16395:1000M, closed 1:5
        331300 timerFired 4:0, connecting 1:6, promotion 1:0
        331736 serverHeld 151676M, drift 0
        331771 opened 6, herdBack 1:1771M, silent 28683:771M, resumed 3, recovered 771M
        331888 deliveredUp 1888M
        360000 sentDown 3
        361096 promotion 1:0
        361356 deliveredDown 1356M
        370000 available 38228M, closed 6
        370035 serverHeld 38439M
        371000 silent 28672:1000M, killed 0, herdBegan 1:0
        385000 sentUp 6
        420000 relaunched 0, silent 8205:49000M, fresh 0, herdBegan 1:0, connecting 1:7, promotion 1:0
        420436 drift 4
        420471 opened 7, herdBack 1:49471M, silent 28685:471M, resumed 0
        420472 duplicatedDown 4, reorderedDown 3
        420588 deliveredUp 35588M
        440000 sentUp 7, promotion 1:0
        440376 deliveredUp 376M
        450000 sentDown 4
        450069 deliveredDown 69M
        495000 sentUp 8, promotion 1:0
        495376 deliveredUp 376M
        500000 available 79528M, serverHeld 79704M, finished 500000M
        """
}
