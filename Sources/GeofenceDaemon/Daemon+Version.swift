import Varlink

extension Daemon {
  /// The version of the program.
  package static let version = "0.1.0"
}

extension VarlinkInformation {
  /// What one of the program's services tells about itself.
  init(product: String) {
    self.init(
      vendor: "geofenced", product: product, version: Daemon.version, url: "https://varlink.org")
  }
}
