import ControlInterface
import Varlink

/// The method that changes many conditions at once, as they are in a file.
extension ControlMethods {
  /// How many differences come in one reply.
  private static let differencePageSize = 1_000

  func change(
    _ parameters: Change.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<Change.Reply>
  ) async throws -> Change.Reply {
    let monitor = try monitor(parameters.monitor, of: owner(parameters.user, call))
    let limits = await monitoring.settings.limits
    let limit = Holding(
      conditions: limits.maximumConditionsPerUser, vertices: limits.maximumVerticesPerUser)
    let part = try StagedChange(
      of: monitor, adding: parameters.conditions ?? [], removing: parameters.remove ?? [])
    if parameters.unfinished == true {
      for (name, value) in [("sync", parameters.sync), ("dryRun", parameters.dryRun)]
      where value == true {
        throw VarlinkError.invalidParameter(name, message: "'\(name)' belongs to the last part")
      }
      var reply = Change.Reply()
      reply.change = try changes.stage(
        part, of: parameters.change, by: call, limit: limit, at: clock.uptime())
      return reply
    }
    var change = try changes.take(parameters.change, for: monitor, by: call, at: clock.uptime())
    try change.append(part)
    change.sort()
    let whole = change
    var reply = try await inTurn(of: call) {
      try await monitoring.apply(
        whole, sync: parameters.sync == true, isDryRun: parameters.dryRun == true,
        tellsDifferences: call.wantsMore)
    }
    let differences = reply.differences
    reply.differences = []
    guard call.wantsMore else { return reply }
    for start in stride(from: 0, to: differences.count, by: Self.differencePageSize) {
      var page = Change.Reply()
      page.differences = Array(differences[start...].prefix(Self.differencePageSize))
      try await replies.send(page)
    }
    return reply
  }
}
