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
        path = Self.name(place)
        file = try OpenFile(making: path, mode: StoreRights.file)
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

    /// A name that is free.
    private static func name(_ place: ArchivePlace) -> String {
        let path = place.temporary(
            counter.withLock {
                $0 += 1
                return $0
            })
        // Nobody else uses the name, so a file of that name was left by another process with the same number.
        unlink(path)
        return path
    }

    func write(_ bytes: some Collection<UInt8>) throws {
        size += bytes.count
        try file.write(bytes)
    }

    /// Puts the file into the document's place, stored as a whole.
    ///
    /// - Parameter isNew: whether there must be no document yet.
    /// - Returns: the document, opened for reading.
    /// - Throws: `ArchiveRace` where there is one nevertheless. Whatever fails, the document is the one before.
    func takePlace(isNew: Bool) throws -> OpenFile {
        try FileFailure.check(fsync(file.descriptor), "storing what was written")
        // What may fail for want of a descriptor comes before there is something to take back.
        let folder = try OpenFile(folder: place.folder)
        guard let document = try OpenFile(reading: path) else { throw FileFailure("opening what was written") }
        if isNew { try appear(folder) } else { try replace(folder) }
        return document
    }

    private func replace(_ folder: OpenFile) throws {
        // Another name for the document, to put it back; a file system without hard links has to do without.
        let before = Self.name(place)
        let canReturn = link(place.path, before) == 0
        defer { if canReturn { unlink(before) } }
        try FileFailure.check(rename(path, place.path), "replacing the archive")
        isPlaced = true
        do {
            try folder.syncFolder()
        } catch {
            // Without a way back the save counts: everybody sees it.
            if canReturn, rename(before, place.path) == 0 { throw error }
        }
    }

    private func appear(_ folder: OpenFile) throws {
        if link(path, place.path) == 0 {
            unlink(path)
        } else if errno == EEXIST {
            throw ArchiveRace()
        } else if FileStamp(place.path) == nil {
            // A file system without hard links.
            try FileFailure.check(rename(path, place.path), "making the archive")
        } else {
            throw ArchiveRace()
        }
        isPlaced = true
        do {
            try folder.syncFolder()
        } catch {
            if unlink(place.path) == 0 { throw error }
        }
    }
}

/// Somebody else made the archive first.
struct ArchiveRace: Error {}
