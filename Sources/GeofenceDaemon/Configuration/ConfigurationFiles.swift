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
    do {
      return try FileContents.read(path, maximumBytes: maximumSize)
    } catch .system(.noSuchFile) {
      return nil
    } catch .system(.permissionDenied) {
      throw ConfigurationIssue(
        .error, file: path,
        "this user may not read it: the daemon's user, 'geofenced' for the system's service, has to "
          + "be able to, and to enter its folder")
    } catch {
      throw ConfigurationIssue(.error, file: path, error.description)
    }
  }

  /// Whether a path is a symbolic link, wherever that leads.
  static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Why a directory can't be opened, as the end of a sentence; nil when it can.
  private static func refusal(_ directory: String) -> String? {
    guard let stream = unsafe opendir(directory) else { return ": \(Errno.last)" }
    unsafe closedir(stream)
    return nil
  }

  /// The drop-ins of a main file, sorted by name: `*.conf` in the directory of its name with `.d`.
  static func dropIns(of path: String) throws(ConfigurationIssue) -> [String] {
    let directory = path + ".d"
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      guard !isLink(directory) else {
        throw ConfigurationIssue(.error, file: directory, "the link leads nowhere")
      }
      return []
    } catch {
      throw ConfigurationIssue(
        .error, file: directory, "the directory can't be read" + (refusal(directory) ?? ""))
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
