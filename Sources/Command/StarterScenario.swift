import DeadzoneRuns

/// The scenario that `init` writes. It runs unchanged, and its comments name what can be changed. `doctor` uses it for
/// its self-test.
let starterScenario = """
    # yaml-language-server: $schema=\(schemaName)
    version: 1
    name: My first scenario
    about: Wi-Fi at home, a street with LTE, a short dead zone.
    duration: 20m
    replicas: 20            # runs of each strategy, each with another random seed

    phone:
      battery: 15.4Wh
      radios:               # `deadzone list profiles` lists all, `deadzone explain NAME` shows one
        wifi: wifi-oneplus-8
        cellular: lte-verizon-2021

    timeline:               # events of the phone, the same for every strategy
      - {at: 0s,  wifi: home, app: foreground}
      - {at: 3m,  handoff: cellular, gap: 400ms, old-path: silent}   # the dead socket still accepts writes
      - {at: 10m, dead-zone: 60s}
      - {at: 15m, app: background}

    traffic:                # messages from the server (down) and from the app (up)
      down: {every: 20s, arrivals: poisson, size: 300B}
      up: {every: 60s, arrivals: poisson, size: 200B}

    strategies:             # names and settings; `deadzone list strategies` lists all
      eager: {strategy: eager}
      patient: {strategy: patient, ping: 45s, timeout: 10s}

    expect:                 # if one is not met, the exit code is 1
      patient: {delivery.down.lost: 0, zombie.max: under 2m}
      eager: {zombie.max: over 2m}    # fails if the problem does not occur

    """
