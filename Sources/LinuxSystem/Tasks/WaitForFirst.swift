/// Runs all of these until the first one ends, then cancels the others and waits for them.
package func waitForFirst(_ bodies: @Sendable () async -> Void...) async {
  await withTaskGroup { group in
    for body in bodies { group.addTask { await body() } }
    await group.next()
    group.cancelAll()
  }
}
