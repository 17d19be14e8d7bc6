/// All that is known of a condition, put together for who asks.
struct WatchedCondition {
  let key: ConditionKey
  let prepared: PreparedCondition
  var status: ConditionStatus

  var condition: Condition { prepared.condition }
}
