# Every target installs missing packages and reports them. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PREFIX ?= /usr/local
SWIFT ?= swift

# An import that Package.swift does not declare is an error.
CHECKED := --explicit-target-dependency-import-check error
# A compilation of a whole module also emits its interface. A separate job would parse and check the module again, which
# costs a tenth more.
WHOLE := -Xswiftc -no-emit-module-separately-wmo
# Editors and test discovery need an index; this build is only run, usually from scratch. Whole-module compilation
# without debug information takes half the processor time.
DEBUG := -c debug $(CHECKED) --disable-index-store -debug-info-format none \
	-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 $(WHOLE)
# The command and the tests come from one build, so the tested code is the shipped code. Testability costs a run nothing
# (elevator scenario: 1,245.5 million instructions, 1,245.0 without). No tool walks stack frames by frame pointer, so
# they are omitted: 3 % fewer instructions.
RELEASE := -c release $(CHECKED) -Xswiftc -enable-testing $(WHOLE) --omit-frame-pointers
SOURCES := Package.swift Sources Tests

.PHONY: help demo build test same part gate gate-speed speed baseline record captures laws mutants bench peers truth upstream predict rivals tune-rivals hunt-rates studio-speed herds compare-rates across clusters format lint install uninstall dist dist-test packages

help:
	@echo "make demo       Build, run the elevator scenario, print the comparison"
	@echo "make build      Build the command at .build/release/deadzone"
	@echo "make test       Build and run the full test suite; outside oracles run if Python is installed"
	@echo "make same       Compare the results of all scenarios without optimisation, on 8 threads and with plain memory"
	@echo "make part       Build and run the tests of MODULES=\"Fit Compare\" without optimisation; FILTER=name runs those that match"
	@echo "make gate       Compare the shipped scenarios with their baseline; make baseline saves a new baseline"
	@echo "make gate-speed Count the instructions of a few runs and compare them with the saved counts; make speed saves new counts"
	@echo "make record     Write all golden results, snapshots, baselines, instruction counts and generated pages, and list what changed"
	@echo "make captures   Replay three captures of DEADZONE_CAPTURES into Results/captures.md"
	@echo "make laws       Search for broken laws in more histories than make test"
	@echo "make mutants    Plant faults and list those that no test detects; ROOMS=\"Replay Device\" limits the modules, DRAW=1 draws faults"
	@echo "make bench      Measure speed, each figure beside a bare loop of the same work"
	@echo "make peers      Compare herds with ns-3, SimPy and salabim, and captures with libpcap, dpkt and tshark, in instructions"
	@echo "make truth      Run kernels and clients beside their models into Results/truth (an hour); CLIENTS=\"phoenix nats.go\" only these"
	@echo "make upstream   List the version that each preset was read at and run at, and the newest one"
	@echo "make predict    Predict real clients with settings that fit estimates, into Results/fit.md (ten minutes)"
	@echo "make rivals     Compare our own client with every preset in every scenario into Results/rivals (half an hour)"
	@echo "make tune-rivals  Compare the search of tune with random search and Optuna into Results/tune.md"
	@echo "make hunt-rates  Measure the search of hunt and what breaks the shipped clients into Results/hunt.md"
	@echo "make studio-speed  Measure the studio in a browser into Results/studio.md (ten minutes)"
	@echo "make herds      Measure herds of a thousand to a million clients into Results/herds.md"
	@echo "make across     Repeat ten scenarios on every radio profile into Results/across (minutes)"
	@echo "make compare-rates  Measure false alarms and misses of compare into Results/compare.md (half an hour)"
	@echo "make clusters   Split a run on Slurm and on Ray, both on this machine alone, and compare it with the undivided run"
	@echo "make format     Format all sources; make lint only checks them"
	@echo "make install    Install the command, its manual, completions, scenarios and guide below PREFIX=$(PREFIX)"
	@echo "make dist       Create a release in .build/dist: tarball, Debian package, source, checksums; make dist-test tests it"

