"""Compares the model of Doze with battery histories of real phones: doze.py FOLDER adds the rows to FOLDER/truth.json and
writes FOLDER/README.md again. It takes a second and needs only the command, in DEADZONE_BINARY.

The numbers below were copied by hand from dumps in public repositories. The dumps themselves are not part of this
repository, because they contain names of apps and accounts. `deadzone day` reads the copied entries as a history of their
own and drives the model with the same screen and charger, and with the same jobs in windows.

Some times depend on a random number of the phone, or on alarms of other apps that a history does not list. For them,
`RULES` has the range that Android's source allows.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

TOLERANCE, TOLERATED_SECONDS = 0.05, 0.5

LIGHT, DEEP = [300, 600, 900, 900, 900], [3600, 7200, 14400, 21600, 21600]


def windows(times, window, most=900):
    """Ranges of times at the end of which an alarm waits for another one; the wait doubles each time."""
    return [[time, time + min(window << index, most)] for index, time in enumerate(times)]


def three_quarters(times):
    """Ranges of times at the end of which an alarm may be combined with others until Android 11."""
    return [[time, 1.75 * time] for time in times]


def early(times):
    """Ranges of times that are shortened by a random time (`fuzzForDuration` of AlarmManagerService, until Android 11)."""
    return [[time - min(time, 900 if time < 5400 else 1800), time] for time in times]


UNTIL_11 = "until Android 11, the alarm may come up to 75 % later, together with others"
AS_12 = "as in Android 12, the time is 1 min, and the alarm waits up to a minute for another one"
# Ranges of the rows by phone, in seconds, and the rule. A list with one range holds for all values.
RULES = {
    "a phone with Android 8": {
        "light Doze began after": (three_quarters([300]), UNTIL_11), "light Doze lasted": (three_quarters(LIGHT), UNTIL_11),
        "deep Doze lasted": (early(DEEP), "until Android 11, the time is shortened by a random time, up to 15 min, from 90 min on up to 30 min"),
    },
    "Samsung, One UI, Android 14": {
        "light Doze began after": (windows([60], 60), AS_12),
        "light Doze lasted": ([[time, None] for time in LIGHT], "as in Android 12, the alarm does not wake the phone, and waits for another one"),
    },
    "Xiaomi, HyperOS, Android 15, first": {"light Doze began after": (windows([60], 60), AS_12)},
    "Xiaomi, HyperOS, Android 15, second": {
        "light Doze began after": (windows([60], 60), AS_12 + ". The 75.5 s ended with the alarm of deep Doze"),
        "light Doze lasted": (windows(LIGHT, 60), "the alarm waits 1 min for another one, then 2 min, and so on"),
    },
}

# Each entry is a time in seconds and what changed. `stats` only ends the excerpt, `job` is the end of the last job in a window.
PHONES = [
    {
        "phone": "a phone with Android 8", "buffer": 256,
        "source": "lixw1021/DriverMiles batterystats.txt, 1 April 2018, at 84b7521",
        "entries": [
            (0, "+screen"), (10.4, "-screen"), (348.9, "light"), (702.9, "off"), (708.2, "light"), (1362.9, "off"),
            (1363.8, "job"), (1368.2, "light"), (2400.9, "off"), (2415.3, "job"), (2415.3, "light"), (3402.9, "off"),
            (3403.3, "job"), (3408.1, "light"), (3716.7, "full"),
            (6562.0, "off"), (6583.6, "job"), (6592.6, "full"), (13230.0, "off"), (13261.2, "+screen"), (13269.4, "-screen"),
            (13830.3, "job"), (13830.3, "full"),
            (23729.5, "+screen"), (23737.0, "-screen"), (27884.2, "+screen"), (27892.0, "-screen"), (28050.2, "off"),
            (28078.6, "job"), (28080.8, "full"), (30573.5, "+screen"), (30580.7, "-screen"), (34516.9, "+screen"), (34517.1, "off"),
        ],
    },
    {
        "phone": "a phone with Android 6", "buffer": 256, "form": "plain",
        "source": "tushargargght/BatteryUsageMonitor batterystats.txt, 6 November 2016, at 4c7a912",
        "entries": [(0, "+screen"), (2889.2, "-screen"), (6863.6, "full"), (8371.3, "+screen"), (8374.4, "off"), (8379.6, "-screen"), (8380, "stats")],
    },
    {
        "phone": "Samsung, One UI, Android 14", "buffer": 4096,
        "source": "earth-metabolome-initiative/emi-application-android batterystats.txt, 17 October 2024, at 0218a56",
        "entries": [
            (0, "+screen"), (6117.1, "-screen"), (6222.8, "light"), (6648.8, "off"), (6654.0, "light"), (8277.4, "off"),
            (8281.8, "job"), (8282.6, "light"), (8317.8, "full"), (11917.9, "off"), (11953.0, "job"), (11953.1, "full"),
            (19153.1, "off"), (19166.1, "job"), (19183.4, "full"), (33583.9, "off"), (33589.1, "job"), (33614.2, "full"),
            (55214.9, "off"), (55241.4, "job"), (55245.1, "full"), (66387.0, "stats"),
        ],
    },
    {
        "phone": "Xiaomi, HyperOS, Android 15, first history", "buffer": 4096, "out_of_service": True,
        "source": "Fishbonec/Bugreport-of-Andorid-smart-phone-by-ADB batterystats.txt, at a8b6f27",
        "entries": [
            (0, "+screen"), (1522.8, "-screen"), (1644.1, "light"), (1758.7, "+screen"), (1759.3, "off"), (1796.5, "-screen"),
            (1916.9, "light"), (1960.1, "+screen"), (1963.4, "off"), (2397.4, "-screen"), (2518.6, "light"), (2562.5, "+screen"),
            (2564.8, "off"), (3263.5, "-screen"), (3368.7, "light"), (3559.0, "+screen"), (3559.6, "off"),
        ],
    },
    {
        "phone": "Xiaomi, HyperOS, Android 15, second history", "buffer": 4096, "out_of_service": True,
        "source": "Fishbonec/Bugreport-of-Andorid-smart-phone-by-ADB batterystats4.txt, at a8b6f27",
        "entries": [
            (0, "+screen"), (20374.7, "-screen"), (20496.5, "light"), (20543.9, "+screen"), (20545.2, "off"), (21859.0, "-screen"),
            (21934.5, "light"), (21958.5, "+screen"), (21960.5, "off"), (22763.4, "-screen"), (22884.4, "light"), (22915.7, "+screen"),
            (22916.3, "off"), (22975.1, "-screen"), (23095.0, "light"), (23299.6, "+screen"), (23299.8, "off"), (23391.3, "-screen"),
            (23511.8, "light"), (23873.3, "off"), (23876.4, "job"), (23878.4, "light"), (23928.0, "+screen"), (23929.5, "off"),
        ],
    },
]

# Rows of the table, and the name of the list in the command's answer.
QUANTITIES = [
    ("light Doze began after", "light_entry_ms"), ("light Doze lasted", "light_idle_ms"), ("light windows", "light_windows_ms"),
    ("deep Doze began after", "deep_entry_ms"), ("deep Doze lasted", "deep_idle_ms"), ("deep windows", "deep_windows_ms"),
]


def history(phone):
    """The entries as a text of `dumpsys batterystats`."""
    def words(change):
        if change in ("light", "full", "off"):
            return ("+" if change == "full" else "-") + "device_idle" if phone.get("form") == "plain" else f"device_idle={change}"
        return {"stats": 'stats=0:"dump"', "job": '-job=1000:"com.example/.Job"'}.get(change, change)

    lines = [f"Battery History (0% used, 1KB used of {phone['buffer']}KB, 1 strings using 80):",
             "  0 (1) RESET:TIME: 2026-01-01-00-00-00"]
    if phone.get("out_of_service"):
        lines.append("  0 (1) 100 data_conn=oos")
    for at, change in phone["entries"]:
        milliseconds = round(at * 1000)
        lines.append(f"  +{milliseconds // 1000}s{milliseconds % 1000:03d}ms (1) 100 {words(change)}")
    return "\n".join(lines) + "\n\n"


def error(recorded, simulated):
    """The largest difference of two lists, as a part of the recorded value; None if the model has fewer values."""
    if len(simulated) < len(recorded):
        return None
    return max(((s - r) / r for r, s in zip(recorded, simulated)), key=abs)


def is_within(recorded, simulated):
    return len(recorded) <= len(simulated) and all(
        abs(s - r) <= max(TOLERANCE * r, 1000 * TOLERATED_SECONDS) for r, s in zip(recorded, simulated))


def rule(phone, name):
    """The ranges of a row and the rule behind them; no ranges if the source gives one number."""
    return next((rules[name] for start, rules in RULES.items() if phone.startswith(start) and name in rules), ([], ""))


def is_allowed(recorded, ranges):
    """True if each value is in its range, or at most 5 % outside."""
    ranges = ranges * len(recorded) if len(ranges) == 1 else ranges
    if len(ranges) < len(recorded):
        return False
    return all(
        low * (1 - TOLERANCE) <= value / 1000 and (high is None or value / 1000 <= high * (1 + TOLERANCE))
        for value, (low, high) in zip(recorded, ranges))


def doze_rows():
    """One row for each phone and quantity that its history shows."""
    for phone in PHONES:
        answer = subprocess.run(
            [os.environ["DEADZONE_BINARY"], "day", "-", "--json"], input=history(phone), capture_output=True, text=True, check=True)
        doze = json.loads(answer.stdout)["days"][0]["doze"]
        recorded, plain, adjusted = doze["recorded"], doze["simulated"], doze["simulated_with_recorded_times"]
        for name, key in QUANTITIES:
            if not recorded[key]:
                continue
            ranges, because = rule(phone["phone"], name)
            yield {
                "phone": phone["phone"], "source": phone["source"], "platform": doze["platform"], "row": name,
                "recorded": [value / 1000 for value in recorded[key]], "model": [value / 1000 for value in plain[key]],
                "adjusted": [value / 1000 for value in adjusted[key]], "model_error": error(recorded[key], plain[key]),
                "error": error(recorded[key], adjusted[key]), "within": is_within(recorded[key], adjusted[key]),
                "range": ranges[:1] if len(ranges) == 1 else ranges[:len(recorded[key])], "rule": because,
                "allowed": is_allowed(recorded[key], ranges)}


def main():
    from page import page

    folder = Path(sys.argv[1])
    document = json.loads((folder / "truth.json").read_text())
    document["doze"] = list(doze_rows())
    (folder / "truth.json").write_text(json.dumps(document, indent=1) + "\n")
    (folder / "README.md").write_text(page(document))


if __name__ == "__main__":
    main()
