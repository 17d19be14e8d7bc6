import CLinux

/// The memory of this process.
package enum ProcessMemory {
  /// Makes all threads share two heaps, because each heap keeps the memory that it once took.
  ///
  /// To be called before threads are started. glibc makes up to eight heaps for each processor otherwise. Blocks
  /// of more than 1 MiB are in none, and are given back when they are freed.
  package static func boundHeaps() { linux_bound_heaps(2, 1 << 20) }

  /// Gives resident memory back that isn't in use: code that only the start needed, and freed memory.
  ///
  /// It takes a moment, and code that runs next is read from the file cache again: for when there is time.
  package static func release() { linux_release_memory() }

  /// Gives back freed memory alone, to measure how much is in use.
  package static func releaseHeap() { linux_release_heap() }
}
