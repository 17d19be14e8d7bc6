import FoundationEssentials
import Glibc
import LinuxSystem

/// The files of a configuration: the main one and the drop-ins beside it.
enum ConfigurationFiles {
  /// The longest file that is read, in bytes.
  static let maximumSize = 1_048_576
  /// The most drop-ins that are read.
  static let maximumDropIns = 256

  /// The bytes of a file; nil when there is none.
  static func read(_ path: String) throws(ConfigurationIssue) -> [UInt8]? {
    let number: CInt
    do {
      // Without O_NONBLOCK a pipe in the place of the file would hold everything up.
      number = try retryingOnInterrupt { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    } catch .noSuchFile {
      return nil
    } catch {
      throw unreadable(path, error)
    }
    let file = FileDescriptor(adopting: number)
    var bytes: [UInt8] = []
    do throws(Errno) {
      var status = stat()
      _ = try retryingOnInterrupt { unsafe fstat(file.rawValue, &status) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw Errno(EINVAL) }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var count = 0
      repeat {
        count = try retryingOnInterrupt {
          unsafe Glibc.read(file.rawValue, &buffer, buffer.count)
        }
        bytes += buffer.prefix(count)
      } while count > 0 && bytes.count <= maximumSize
    } catch {
      throw unreadable(path, error)
    }
    guard bytes.count <= maximumSize else {
      throw ConfigurationIssue(.error, file: path, "the file is larger than \(maximumSize) bytes")
    }
    return bytes
  }

  private static func unreadable(_ path: String, _ error: Errno) -> ConfigurationIssue {
    let reason = error == Errno(EINVAL) ? "this is not a regular file" : "\(error)"
    return ConfigurationIssue(.error, file: path, "the file can't be read: \(reason)")
  }

  /// The drop-ins of a main file, sorted by name: `*.conf` in the directory of its name with `.d`.
  static func dropIns(of path: String) throws(ConfigurationIssue) -> [String] {
    let directory = path + ".d"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return []
    } catch {
      throw ConfigurationIssue(.error, file: directory, "the directory can't be read")
    }
    let found = names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
    guard found.count <= maximumDropIns else {
      throw ConfigurationIssue(
        .error, file: directory, "there are \(found.count) files: keep at most \(maximumDropIns)")
    }
    // By bytes, so that the order doesn't depend on a locale.
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(directory)/\($0)" }
  }
}