demo: build
	.build/release/deadzone run Scenarios/handoff/elevator.yaml

build: packages
	$(SWIFT) build $(RELEASE) --product deadzone
	@SWIFT=$(SWIFT) .ci/alone deadzone

# Products are built by name, so that nothing is built twice. The benchmark is built to show that it compiles. The oracles
# are downloaded while the compiler works.
test:
	@.ci/packages yaml pcap zlib sqlite python browser tshark ip slurm
	@mkdir -p .build; .ci/oracles >.build/oracles.python & oracles=$$!; \
	set -x; \
	$(SWIFT) build $(RELEASE) --product deadzonePackageTests; \
	$(MAKE) build; \
	$(SWIFT) build $(RELEASE) --product deadzone-bench; \
	.build/release/deadzone laws; \
	wait $$oracles; \
	if [ -s .build/oracles.python ]; then export DEADZONE_PYTHON=$$(cat .build/oracles.python); fi; \
	SWIFT=$(SWIFT) .ci/tests

# Results must not depend on optimisation, on the number of threads or on the memory of phones.
same: build
	$(SWIFT) build $(DEBUG) --product deadzone
	.ci/digests >.build/digests
	.ci/digests .build/release/deadzone --jobs 8 | diff .build/digests -
	DEADZONE_MEMORY=plain .ci/digests | diff .build/digests -
	.ci/digests .build/debug/deadzone | diff .build/digests -

# A folder of its own: another list of test targets would make `make test` link again. Without optimisation a change of
# one module is compiled in seconds. SwiftPM finds the tests of a debug build in the index.
part: packages
	DEADZONE_MODULES="$(MODULES)" $(SWIFT) build $(DEBUG:--disable-index-store=) --scratch-path .build/part \
		--product deadzonePackageTests
	.build/part/debug/deadzonePackageTests.xctest --testing-library swift-testing $(if $(FILTER),--filter "$(FILTER)")

# The gate of this repository itself: a changed number means changed behaviour.
GATED := Scenarios/handoff Scenarios/doze Results/baseline/presets.yaml Results/baseline/quiet.yaml \
	--baseline Results/baseline/shipped.json
gate: build
	mkdir -p .build
	.build/release/deadzone compare $(GATED) --gates Results/baseline/gates.yaml -q --out .build/gate

baseline: build
	.build/release/deadzone baseline save $(GATED) --replace

# Golden results, snapshots, generated pages, the baseline and the instruction counts. Read the difference before a commit.
record: packages
	@.ci/packages python valgrind browser
	$(SWIFT) build $(RELEASE) --product deadzonePackageTests
	$(MAKE) build
	SWIFT=$(SWIFT) .ci/record

# Three captures that are not in the repository: DEADZONE_CAPTURES is their folder.
captures: build
	python3 Results/captures/captures.py .build/release/deadzone

# Instructions per run. Wall-clock time depends on the machine as much as on the program.
gate-speed: build
	@.ci/packages valgrind
	.ci/speed

speed: build
	@.ci/packages valgrind
	.ci/speed --save

# A larger search than in `make test`: all histories of four events.
laws: build
	.build/release/deadzone laws --length 4

# One build for all faults, then seconds for each. Results: Tests/Mutants/README.md.
mutants: packages
	.ci/mutants $(if $(DRAW),--draw $(DRAW)) $(if $(COUNT),--count $(COUNT)) $(ROOMS)

bench: packages
	$(SWIFT) build $(RELEASE) --product deadzone-bench
	@SWIFT=$(SWIFT) .ci/alone deadzone-bench
	.build/release/deadzone-bench

# Debian only. Takes five minutes.
peers: build
	@.ci/packages python valgrind ns3
	@DEADZONE_REQUIRE_ORACLES=1 .ci/packages tshark
	python3 Results/speed/peers.py .build/release/deadzone \
		$$(DEADZONE_REQUIRE_ORACLES=1 .ci/oracles Results/speed/peers/requirements.txt peers)

