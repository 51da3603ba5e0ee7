import DeadzoneRuns

/// A scenario that runs as it stands and says what can be changed. `doctor` checks itself with it.
let starterScenario = """
    # yaml-language-server: $schema=\(schemaName)
    version: 1
    name: My first scenario
    about: Wi-Fi at home, a street with LTE, a short dead zone.
    duration: 20m
    replicas: 20            # each strategy runs so many times, each time in other weather

    phone:
      battery: 15.4Wh
      radios:               # `deadzone list profiles` names them, `deadzone explain NAME` shows one
        wifi: wifi-galaxy-s2
        cellular: lte-verizon-2021

    timeline:               # what happens to the phone, whatever its client does
      - {at: 0s,  wifi: home, app: foreground}
      - {at: 3m,  handoff: cellular, gap: 400ms, old-path: silent}   # the dead socket still takes writes
      - {at: 10m, dead-zone: 60s}
      - {at: 15m, app: background}

    traffic:                # what the server and the app want to tell each other
      down: {every: 20s, arrivals: poisson, size: 300B}
      up: {every: 60s, arrivals: poisson, size: 200B}

    strategies:             # `deadzone list strategies`; each with its settings
      eager: {strategy: eager}
      patient: {strategy: patient, ping: 45s, timeout: 10s}

    expect:                 # decides the exit code
      patient: {delivery.down.lost: 0, zombie.max: under 2m}
      eager: {zombie.max: over 2m}    # the pain must be there, or the scenario proves nothing

    """
