#if !canImport(Darwin)
import Foundation

extension FileManager {
    /// The folder that the programs of an app group share. It need not exist.
    ///
    /// There are no app groups and no entitlements here, so any name is a group: a folder of that name in
    /// `Group Containers`, in the user's folder for application data.
    ///
    /// - Parameter groupIdentifier: the group's name.
    /// - Returns: the folder; nil for a name that cannot be a folder's.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        let isName = !groupIdentifier.isEmpty && groupIdentifier != "." && groupIdentifier != ".."
        guard isName, !groupIdentifier.contains("/"), !groupIdentifier.contains("\0") else { return nil }
        return URL.applicationSupportDirectory
            .appendingPathComponent("Group Containers", isDirectory: true)
            .appendingPathComponent(groupIdentifier, isDirectory: true)
    }
}
#endif
