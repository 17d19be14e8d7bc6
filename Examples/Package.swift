// swift-tools-version: 6.2

import PackageDescription

// A package of its own, as yours would be: it knows of geofenced what everybody does. Elsewhere the
// dependency would be
//   .package(url: "https://…/geofenced.git", from: "0.1.0")
let client = Target.Dependency.product(name: "GeofenceClient", package: "geofenced")

let package = Package(
  name: "geofenced-examples",
  dependencies: [.package(name: "geofenced", path: "..")],
  targets: [
    .target(name: "Console", dependencies: [client]),
    .executableTarget(name: "location-printer", dependencies: ["Console", client]),
    .executableTarget(name: "until-stationary", dependencies: ["Console", client]),
    .executableTarget(name: "first-fast-update", dependencies: ["Console", client]),
    .executableTarget(name: "stay-near", dependencies: ["Console", client]),
    .executableTarget(name: "greeter", dependencies: ["Console", client]),
    .target(name: "TripGuide", dependencies: [client]),
    .executableTarget(name: "trip-guide", dependencies: ["Console", "TripGuide", client]),
    .testTarget(
      name: "TripGuideTests",
      dependencies: [
        "TripGuide", client, .product(name: "GeofenceSimulation", package: "geofenced"),
      ]),
  ]
)
