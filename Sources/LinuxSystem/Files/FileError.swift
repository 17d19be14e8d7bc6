/// Why a file wasn't read, or wasn't written.
package enum FileError: Error, Hashable, CustomStringConvertible {
  case system(Errno)
  case noTemporary(folder: String, Errno)
  case notRegular
  case isDirectory
  case tooLarge(maximumBytes: Int)

  package var description: String {
    switch self {
    case .system(let error): "the file can't be read: \(error)"
    case .noTemporary(let folder, let error):
      "no temporary file can be written in \(folder), which TMPDIR chooses: \(error)"
    case .notRegular: "the file can't be read: this is not a regular file"
    case .isDirectory: "the file can't be read: this is a directory"
    case .tooLarge(let bytes): "the file is larger than \(bytes) bytes"
    }
  }
}
