import Foundation
import Glibc
import Testing

/// A Varlink client that this project didn't write: the package `varlink` of PyPI.
package enum PyPIVarlink {
  /// The interpreter that has it, from VARLINK_PYTHON or from bootstrap; the test is cancelled without one.
  package static func interpreterOrCancel() throws -> String {
    if let named = ProcessInfo.processInfo.environment["VARLINK_PYTHON"] { return named }
    let built = SystemBox.repository + ".build/varlink-client/bin/python3"
    guard access(built, X_OK) == 0 else {
      try Test.cancel("no Varlink client: run 'Scripts/bootstrap --tests'")
    }
    return built
  }
}
