#if !canImport(Darwin)
import Foundation

extension URL {
    /// The folder for a user's application data, `~/.local/share` unless `XDG_DATA_HOME` says otherwise. It need not
    /// exist.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory, else: ".local/share") }

    /// The folder for a user's documents. It need not exist.
    public static var documentsDirectory: URL { folder(.documentDirectory, else: "Documents") }

    /// The folder for data that can be made again. It need not exist.
    public static var cachesDirectory: URL { folder(.cachesDirectory, else: ".cache") }

    private static func folder(_ kind: FileManager.SearchPathDirectory, else path: String) -> URL {
        FileManager.default.urls(for: kind, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(path, isDirectory: true)
    }
}
#endif
