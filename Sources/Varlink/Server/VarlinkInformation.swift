/// The answer of `org.varlink.service.GetInfo`: what a program tells about itself.
package struct VarlinkInformation: Sendable, Hashable, Encodable {
  package let vendor: String
  package let product: String
  package let version: String
  package let url: String

  /// The names of all served interfaces, filled in by the server.
  var interfaces: [String] = []

  package init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}

extension VarlinkInterface {
  private struct InterfaceName: Decodable {
    let interface: String
  }

  /// The interface that every service has, which tells about the other interfaces.
  static func service(
    _ information: VarlinkInformation, describing interfaces: [VarlinkInterface]
  ) throws(VarlinkDescriptionError) -> VarlinkInterface {
    let own = try VarlinkDescription(text: serviceText)
    let descriptions = [own] + interfaces.map(\.description)
    let texts = Dictionary(
      descriptions.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    var information = information
    information.interfaces = descriptions.map(\.name)
    return try VarlinkInterface(
      text: serviceText,
      methods: [
        "GetInfo": .call { [information] (_: NoParameters, _) in information },
        "GetInterfaceDescription": .call { (input: InterfaceName, _) in
          guard let text = texts[input.interface] else {
            throw VarlinkError.interfaceNotFound(input.interface)
          }
          return ["description": text]
        },
      ],
      failure: { .invalidParameter("", message: "\($0)") })
  }

  /// The standard interface (https://varlink.org/Service), described in our own words.
  private static let serviceText = """
    # What every service offers: who made it, and what it understands.
    interface org.varlink.service

    # Tells which program this is and which interfaces it serves.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Returns the text that describes an interface.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # No such interface is served.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The method is described, but can't be called (in this way).
    error MethodNotImplemented (method: string)

    # A parameter is unknown, missing, or of the wrong type or value.
    error InvalidParameter (parameter: string, message: ?string)

    # The caller may not do this.
    error PermissionDenied ()

    # The method replies more than once and must be called with "more".
    error ExpectedMore ()

    """
}
