/// A key that means something while watching.
enum WatchKey: Sendable, Hashable {
  case quit
  case suspend
  case redraw
  case help
  case up
  case down
  case pageUp
  case pageDown
}
