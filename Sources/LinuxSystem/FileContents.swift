import Glibc

/// Why a file wasn't read.
package enum FileError: Error, Hashable, CustomStringConvertible {
  case system(Errno)
  case notRegular
  case tooLarge(maximumBytes: Int)

  package var description: String {
    switch self {
    case .system(let error): "the file can't be read: \(error)"
    case .notRegular: "the file can't be read: this is not a regular file"
    case .tooLarge(let bytes): "the file is larger than \(bytes) bytes"
    }
  }
}

/// Whole files of bounded size.
package enum FileContents {
  /// The bytes of a regular file, never more than the maximum.
  package static func read(_ path: String, maximumBytes: Int) throws(FileError) -> [UInt8] {
    do throws(Errno) {
      // Without O_NONBLOCK a pipe in the place of the file would hold everything up.
      let number = try retryingOnInterrupt {
        unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      }
      let file = FileDescriptor(adopting: number)
      var status = stat()
      _ = try retryingOnInterrupt { unsafe fstat(number, &status) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw Errno(EINVAL) }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var count = 0
      repeat {
        count = try retryingOnInterrupt {
          unsafe Glibc.read(file.rawValue, &buffer, buffer.count)
        }
        bytes += buffer.prefix(count)
      } while count > 0 && bytes.count <= maximumBytes
      guard bytes.count <= maximumBytes else { throw Errno(EFBIG) }
      return bytes
    } catch Errno(EINVAL) {
      throw .notRegular
    } catch Errno(EFBIG) {
      throw .tooLarge(maximumBytes: maximumBytes)
    } catch {
      throw .system(error)
    }
  }
}
