// swift-tools-version: 6.2

import PackageDescription

/// What every Swift target is built with: the Swift 6 language, the features that Swift 7 turns on,
/// and no warning left standing.
let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .treatAllWarnings(as: .error),
]

/// Sources also mark every use of an unsafe construct; tests don't (`#expect` around C calls).
let strict = common + [.strictMemorySafety()]

/// What computes is optimised in debug builds too where `make` asks for it, as most tests wait for that.
///
/// By default it isn't: no package may depend on a version of this one that has unsafe flags.
let computing = strict + fast(["-O"])

/// Tests have no debug information there, which takes an eighth of the time of building them: what fails says itself
/// where it stands.
///
/// The driver is given -g behind the flags of a target, so it is the compiler itself that is told.
let testing = common + fast(["-Xfrontend", "-gnone"])

func fast(_ flags: [String]) -> [SwiftSetting] {
  Context.environment["GEOFENCED_OPTIMIZED"] == nil
    ? [] : [.unsafeFlags(flags, .when(configuration: .debug))]
}

let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "geofenced",
  products: [
    .executable(name: "geofenced", targets: ["geofenced"]),
    .library(name: "GeofenceClient", targets: ["GeofenceClient"]),
    .library(name: "GeofenceSimulation", targets: ["GeofenceSimulation"]),
  ],
  targets: [
    // The rules: values and decisions, no I/O.
    .target(
      name: "CGeodesic", cxxSettings: [.treatAllWarnings(as: .error)],
      linkerSettings: [.linkedLibrary("GeographicLib")]),
    .target(name: "CProcessor", cSettings: cSettings),
    .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),
    .target(name: "PlanarGeometry", dependencies: ["CGEOS"], swiftSettings: computing),
    .target(
      name: "Geofencing", dependencies: ["CGeodesic", "CProcessor", "PlanarGeometry"],
      swiftSettings: computing),

    // The machine: knows Linux, not geofences.
    .systemLibrary(name: "CLibGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .target(name: "CGPSDClient", dependencies: ["CLibGPS"], cSettings: cSettings),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CINIH", pkgConfig: "inih", providers: [.apt(["libinih-dev"])]),
    .target(name: "CLinux", cSettings: cSettings),
    .target(name: "LinuxSystem", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "JSONCoding", swiftSettings: computing),
    .target(name: "XML", dependencies: ["CExpat"], swiftSettings: strict),
    .target(name: "Systemd", dependencies: ["CSystemd", "LinuxSystem"], swiftSettings: strict),

    // The adapters: join the two.
    .target(
      name: "Positioning",
      dependencies: ["CGPSDClient", "Geofencing", "JSONCoding", "LinuxSystem", "XML"],
      swiftSettings: strict),
    .target(
      name: "MonitorStorage", dependencies: ["Geofencing", "JSONCoding", "LinuxSystem", "SQLite"],
      swiftSettings: strict),
    .target(
      name: "GeographicFiles",
      dependencies: ["CommandLineParsing", "Geofencing", "JSONCoding", "LinuxSystem", "XML"],
      swiftSettings: strict),
    .target(
      name: "EventDelivery", dependencies: ["Geofencing", "JSONCoding", "LinuxSystem", "Systemd"],
      swiftSettings: strict),
    .target(name: "Varlink", dependencies: ["JSONCoding", "LinuxSystem"], swiftSettings: strict),
    .target(
      name: "ControlInterface", dependencies: ["Geofencing", "JSONCoding", "Varlink"],
      resources: [.embedInCode("io.geofenced.varlink")], swiftSettings: strict),
    .target(
      name: "GeofenceReport", dependencies: ["Geofencing", "JSONCoding"],
      resources: [.embedInCode("report.css"), .embedInCode("report.js")], swiftSettings: strict),

    // The public library.
    .target(
      name: "GeofenceClient",
      dependencies: ["ControlInterface", "Geofencing", "LinuxSystem", "Varlink"],
      swiftSettings: strict),

    // The programs.
    .target(name: "CommandLineParsing", dependencies: ["JSONCoding"], swiftSettings: strict),
    .target(
      name: "GeofenceDaemon",
      dependencies: [
        "CINIH", "CommandLineParsing", "ControlInterface", "EventDelivery", "Geofencing",
        "JSONCoding", "LinuxSystem", "MonitorStorage", "Positioning", "SQLite", "Systemd",
        "Varlink",
      ],
      swiftSettings: strict),
    .target(
      name: "GeofenceCommands",
      dependencies: [
        "CommandLineParsing", "ControlInterface", "GeofenceDaemon", "GeofenceReport", "Geofencing",
        "GeographicFiles", "JSONCoding", "LinuxSystem", "Positioning", "Systemd", "Varlink",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "geofenced", dependencies: ["CommandLineParsing", "GeofenceCommands", "LinuxSystem"],
      swiftSettings: strict),

    // The public library's test support: the daemon's rules in the program's own process.
    .target(
      name: "GeofenceSimulation",
      dependencies: [
        "GeofenceClient", "GeofenceDaemon", "Geofencing", "LinuxSystem", "Positioning",
      ],
      swiftSettings: strict),

    // The tests: unit, in process, simulation, system.
    .target(
      name: "TestSupport",
      dependencies: ["ControlInterface", "Geofencing", "LinuxSystem", "Varlink"],
      path: "Tests/TestSupport", swiftSettings: common),
    .executableTarget(
      name: "generate-track",
      dependencies: ["CommandLineParsing", "Geofencing", "LinuxSystem", "TestSupport"],
      path: "Tests/TrackGenerator", swiftSettings: common),
    .executableTarget(
      name: "event-handler", dependencies: ["GeofenceClient"], path: "Tests/EventHandler",
      swiftSettings: common),
    .target(
      name: "HostileInputs",
      dependencies: [
        "ControlInterface", "GeofenceCommands", "GeofenceDaemon", "Geofencing", "GeographicFiles",
        "JSONCoding", "MonitorStorage", "Positioning",
      ],
      path: "Fuzz/HostileInputs", swiftSettings: common),
    .target(
      name: "BenchmarkSupport", dependencies: ["CommandLineParsing", "LinuxSystem"],
      path: "Benchmarks/Support", swiftSettings: common),
    .target(
      name: "QualityBenchmark",
      dependencies: [
        "BenchmarkSupport", "CommandLineParsing", "GeofenceCommands", "GeofenceDaemon",
        "Geofencing", "JSONCoding", "Positioning", "TestSupport",
      ],
      path: "Benchmarks/Quality", swiftSettings: common),
    .executableTarget(
      name: "bench-quality", dependencies: ["CommandLineParsing", "QualityBenchmark"],
      path: "Benchmarks/bench-quality", swiftSettings: common),
    .target(
      name: "ShapeBenchmark", dependencies: ["Geofencing", "PlanarGeometry"],
      path: "Benchmarks/Shapes", swiftSettings: common),
    .executableTarget(
      name: "bench-shapes", dependencies: ["ShapeBenchmark"], path: "Benchmarks/bench-shapes",
      swiftSettings: common),
    .target(
      name: "DeliveryBenchmark",
      dependencies: [
        "BenchmarkSupport", "CommandLineParsing", "ControlInterface", "Geofencing", "JSONCoding",
        "LinuxSystem", "TestSupport", "Varlink",
      ],
      path: "Benchmarks/Delivery", swiftSettings: common),
    .executableTarget(
      name: "bench-delivery", dependencies: ["CommandLineParsing", "DeliveryBenchmark"],
      path: "Benchmarks/bench-delivery", swiftSettings: common),
    .target(
      name: "ConditionBenchmark",
      dependencies: [
        "BenchmarkSupport", "CommandLineParsing", "Geofencing", "JSONCoding", "LinuxSystem",
        "TestSupport",
      ],
      path: "Benchmarks/Conditions", swiftSettings: common),
    .executableTarget(
      name: "bench-conditions", dependencies: ["CommandLineParsing", "ConditionBenchmark"],
      path: "Benchmarks/bench-conditions", swiftSettings: common),
    .target(
      name: "LatencyBenchmark",
      dependencies: [
        "BenchmarkSupport", "CommandLineParsing", "ConditionBenchmark", "ControlInterface",
        "Geofencing", "JSONCoding", "LinuxSystem", "MonitorStorage", "SQLite", "TestSupport",
      ],
      path: "Benchmarks/Latency", swiftSettings: common),
    .executableTarget(
      name: "bench-latency", dependencies: ["CommandLineParsing", "LatencyBenchmark"],
      path: "Benchmarks/bench-latency", swiftSettings: common),
    .testTarget(
      name: "GeofencingTests",
      dependencies: ["Geofencing", "JSONCoding", "PlanarGeometry", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "LinuxSystemTests", dependencies: ["LinuxSystem", "TestSupport"], swiftSettings: testing
    ),
    .testTarget(
      name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "SystemdTests", dependencies: ["LinuxSystem", "Systemd", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PositioningTests",
      dependencies: ["Geofencing", "LinuxSystem", "Positioning", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "JSONCodingTests", dependencies: ["JSONCoding", "TestSupport"], swiftSettings: testing),
    .testTarget(name: "XMLTests", dependencies: ["XML"], swiftSettings: testing),
    .testTarget(
      name: "GeographicFilesTests",
      dependencies: ["Geofencing", "GeographicFiles", "TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "MonitorStorageTests",
      dependencies: ["Geofencing", "JSONCoding", "MonitorStorage", "SQLite", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "GeofenceReportTests",
      dependencies: ["GeofenceReport", "Geofencing", "TestSupport"],
      exclude: ["browse.py"], swiftSettings: testing),
    .testTarget(
      name: "VarlinkTests", dependencies: ["LinuxSystem", "TestSupport", "Varlink"],
      swiftSettings: testing),
    .testTarget(
      name: "CommandLineParsingTests", dependencies: ["CommandLineParsing", "GeofenceCommands"],
      swiftSettings: testing),
    .testTarget(
      name: "ControlInterfaceTests",
      dependencies: ["ControlInterface", "Geofencing", "JSONCoding", "TestSupport", "Varlink"],
      swiftSettings: testing),
    .testTarget(
      name: "EventDeliveryTests",
      dependencies: ["EventDelivery", "Geofencing", "JSONCoding", "LinuxSystem", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "GeofenceDaemonTests",
      dependencies: [
        "CommandLineParsing", "ControlInterface", "EventDelivery", "GeofenceCommands",
        "GeofenceDaemon", "GeofenceReport", "Geofencing", "JSONCoding", "LinuxSystem",
        "MonitorStorage", "Positioning", "SQLite", "Systemd", "TestSupport", "Varlink",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "GeofenceCommandsTests",
      dependencies: [
        "CommandLineParsing", "ControlInterface", "GeofenceCommands", "GeofenceDaemon",
        "GeofenceReport", "Geofencing", "GeographicFiles", "JSONCoding", "LinuxSystem",
        "Positioning", "TestSupport", "Varlink",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "GeofenceClientTests",
      dependencies: [
        "ControlInterface", "GeofenceClient", "GeofenceSimulation", "Geofencing", "LinuxSystem",
        "TestSupport", "Varlink",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "ControlInterface", "GeofenceCommands", "GeofenceDaemon", "Geofencing", "GeographicFiles",
        "Positioning", "TestSupport", "Varlink",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "QualityTests",
      dependencies: [
        "CommandLineParsing", "GeofenceDaemon", "Geofencing", "Positioning", "QualityBenchmark",
        "TestSupport",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "HostileInputsTests", dependencies: ["HostileInputs", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "BenchmarkSupportTests",
      dependencies: ["BenchmarkSupport", "LinuxSystem", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "DeliveryBenchmarkTests",
      dependencies: [
        "CommandLineParsing", "DeliveryBenchmark", "GeofenceDaemon", "TestSupport", "Varlink",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ConditionBenchmarkTests",
      dependencies: ["CommandLineParsing", "ConditionBenchmark", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "LatencyBenchmarkTests",
      dependencies: ["CommandLineParsing", "Geofencing", "LatencyBenchmark"],
      swiftSettings: testing),
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "ControlInterface", "GeofenceClient", "Geofencing", "LinuxSystem", "SQLite", "TestSupport",
        "Varlink",
      ],
      swiftSettings: testing),
  ],
  cxxLanguageStandard: .cxx17
)

// Links only beside libFuzzer: see `make fuzz`.
if Context.environment["GEOFENCED_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: ["HostileInputs"], path: "Fuzz/fuzz",
      swiftSettings: common + [.unsafeFlags(["-parse-as-library"])]))
}
