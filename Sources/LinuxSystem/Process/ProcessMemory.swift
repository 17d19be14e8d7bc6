import CLinux

/// The memory of this process.
package enum ProcessMemory {
  /// Has all threads share a few heaps, before others are started: each one keeps what it once took.
  ///
  /// By itself there are eight for each processor. What is large is in none, and given back when it is freed.
  package static func boundHeaps() { linux_bound_heaps(2, 1 << 20) }

  /// Gives back what is resident and not in use: code that only the start needed, and freed memory.
  ///
  /// It takes a moment, and what runs next is read from the file cache again: for when there is time.
  package static func release() { linux_release_memory() }

  /// Gives back freed memory alone: for who measures what something takes.
  package static func releaseHeap() { linux_release_heap() }
}
