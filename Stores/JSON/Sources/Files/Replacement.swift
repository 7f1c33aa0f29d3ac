import CofferCore
import Foundation
import Synchronization

/// A file that takes the document's place once it is complete; removed with the object when it does not come to that.
final class Replacement {
    private static let counter = Mutex(0)

    private let place: ArchivePlace
    private let path: String
    let file: OpenFile
    private var isPlaced = false
    /// The bytes that were written.
    private(set) var size = 0

    /// - Throws: `FileFailure` where no file can be made beside the document.
    init(_ place: ArchivePlace) throws {
        self.place = place
        path = place.temporary(
            Self.counter.withLock {
                $0 += 1
                return $0
            })
        // Nobody else uses the name, so a file of that name was left by another process with the same number.
        unlink(path)
        file = try OpenFile(making: path, mode: 0o666)
        // Whoever finds the file in the document's place finds it locked until the save is done.
        guard try file.lock() else { throw FileFailure("locking the archive", code: EWOULDBLOCK) }
        var status = stat()
        if stat(place.path, &status) == 0 {
            // Only root may give files away; everybody else goes on as the owner.
            _ = fchown(file.descriptor, status.st_uid, status.st_gid)
            fchmod(file.descriptor, status.st_mode & 0o7777)
        }
    }

    deinit {
        if !isPlaced { unlink(path) }
    }

    func write(_ bytes: some Collection<UInt8>) throws {
        size += bytes.count
        try file.write(bytes)
    }

    /// Puts the file into the document's place, stored as a whole.
    ///
    /// - Parameter isNew: whether there must be no document yet.
    /// - Throws: `ArchiveRace` where there is one nevertheless.
    func takePlace(isNew: Bool) throws {
        try FileFailure.check(fsync(file.descriptor), "storing what was written")
        if !isNew {
            try FileFailure.check(rename(path, place.path), "replacing the archive")
            isPlaced = true
        } else if link(path, place.path) == 0 {
            unlink(path)
            isPlaced = true
        } else if errno == EEXIST {
            throw ArchiveRace()
        } else if FileStamp(place.path) == nil {
            // A file system without hard links.
            try FileFailure.check(rename(path, place.path), "making the archive")
            isPlaced = true
        } else {
            throw ArchiveRace()
        }
        try OpenFile.sync(folder: place.folder)
    }
}

/// Somebody else made the archive first.
struct ArchiveRace: Error {}
