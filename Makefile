# Every target installs what it needs and this machine lacks, and says so. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PREFIX ?= /usr/local
SWIFT ?= swift

# An import that Package.swift does not declare is an error.
CHECKED := --explicit-target-dependency-import-check error
# Who compiles a module whole has its interface, too: a job of its own would read and check all of it a second time, for a tenth more.
WHOLE := -Xswiftc -no-emit-module-separately-wmo
# An index is for editors, and for whoever looks for tests. This build is only run, from nothing most of the time: modules whole and
# without what a debugger reads take half the processor time.
DEBUG := -c debug $(CHECKED) --disable-index-store -debug-info-format none \
	-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 $(WHOLE)
# Commands and tests are of one build: what runs is what was tested. That tests may look inside costs a run nothing (the elevator
# scenario: 1,245.5 million instructions, 1,245.0 without). Nobody walks frames by their pointers: 3 % fewer instructions.
RELEASE := -c release $(CHECKED) -Xswiftc -enable-testing $(WHOLE) --omit-frame-pointers
SOURCES := Package.swift Sources Tests

.PHONY: help demo build test gate gate-speed speed baseline laws mutants bench truth rivals herds clusters format lint install uninstall dist dist-test packages

help:
	@echo "make demo      builds, runs the elevator scenario and prints its comparison"
	@echo "make build     leaves the command at .build/release/deadzone"
	@echo "make test      builds and tests; outside oracles run where Python is"
	@echo "make gate      compares the shipped scenarios with their baseline; make baseline saves it anew"
	@echo "make gate-speed  counts the instructions of a few runs and holds them to those kept; make speed keeps them anew"
	@echo "make laws      looks for broken laws in more histories than make test"
	@echo "make mutants   plants faults and says which the tests do not notice; ROOMS=\"Replay Device\" only there"
	@echo "make bench     measures speed, each figure beside a bare loop of the same work"
	@echo "make truth     runs kernels and clients beside their models, for some twenty minutes, into Results/truth"
	@echo "make rivals    judges our own client beside every preset in every world, for half an hour, into Results/rivals"
	@echo "make herds     measures herds of a thousand to a million clients, into Results/herds.md"
	@echo "make clusters  divides a run on Slurm and on Ray, both on this machine alone, and compares it with the whole"
	@echo "make format    formats all sources; make lint only checks them"
	@echo "make install   installs the command, its manual, completions, scenarios and guide below PREFIX=$(PREFIX)"
	@echo "make dist      leaves a release in .build/dist: tarball, Debian package, source, checksums; make dist-test tries it"

demo: build
	.build/release/deadzone run Scenarios/handoff/elevator.yaml

build: packages
	$(SWIFT) build $(RELEASE) --product deadzone
	@SWIFT=$(SWIFT) .ci/alone deadzone

# Products by name: `--build-tests` would build all libraries a second time, for the plug-in. Oracles come over the network while
# the compiler works.
test:
	@.ci/packages yaml pcap zlib sqlite python browser tshark ip slurm
	@mkdir -p .build; .ci/oracles >.build/oracles.python & oracles=$$!; \
	set -x; \
	$(SWIFT) build $(RELEASE) --product deadzonePackageTests; \
	$(MAKE) build; \
	$(SWIFT) build $(DEBUG) --product deadzone; \
	$(SWIFT) build $(DEBUG) --product deadzone-bench; \
	.build/release/deadzone laws; \
	wait $$oracles; \
	if [ -s .build/oracles.python ]; then export DEADZONE_PYTHON=$$(cat .build/oracles.python); fi; \
	SWIFT=$(SWIFT) DEADZONE_DEBUG=$$PWD/.build/debug/deadzone .ci/tests

# What this repository asks of itself: a number that has moved is a behaviour that has changed.
GATED := Scenarios/handoff Scenarios/doze Results/baseline/presets.yaml Results/baseline/quiet.yaml \
	--baseline Results/baseline/shipped.json
gate: build
	mkdir -p .build
	.build/release/deadzone compare $(GATED) --gates Results/baseline/gates.yaml -q --out .build/gate

baseline: build
	.build/release/deadzone baseline save $(GATED) --replace

# What a run takes, in instructions: walls say as much of the machine as of the program.
gate-speed: build
	@.ci/packages valgrind
	.ci/speed

speed: build
	@.ci/packages valgrind
	.ci/speed --save

# Longer than what `make test` looks through: every history of four upheavals.
laws: build
	.build/release/deadzone laws --length 4

# One build for all faults, and then seconds for each; what it came to: Tests/Mutants/README.md.
mutants: packages
	.ci/mutants $(ROOMS)

bench: packages
	$(SWIFT) build $(RELEASE) --product deadzone-bench
	@SWIFT=$(SWIFT) .ci/alone deadzone-bench
	.build/release/deadzone-bench

# It waits in real time, all of it at once; Linux, without root where that allows user namespaces.
truth: build
	@.ci/packages python
	@[ "$$(uname -s)" != Linux ] || .ci/packages clients || echo "those of Go and Java are left out" >&2
	DEADZONE_BINARY=$$PWD/.build/release/deadzone $$(DEADZONE_REQUIRE_ORACLES=1 .ci/oracles Tests/Truth/requirements.txt truth) \
		Tests/Truth/truth.py Results/truth

rivals: build
	DEADZONE_BINARY=$$PWD/.build/release/deadzone python3 Tests/Rivals/rivals.py Results/rivals

# Minutes, and gigabytes for a million phones; HERD=1000 for a small one.
herds: build
	python3 Results/herds/herds.py .build/release/deadzone $(HERD)

# As root; Ray's wheel is 70 MB, and 285 MB when it is unpacked.
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

# ADDRESS is where the release's files will be fetched from; without it there is no formula.
dist: build
	.ci/dist $(ADDRESS)

# Installs what `make dist` made into a Debian 12 that has nothing else, and uses it there; as root.
dist-test:
	Tests/Packages/fresh-root

packages:
	@.ci/packages yaml pcap zlib sqlite
