import CProcessor
import Glibc

/// Values of one type in a row, of which there may be millions.
///
/// Unlike an array it grows by `realloc`, which moves the pages of a large block rather than their contents: no
/// addition has to wait until millions are copied. A copy shares the values until one of the two changes them.
struct Column<Element: BitwiseCopyable>: @unchecked Sendable {
  private var storage = Storage()

  /// Memory that one or more columns share.
  @safe
  private final class Storage {
    var elements: UnsafeMutablePointer<Element>?
    var count = 0
    var capacity = 0

    deinit { unsafe free(elements) }

    @inline(never)
    func reserve(_ needed: Int) {
      guard needed > capacity else { return }
      capacity = max(needed, capacity + capacity / 2, 16)
      let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
      // Without memory nothing can go on; an array would end the program as well.
      guard !overflow, let moved = unsafe realloc(elements, bytes) else {
        preconditionFailure("there is no memory for \(capacity) elements")
      }
      unsafe elements = unsafe moved.assumingMemoryBound(to: Element.self)
    }

    @inline(never)
    func copied() -> Storage {
      let copy = Storage()
      copy.reserve(count)
      if count > 0, let from = unsafe elements {
        unsafe copy.elements?.initialize(from: from, count: count)
      }
      copy.count = count
      return copy
    }
  }

  var count: Int { storage.count }

  /// How many bytes it takes, with the memory kept for further elements.
  var bytes: Int { storage.capacity * MemoryLayout<Element>.stride }

  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < storage.count)
      return unsafe storage.elements.unsafelyUnwrapped[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < storage.count)
      makeUnique()
      unsafe storage.elements.unsafelyUnwrapped[index] = newValue
    }
  }

  subscript(index: UInt32) -> Element {
    @inline(__always) get { self[Int(index)] }
    @inline(__always) set { self[Int(index)] = newValue }
  }

  /// Prefetches an element that is read soon, so that reads of memory in no cache don't wait one after the other.
  @inline(__always)
  func prefetch(_ index: UInt32) {
    guard index < storage.count else { return }
    unsafe processor_prefetch(storage.elements.unsafelyUnwrapped + Int(index))
  }

  /// Adds an element at the end.
  @inline(__always)
  mutating func append(_ element: Element) {
    makeUnique()
    if storage.count == storage.capacity { storage.reserve(storage.count + 1) }
    unsafe storage.elements.unsafelyUnwrapped[storage.count] = element
    storage.count += 1
  }

  /// Adds an element several times at the end.
  mutating func append(_ element: Element, count: Int) {
    makeUnique()
    storage.reserve(storage.count + count)
    for index in storage.count..<storage.count + count {
      unsafe storage.elements.unsafelyUnwrapped[index] = element
    }
    storage.count += count
  }

  /// Changes the number of elements; the contents of new ones are undefined until they are written.
  mutating func resize(to count: Int) {
    makeUnique()
    storage.reserve(count)
    storage.count = count
  }

  /// Removes the last element and returns it; nil if there is none.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    makeUnique()
    storage.count -= 1
    return unsafe storage.elements.unsafelyUnwrapped[storage.count]
  }

  /// Removes all elements, and keeps the memory.
  @inline(__always)
  mutating func removeAllKeepingMemory() {
    if isKnownUniquelyReferenced(&storage) { storage.count = 0 } else { storage = Storage() }
  }

  /// Removes all elements, and frees the memory.
  mutating func removeAll() { storage = Storage() }

  /// Copies some elements to another place, which may overlap with theirs.
  mutating func move(from source: Int, to target: Int, count: Int) {
    precondition(min(source, target, count) >= 0 && max(source, target) + count <= self.count)
    makeUnique()
    guard count > 0, let elements = unsafe storage.elements else { return }
    unsafe memmove(elements + target, elements + source, count * MemoryLayout<Element>.stride)
  }

  /// Lends all elements for reading.
  @inline(__always)
  func withElements<Result>(_ body: (UnsafeBufferPointer<Element>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: storage.elements, count: storage.count))
  }

  /// Lends all elements for writing.
  @inline(__always)
  mutating func withMutableElements<Result>(
    _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    makeUnique()
    return unsafe body(
      UnsafeMutableBufferPointer(start: storage.elements, count: storage.count))
  }

  @inline(__always)
  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.copied() }
  }
}
