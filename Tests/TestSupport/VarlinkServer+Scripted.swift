import ControlInterface
package import Varlink

extension VarlinkServer {
  /// A server of `io.geofenced` with a test's own methods; methods that aren't given fail.
  package static func scripted(_ methods: [String: VarlinkMethod]) throws -> VarlinkServer {
    let absent = VarlinkMethod.call { (_: NoParameters, call: VarlinkCall) -> NoParameters in
      throw VarlinkError(
        "org.varlink.service.MethodNotImplemented", ["method": call.method])
    }
    let names = GeofencedInterface.description
      .matches(of: /^method (\w+)/.anchorsMatchLineEndings()).map { String($0.1) }
    let all = Dictionary(uniqueKeysWithValues: names.map { ($0, methods[$0] ?? absent) })
    return try VarlinkServer(
      interfaces: [
        VarlinkInterface(text: GeofencedInterface.description, methods: all) { error in
          guard let error = error as? ControlError else {
            return VarlinkError("io.geofenced.InternalError", message: "\(error)")
          }
          return VarlinkError(error.name.qualified, message: error.description)
        }
      ],
      faults: GeofencedInterface.name,
      information: VarlinkInformation(vendor: "", product: "", version: "", url: ""),
      limits: .patient)
  }
}
