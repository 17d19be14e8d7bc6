/// Gets what gpsd says as it was said, a line without its end, and what it means.
///
/// It is called between two reports, so it may neither block nor take long.
package typealias RawLineTap = @Sendable (_ line: [UInt8], _ message: GPSDMessage) -> Void
