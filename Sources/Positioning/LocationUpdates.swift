package import Geofencing

/// The locations of a source, as a sequence: `for await update in LocationUpdates(source)`.
///
/// Nothing is read before the loop begins, and leaving the loop stops the source. Each loop reads
/// the source for itself.
package struct LocationUpdates<Source: LocationSource>: AsyncSequence, Sendable {
  package typealias Element = LocationUpdate
  package typealias Failure = Never

  private let source: Source
  private let parameters: PositioningParameters
  private let diagnostics: ReceiverDiagnostics
  private let lastFix: Location?

  /// The updates of a source; what is known of the receiver is kept up to date in `diagnostics`.
  ///
  /// - Parameter lastFix: the last fix that was taken before, which the first has to follow.
  package init(
    _ source: Source, parameters: PositioningParameters = PositioningParameters(),
    diagnostics: ReceiverDiagnostics = ReceiverDiagnostics(), after lastFix: Location? = nil
  ) {
    self.source = source
    self.parameters = parameters
    self.diagnostics = diagnostics
    self.lastFix = lastFix
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(
      events: source.events().makeAsyncIterator(),
      pipeline: LocationPipeline(parameters: parameters, lastFix: lastFix),
      diagnostics: diagnostics)
  }

  /// Reads the source as updates are asked for.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: Source.Events.AsyncIterator
    fileprivate var pipeline: LocationPipeline
    fileprivate let diagnostics: ReceiverDiagnostics
    private var isFinished = false

    fileprivate init(
      events: Source.Events.AsyncIterator, pipeline: LocationPipeline,
      diagnostics: ReceiverDiagnostics
    ) {
      self.events = events
      self.pipeline = pipeline
      self.diagnostics = diagnostics
    }

    package mutating func next() async -> LocationUpdate? {
      await next(isolation: nil)
    }

    package mutating func next(isolation actor: isolated (any Actor)?) async -> LocationUpdate? {
      while !isFinished {
        let update: LocationUpdate?
        if let event = await events.next(isolation: actor) {
          update = pipeline.process(event)
        } else {
          isFinished = true
          update = pipeline.finish()
        }
        diagnostics.publish(pipeline.receiverStatus)
        if let update { return update }
      }
      return nil
    }
  }
}