# Runs in real time, all worlds in parallel. Linux only; needs no root if user namespaces are allowed.
truth: build
	@.ci/packages python
	@[ "$$(uname -s)" != Linux ] || .ci/packages clients || echo "skipping the Go, Java and JavaScript clients" >&2
	DEADZONE_BINARY=$$PWD/.build/release/deadzone $$(DEADZONE_REQUIRE_ORACLES=1 .ci/oracles Tests/Truth/requirements.txt truth) \
		Tests/Truth/truth.py Results/truth $(CLIENTS)

# Needs Python only. Without a network, it says that the newest version is not available.
upstream:
	@python3 -B Tests/Truth/upstream.py Results/truth

# Runs in real time, all clients side by side. Linux only. FOLDER keeps the recordings; without it they are made anew.
predict: build
	@.ci/packages python servers
	DEADZONE_BINARY=$$PWD/.build/release/deadzone $$(DEADZONE_REQUIRE_ORACLES=1 .ci/oracles Tests/Predict/requirements.txt predict-clients) \
		Tests/Predict/predict.py Results/fit.md $(FOLDER)

rivals: build
	DEADZONE_BINARY=$$PWD/.build/release/deadzone python3 Tests/Rivals/rivals.py Results/rivals

# Needs the Python packages optuna and moocore. SEEDS=10 repeats each search ten times.
tune-rivals: build
	python3 Results/tune/rivals.py .build/release/deadzone Results/tune $(SEEDS)

# Takes about an hour on two cores.
hunt-rates: build
	python3 Results/hunt/hunt.py .build/release/deadzone $(SEEDS)

# Needs Chromium. EDITS=100 is a shorter run.
studio-speed: build
	@.ci/packages browser
	python3 Tests/Oracles/studio_speed.py .build/release/deadzone $(EDITS) >Results/studio.md

# Takes minutes, and gigabytes of memory for a million phones. HERD=1000 runs a small herd.
herds: build
	python3 Results/herds/herds.py .build/release/deadzone $(HERD)

# REPLICAS=4 is a quick run that decides less.
across: build
	python3 Results/across/across.py .build/release/deadzone $(REPLICAS)

# More than a thousand comparisons of unchanged and of changed clients. SEEDS=10 is a shorter run.
compare-rates: build
	python3 Results/compare/compare.py .build/release/deadzone $(SEEDS)

# Runs as root. Ray's wheel is 70 MB, and 285 MB unpacked.
clusters: build
	@DEADZONE_REQUIRE_ORACLES=1 .ci/packages slurm python
	Tests/Clusters/slurm .build/release/deadzone 64 Scenarios/handoff/elevator.yaml --replicas 64
	Tests/Clusters/ray $$(DEADZONE_REQUIRE_ORACLES=1 .ci/oracles Tests/Clusters/requirements.txt ray) \
		.build/release/deadzone 16 Scenarios/handoff/elevator.yaml --replicas 64

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

install: build
	.ci/stage "$(DESTDIR)" "$(PREFIX)"

uninstall:
	cd "$(DESTDIR)$(PREFIX)" && rm -rf bin/deadzone share/deadzone share/doc/deadzone share/man/man1/deadzone{,-*}.1.gz \
		share/bash-completion/completions/deadzone share/zsh/site-functions/_deadzone share/fish/vendor_completions.d/deadzone.fish

# ADDRESS is the URL from which the release's files will be fetched. Without it no formula is written.
dist: build
	.ci/dist $(ADDRESS)

# Installs the output of `make dist` into an empty Debian 12 and uses it there. Runs as root.
dist-test:
	Tests/Packages/fresh-root

packages:
	@.ci/packages yaml pcap zlib sqlite
