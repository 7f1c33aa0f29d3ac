import CofferCore
import Foundation

/// What the last process wrote down about a sound file, in `writer.lock`: which file it is, how large, when it was last
/// changed, and the number of its last transaction.
///
/// A large file is gone through at opening unless it is as the mark says. Whatever changes a file, or puts another one
/// into its place, changes the time that the system keeps of that, which no program can set; so a mark that came along
/// with somebody else's files says nothing. What it does not notice are bits that turn on the disk by themselves.
struct LMDBMark: Equatable {
    private let file: FileStamp
    private let transaction: UInt64

    /// The mark of a file as it is now.
    init(_ status: stat, _ transaction: UInt64) {
        file = FileStamp(status, .changed)
        self.transaction = transaction
    }

    private var text: String {
        let place = "\(file.identity.device) \(file.identity.inode) \(file.size)"
        return "sound \(place) \(file.seconds).\(file.nanoseconds) \(transaction) end\n"
    }

    /// Whether the folder has this mark.
    func isWritten(_ folder: String) -> Bool {
        let descriptor = open(Self.path(folder), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 && bytes[..<count].elementsEqual(text.utf8)
    }

    /// Writes the mark. Where that fails, or somebody is saving, the next opening goes through the file.
    private func write(_ folder: String) {
        let descriptor = StoreRights.open(
            Self.path(folder), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, like: LMDBFile.data(folder))
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(descriptor, LOCK_UN) }
        let bytes = Array(text.utf8)
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { ftruncate(descriptor, off_t(bytes.count)) }
    }

    private static func path(_ folder: String) -> String { folder + "/writer.lock" }

    /// Writes the mark of a folder's file, which this process knows to be sound, unless it is there.
    ///
    /// - Parameter file: the file that is known to be sound.
    static func leave(_ folder: String, _ file: FileIdentity?) {
        let descriptor = open(LMDBFile.data(folder), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, LMDBFile.isLarge(Int(status.st_size)),
            FileIdentity(status) == file,
            let meta = try? LMDBPages(descriptor: descriptor, size: Int(status.st_size)).meta()
        else { return }
        let mark = LMDBMark(status, meta.transaction)
        if !mark.isWritten(folder) { mark.write(folder) }
    }
}
