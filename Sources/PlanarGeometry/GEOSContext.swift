import CGEOS

/// A context that every call of GEOS needs; it keeps the last error message.
///
/// One thread may use it at a time. It costs little, so each computation has its own.
@safe
final class GEOSContext {
  /// The last message of GEOS, in an object of its own as GEOS keeps its address.
  @safe
  private final class Message {
    var text = ""
  }

  let handle: GEOSContextHandle_t
  private let message = Message()

  init() throws(PlanarGeometryError) {
    guard let handle = unsafe GEOS_init_r() else {
      throw PlanarGeometryError("no memory for a computation with shapes")
    }
    unsafe self.handle = handle
    // The message lives as long as the context that points to it.
    _ = unsafe GEOSContext_setErrorMessageHandler_r(
      handle,
      { text, address in
        guard let text = unsafe text, let address = unsafe address else { return }
        let message = unsafe Unmanaged<Message>.fromOpaque(address).takeUnretainedValue()
        unsafe message.text = String(cString: text)
      }, Unmanaged.passUnretained(message).toOpaque())
  }

  deinit {
    unsafe GEOS_finish_r(handle)
  }

  /// Whether GEOS stopped because it was interrupted.
  var wasInterrupted: Bool { message.text.hasPrefix("InterruptedException") }

  /// Computes something with GEOS, again if it was interrupted.
  ///
  /// The interrupt of another thread whose time is over may reach this one, which has no time limit.
  func completing(_ compute: () -> OpaquePointer?) -> OpaquePointer? {
    while true {
      message.text = ""
      if let result = unsafe compute() { return unsafe result }
      guard wasInterrupted else { return nil }
    }
  }

  /// The last message of GEOS, without the name of its exception.
  var error: PlanarGeometryError {
    var text = message.text
    while text.last?.isWhitespace == true { text.removeLast() }
    guard let colon = text.firstIndex(of: ":") else { return PlanarGeometryError(text) }
    return PlanarGeometryError(String(text[text.index(after: colon)...].drop { $0 == " " }))
  }
}
