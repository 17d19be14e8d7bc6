import CLinux

/// The memory of this process.
package enum ProcessMemory {
  /// Gives back what is resident and not in use: code that only the start needed, and freed memory.
  ///
  /// It takes a moment, and what runs next is read from the file cache again: for when there is time.
  package static func release() { linux_release_memory() }
}
