import DeadzoneDocuments
import DeadzonePrimitives

extension Entry {
    static let gateGuide = Entry(
        topic: .guides, name: "gates", summary: "bounds over many scenarios, for `compare --gates FILE`",
        page: """
            A file of gates says what may be merged:

                version: 1
                ignore: 1%                      # changes of less than this are no news (the default)
                gates:
                  - {scenarios: "*", delivery.down.lost: 0, zombie.max: within 5% of baseline}
                  - {scenarios: "Elevator*", strategies: tuned, battery.percent_per_hour: under 0.5%/h}
                  - {scenarios: "doze/*", strategies: tuned, battery.joules: at most 60% of naive}
                  - {scenarios: "Night*", level: warn, battery.joules: within 2% of baseline}
                  - {scenarios: "Night, lossy", level: off, delivery.down.lost: 0}

            scenarios     a pattern: `*` is any text, `?` one character. It is held against the name of each scenario and
                          against the end of its path.
            strategies    a pattern of strategy names; all, if it is left out.
            level         error (the default) ends with 1; warn is told; off switches an earlier gate off.
            anything else is a metric with its bound, in the words of a scenario's `expect`:
                          0, under 15s, at most 3, over 2m, at least 99%, 1s to 3s: absolute;
                          within 2% of baseline, at most 105% of baseline: against what was kept;
                          at most 60% of naive: against another strategy of the run.

            Of several gates for one metric of one strategy the last one counts: say first what holds in general, then where
            it does not. What the scenarios themselves `expect` is checked as well.

            A gate that matches nothing, a misspelt metric, a missing baseline is an error and never a pass. What the baseline
            does not have, or has of another world, a gate `of baseline` cannot decide: that is said, and does not fail. A changed strategy is none: that is what is to be compared. A bound is held against exact numbers, not
            against an interval: the same replicas give the same numbers. A failing gate names its worst replica and the
            command that repeats it.

            `deadzone schema gates` prints a JSON Schema for editors.

            """)

    static let baselineGuide = Entry(
        topic: .guides, name: "baseline", summary: "what scenarios came to, kept in a file",
        page: """
                deadzone baseline save Scenarios --baseline base.json    # commit base.json
                deadzone baseline diff Scenarios --baseline base.json    # what is different, and where it begins
                deadzone compare Scenarios --baseline base.json          # is it real, and is it worse

            The file is sorted JSON of a few kilobytes for each strategy: every metric over all replicas and, where they
            differ, of each; the digest of everything that happened in a replica; and four hexadecimal digits for each
            minute of it. Replicas are runs of their own: the command that a report names repeats one alone.

            Results are exact, so a changed number is a changed behaviour. `diff` names the metrics, and for each strategy
            the first minute in which something else happens, with what happens there now. With a trace kept from before
            (run --events before.ndjson) it names the first event, before and now: baseline diff … --trace before.ndjson.

            `compare` says whether a difference is more than these replicas' luck: replicas of one seed met the same
            weather, so they are compared in pairs. Shown are the means over replicas before and now, their difference and
            where it lies, how many replicas agree, and p: the share of exchanges of before and now that would differ as
            much, adjusted by Holm for the number of metrics that differ. Interval and p are of one test: it holds zero
            where the replicas cannot tell. With another --seed any replica may change places with any.

                +  better      !  worse      *  different, and neither direction is better
                ~  undecided: it may be chance; never a failure
                .  not by chance, and less than `ignore`

            A world hash covers phone, timeline, traffic, server, profiles and duration; a scenario of another world is not
            compared, nor is one that is new or gone, nor such a strategy. The others are. The table and its last line say
            what was left out; it fails nothing, unless nothing at all is left to compare. `baseline save mine.yaml` saves
            that one anew and keeps the rest, `--replace` removes the rest. A strategy hash covers a strategy's settings; that it changes is the point.

            """)
}
