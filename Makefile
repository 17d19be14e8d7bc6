# What can be done here; `make help` lists it.

PREFIX = /usr
DESTDIR =
# A variable of its own because it isn't below the prefix.
SYSCONFDIR = /etc
UNITDIR = $(PREFIX)/lib/systemd/system
SYSUSERSDIR = $(PREFIX)/lib/sysusers.d
CATALOGDIR = $(PREFIX)/lib/systemd/catalog
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions
MANDIR = $(PREFIX)/share/man
DOCDIR = $(PREFIX)/share/doc/geofenced

# Every step builds with the same flags, so that they share what is built.
SWIFTFLAGS = --explicit-target-dependency-import-check error
# The rules compute most of what the tests wait for: they are optimised in debug builds too.
export GEOFENCED_OPTIMIZED = 1
DEBUG_BINARY = .build/debug/geofenced
BINARY = .build/release/geofenced
# The libraries for other packages, and where their documentation is built.
LIBRARIES = GeofenceClient GeofenceSimulation
DOCS = .build/docs
# Where the modules of C libraries are described.
C_MODULES = $(dir $(wildcard Sources/*/module.modulemap .build/debug/*.build/module.modulemap))
# The manual pages, and the configuration file, are written by the program itself.
MANUAL_PAGES = geofenced.1 geofenced.conf.5
# The services name the program, wherever it is installed.
SERVICES = geofenced.service geofenced-launch@.service
SOCKETS = geofenced.socket geofenced-launch.socket
RECORDINGS =
# Tests that only compute. They run by themselves, so that those that wait for sockets, time and other
# programs don't also wait for them.
COMPUTING = ^(GeofencingTests|GeographicFilesTests|HostileInputsTests|JSONCodingTests|QualityTests)\.

SWIFT_FILES = Package.swift Sources Tests Benchmarks Fuzz Examples/Package.swift Examples/Sources Examples/Tests
SHELL_FILES = .ci/run Scripts/bootstrap Scripts/build-deb Scripts/check-units Scripts/demo \
  Scripts/run-tests Scripts/system-box \
  packaging/preinst packaging/postinst packaging/prerm packaging/postrm

.PHONY: help
help:
	@echo 'make demo               a drive through a city, watched by a real daemon (about a minute)'
	@echo 'make test               every test; those that boot a box need root, else they are cancelled'
	@echo 'make examples           the programs of Examples/'
	@echo 'make test-recordings RECORDINGS=FOLDER   replay receiver recordings'
	@echo 'make test-memory        the tests but the system ones, with each access to memory checked'
	@echo 'make fuzz [INPUT=recording] [SECONDS=60]  look for what a damaged input breaks'
	@echo 'make bench-quality      how good the decisions are, beside other rules; writes Docs/Quality.md'
	@echo 'make bench [SIZES=100,10000 ROUNDS=1]    a million conditions, beside other indexes and servers;'
	@echo '                        writes Docs/Performance.md'
	@echo 'make bench-shapes       how long it takes to judge shapes of up to 100,000 corners'
	@echo 'make bench-delivery     what subscribers that are stopped or slow cost the others'
	@echo 'make bench-latency      from a fix to an event, idleness, starts; writes Docs/Latency.md'
	@echo 'make check              lint, imports, scripts, warnings, generated files, units, docs'
	@echo 'make docs               the Swift libraries as DocC, in $(DOCS)'
	@echo 'make build | release    a debug build | a release build in $(BINARY)'
	@echo 'make deb                a Debian package of the release build, in .build'
	@echo 'make install [DESTDIR=] [PREFIX=/usr]    and uninstall'
	@echo 'make format             format the sources'
	@echo 'make generate           write Manual/ and config/ anew from the program'
	@echo 'make clean              remove everything that was built'

.PHONY: bootstrap
bootstrap:
	@Scripts/bootstrap

.PHONY: build
build: bootstrap
	swift build $(SWIFTFLAGS)

# The Swift standard library is linked statically; Debian's C libraries stay dynamic. They are bound at the
# start, so that the tables of their functions can't be written to afterwards.
.PHONY: release
release: bootstrap
	swift build $(SWIFTFLAGS) -c release --static-swift-stdlib --product geofenced \
	  -Xlinker -z -Xlinker now

# What it holds is what `make install` installs; packaging/ has what is the package's own.
.PHONY: deb
deb: release
	@Scripts/build-deb '$(BINARY)' .build

.PHONY: demo
demo: build
	@Scripts/demo

# The same seeds give the same page: what `git diff` shows, a change of the rules has done.
.PHONY: bench-quality
bench-quality: bootstrap
	swift build $(SWIFTFLAGS) -c release --product bench-quality
	.build/release/bench-quality --markdown Docs/Quality.md

# A look at some sizes leaves the page as it is.
SIZES = 100,10000,100000,1000000
ROUNDS = 3
BENCH_PAGE = $(if $(findstring command,$(origin SIZES) $(origin ROUNDS)),,--markdown Docs/Performance.md)
.PHONY: bench
bench: bootstrap
	@Scripts/bootstrap --bench
	$(MAKE) --no-print-directory -C Benchmarks/Peers
	swift build $(SWIFTFLAGS) -c release --product bench-conditions
	.build/release/bench-conditions --sizes $(SIZES) --rounds $(ROUNDS) $(BENCH_PAGE)

.PHONY: bench-shapes
bench-shapes: bootstrap
	swift build $(SWIFTFLAGS) -c release --product bench-shapes
	.build/release/bench-shapes

# The daemon that is measured is the release build.
.PHONY: bench-delivery
bench-delivery: release
	swift build $(SWIFTFLAGS) -c release --product bench-delivery
	.build/release/bench-delivery

# The C program of the same shape is measured beside it.
.PHONY: bench-latency
bench-latency: release
	@$(MAKE) --no-print-directory -C Benchmarks/Peers floor
	swift build $(SWIFTFLAGS) -c release --product bench-latency
	.build/release/bench-latency --markdown Docs/Latency.md

# The programs of Examples/ are built as anybody's would be: from outside, with the package as a
# dependency. What was built of that for the tests is taken as it is; Scripts/check-imports sees to it that
# they import only what others can.
EXAMPLES = --package-path Examples --scratch-path .build
.PHONY: examples
examples: bootstrap
	swift build $(EXAMPLES) --build-tests --disable-xctest

# The system tests install the release build and run the examples, so these come first. They start many
# programs, and run by themselves so that the others have the machine to themselves too.
.PHONY: test
test: release examples
	@Scripts/bootstrap --tests
	Scripts/run-tests examples $(EXAMPLES) --disable-xctest
	Scripts/run-tests computing $(SWIFTFLAGS) --disable-xctest --filter '$(COMPUTING)'
	Scripts/run-tests unit $(SWIFTFLAGS) --disable-xctest --skip '^SystemTests' --skip '$(COMPUTING)'
	Scripts/run-tests system $(SWIFTFLAGS) --disable-xctest --filter '^SystemTests'

# Whether memory is read or written outside of what is there, or after its end. Swift's own key paths copy values
# over each other, and what Foundation keeps of files and programs isn't ours: neither is told of.
.PHONY: test-memory
test-memory: bootstrap
	@Scripts/bootstrap --tests
	ASAN_OPTIONS=replace_intrin=0:detect_leaks=0 \
	  Scripts/run-tests memory $(SWIFTFLAGS) --disable-xctest --sanitize=address \
	  --scratch-path .build/memory --skip '^SystemTests'

.PHONY: test-recordings
test-recordings: bootstrap
	@test -d '$(RECORDINGS)' || { echo 'make test-recordings: give RECORDINGS=FOLDER' >&2; exit 1; }
	RECORDINGS="$$(realpath -- '$(RECORDINGS)')" \
	  Scripts/run-tests recordings $(SWIFTFLAGS) --disable-xctest --filter Recording

# libFuzzer changes the inputs of Fuzz/Seeds, keeps those that reach other code in .build/fuzz, and what ends the
# program there too, as crash-*, which `INPUT=… .build/fuzz/release/fuzz FILE` reads again.
INPUT = recording
SECONDS = 60
.PHONY: fuzz
fuzz: bootstrap
	@test -d 'Fuzz/Seeds/$(INPUT)' || { \
	  echo 'make fuzz: INPUT= is one of' $(notdir $(wildcard Fuzz/Seeds/*)) >&2; exit 1; }
	GEOFENCED_FUZZ=1 swift build $(SWIFTFLAGS) -c release --scratch-path .build/fuzz --product fuzz \
	  -Xswiftc -sanitize=fuzzer
	@mkdir -p '.build/fuzz/$(INPUT)'
	INPUT='$(INPUT)' SWIFT_BACKTRACE=enable=no .build/fuzz/release/fuzz -max_total_time='$(SECONDS)' \
	  -max_len=8000 -timeout=25 -artifact_prefix=.build/fuzz/ '.build/fuzz/$(INPUT)' 'Fuzz/Seeds/$(INPUT)'

# Tests are built too: their warnings count as well.
.PHONY: check
check: bootstrap
	@Scripts/bootstrap --tests
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	Scripts/check-imports
	shellcheck $(SHELL_FILES)
	swift build $(SWIFTFLAGS) --build-tests --disable-xctest
	@$(MAKE) --no-print-directory check-generated
	Scripts/check-units
	@$(MAKE) --no-print-directory docs

.PHONY: check-generated
check-generated:
	@rm -rf .build/generated
	@$(MAKE) --no-print-directory write-generated GENERATED=.build/generated
	diff -r -u Manual .build/generated/Manual
	diff -r -u config .build/generated/config

.PHONY: generate
generate: build
	@$(MAKE) --no-print-directory write-generated GENERATED=.

.PHONY: write-generated
write-generated:
	@mkdir -p '$(GENERATED)/Manual' '$(GENERATED)/config'
	@for page in $(MANUAL_PAGES); do \
	  $(DEBUG_BINARY) manual $$page >'$(GENERATED)/Manual/'$$page || exit 1; done
	@$(DEBUG_BINARY) manual geofenced.conf >'$(GENERATED)/config/geofenced.conf'

# What the compiler knows of the modules that were built is extracted, which is much faster than
# building them for it.
.PHONY: docs
docs: build
	@Scripts/bootstrap --tests
	rm -rf '$(DOCS)'
	for library in $(LIBRARIES); do \
	  mkdir -p $(DOCS)/symbols/$$library && \
	  swift symbolgraph-extract -module-name $$library -I .build/debug/Modules $(C_MODULES:%=-I %) \
	    -target $$(uname -m)-unknown-linux-gnu -minimum-access-level public \
	    -skip-synthesized-members -output-dir $(DOCS)/symbols/$$library || exit 1; \
	done
	Scripts/check-docs $(LIBRARIES:%=$(DOCS)/symbols/%)
	for library in $(LIBRARIES); do \
	  docc convert Sources/$$library/$$library.docc --warnings-as-errors \
	    --additional-symbol-graph-dir $(DOCS)/symbols/$$library \
	    --fallback-display-name $$library --fallback-bundle-identifier geofenced.$$library \
	    --output-dir $(DOCS)/$$library.doccarchive || exit 1; \
	done

.PHONY: format
format:
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

$(BINARY):
	@$(MAKE) --no-print-directory release

.PHONY: install
install: $(BINARY)
	install -D -s -m 755 '$(BINARY)' '$(DESTDIR)$(PREFIX)/bin/geofenced'
	install -d '$(DESTDIR)$(UNITDIR)'
	for unit in $(SERVICES); do \
	  sed 's|/usr/bin/geofenced|$(PREFIX)/bin/geofenced|' systemd/$$unit \
	    >'$(DESTDIR)$(UNITDIR)/'$$unit && chmod 644 '$(DESTDIR)$(UNITDIR)/'$$unit || exit 1; \
	done
	for unit in $(SOCKETS); do \
	  install -m 644 systemd/$$unit '$(DESTDIR)$(UNITDIR)/'$$unit || exit 1; \
	done
	install -D -m 644 systemd/geofenced.sysusers '$(DESTDIR)$(SYSUSERSDIR)/geofenced.conf'
	install -D -m 644 systemd/geofenced.catalog '$(DESTDIR)$(CATALOGDIR)/geofenced.catalog'
	install -d '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf.d'
	# An administrator's configuration stays; a new one is put beside it.
	if cmp -s config/geofenced.conf '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf'; then \
	  rm -f '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf.new'; \
	elif [ -e '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf' ]; then \
	  install -m 644 config/geofenced.conf '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf.new'; \
	else \
	  install -m 644 config/geofenced.conf '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf'; \
	fi
	for page in $(MANUAL_PAGES); do \
	  installed="$(DESTDIR)$(MANDIR)/man$${page##*.}/$$page"; \
	  install -d "$$(dirname "$$installed")" && \
	  sed 's|/usr/share/doc/geofenced|$(DOCDIR)|' Manual/$$page >"$$installed" && \
	  chmod 644 "$$installed" || exit 1; \
	done
	install -d '$(DESTDIR)$(COMPLETIONDIR)'
	'$(BINARY)' completion bash >'$(DESTDIR)$(COMPLETIONDIR)/geofenced'
	chmod 644 '$(DESTDIR)$(COMPLETIONDIR)/geofenced'
	install -D -m 644 LICENSE '$(DESTDIR)$(DOCDIR)/LICENSE'
	install -m 644 README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md '$(DESTDIR)$(DOCDIR)/'
	# Where README.md and they themselves look for them.
	install -d '$(DESTDIR)$(DOCDIR)/Docs/Decisions'
	install -m 644 Docs/*.md '$(DESTDIR)$(DOCDIR)/Docs/'
	install -m 644 Docs/Decisions/*.md '$(DESTDIR)$(DOCDIR)/Docs/Decisions/'
	for file in $$(find Examples/README.md Examples/Package.swift Examples/Sources Examples/Tests \
	  Sources/ControlInterface/*.varlink Sources/GeofenceClient/GeofenceClient.docc -type f); do \
	  install -D -m 644 "$$file" '$(DESTDIR)$(DOCDIR)/'"$$file" || exit 1; \
	done
	@if [ -z '$(DESTDIR)' ] && [ -d /run/systemd/system ]; then \
	  echo 'Now: systemd-sysusers && journalctl --update-catalog && systemctl daemon-reload &&'; \
	  echo '     systemctl enable --now geofenced.socket geofenced-launch.socket geofenced.service &&'; \
	  echo '     systemctl try-restart geofenced.service'; \
	fi

# The configuration, the state and the user stay.
.PHONY: uninstall
uninstall:
	@if [ -z '$(DESTDIR)' ] && [ -d /run/systemd/system ]; then \
	  systemctl disable --quiet --now $(SERVICES:geofenced-launch@.service=) $(SOCKETS) || true; \
	fi
	rm -f '$(DESTDIR)$(PREFIX)/bin/geofenced'
	for unit in $(SERVICES) $(SOCKETS); do rm -f '$(DESTDIR)$(UNITDIR)/'$$unit; done
	rm -f '$(DESTDIR)$(SYSCONFDIR)/geofenced/geofenced.conf.new'
	rm -f '$(DESTDIR)$(SYSUSERSDIR)/geofenced.conf' '$(DESTDIR)$(CATALOGDIR)/geofenced.catalog'
	rm -f '$(DESTDIR)$(COMPLETIONDIR)/geofenced'
	for page in $(MANUAL_PAGES); do rm -f "$(DESTDIR)$(MANDIR)/man$${page##*.}/$$page"; done
	rm -rf '$(DESTDIR)$(DOCDIR)'
	@if [ -z '$(DESTDIR)' ] && [ -d /run/systemd/system ]; then \
	  systemctl daemon-reload; journalctl --update-catalog; \
	fi

.PHONY: clean
clean:
	rm -rf .build .build-* Examples/.build
