import Dispatch
import Glibc
import Synchronization

/// The signals sent to this process, as a stream.
///
/// A signal counts from the moment `start` returns; before, it has its ordinary effect.
package final class ProcessSignals: Sendable {
  /// A signal that is answered.
  package enum Signal: CInt, Sendable, CaseIterable {
    case hangUp = 1
    case interrupt = 2
    case terminate = 15

    /// The process was stopped and goes on.
    case resume = 18

    /// The terminal has another size.
    case windowChange = 28
  }

  /// Those by which a process is asked to end, or a daemon to read its configuration again.
  package static let requests: [Signal] = [.hangUp, .interrupt, .terminate]

  /// The signals, in the order in which they came; at most 16 wait.
  package let stream: AsyncStream<Signal>
  private let sources: Mutex<[any DispatchSourceSignal]>

  private init(stream: AsyncStream<Signal>, sources: sending [any DispatchSourceSignal]) {
    self.stream = stream
    self.sources = Mutex(sources)
  }

  /// Takes over the signals, and returns only when none can be missed.
  package static func start(_ signals: [Signal] = requests) async -> ProcessSignals {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Signal.self, bufferingPolicy: .bufferingOldest(16))
    let queue = DispatchQueue(label: "geofenced.signals")
    var sources: [any DispatchSourceSignal] = []
    for signal in signals {
      let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
      source.setEventHandler { continuation.yield(signal) }
      // Right after activate() a signal can still end the process: the handler tells when not.
      await withCheckedContinuation { registered in
        source.setRegistrationHandler { registered.resume() }
        source.activate()
      }
      sources.append(source)
    }
    return ProcessSignals(stream: stream, sources: sources)
  }

  /// Ends this process as a signal does that nobody has taken over.
  package static func endProcess(by ending: Signal) -> Never {
    _ = signal(ending.rawValue, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, ending.rawValue)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(ending.rawValue)
    exit(128 + ending.rawValue)
  }

  /// Makes writing to a closed connection an error instead of the end of the process.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }
}
