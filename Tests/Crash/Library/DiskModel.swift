/// What a disk may hold after the power went: everything that was brought to disk, and any part of the rest.
///
/// Bytes of a file are on disk once the file is synced, names once their folder is. Until then each write, each half a
/// kilobyte of a larger one, and each change of a name may be there or not, whatever came before or after it. File
/// systems promise more than that; a store that outlives this outlives them.
struct DiskModel {
    private enum Step {
        case name(CallLog.Change)
        case bytes(object: Int, offset: Int, ArraySlice<UInt8>)
        case cut(object: Int, size: Int)
    }

    private struct Entry {
        let step: Step
        /// From which change on it is on disk; `Int.max` for never.
        var stored = Int.max
        /// The place among the changes.
        let place: Int
    }

    /// A moment at which the power may go.
    struct Moment {
        /// How many changes came before.
        let place: Int
        /// How many saves were reported.
        let saved: Int
    }

    private let base: FolderImage
    private var files: [Int: [UInt8]] = [:]
    private var names: [String: Int] = [:]
    private var entries: [Entry] = []
    /// The files that are made, as `make` changes name them.
    private var made: [Int: Int] = [:]
    /// The last moments before something is brought to disk, and those at which a save is reported.
    private(set) var moments: [Moment] = []

    private static let sector = 512
    private static let piecesOfAWrite = 6

    init(_ base: FolderImage, inodes: [String: Int], _ log: CallLog) {
        self.base = base
        var objectOfInode: [Int: Int] = [:]
        var count = 0
        for (name, bytes) in base.files {
            files[count] = bytes
            names[name] = count
            if let inode = inodes[name] { objectOfInode[inode] = count }
            count += 1
        }
        var saved = 0
        for (place, change) in log.changes.enumerated() {
            switch change {
            case .make(_, let inode):
                // A number is given out again once its file is gone.
                objectOfInode[inode] = count
                files[count] = []
                made[place] = count
                count += 1
                entries.append(Entry(step: .name(change), place: place))
            case .rename, .link, .unlink, .makeFolder, .removeFolder:
                if case .link(_, let inode) = change, let object = objectOfInode[inode] { made[place] = object }
                entries.append(Entry(step: .name(change), place: place))
            case .write(let inode, let offset, let bytes, let isStored):
                guard let object = objectOfInode[inode] else { continue }
                for (start, piece) in Self.pieces(offset, bytes) {
                    entries.append(
                        Entry(
                            step: .bytes(object: object, offset: start, piece), stored: isStored ? place : .max,
                            place: place))
                }
            case .cut(let inode, let size):
                guard let object = objectOfInode[inode] else { continue }
                entries.append(Entry(step: .cut(object: object, size: size), place: place))
            case .sync(let inode):
                moments.append(Moment(place: place, saved: saved))
                guard let object = objectOfInode[inode] else { continue }
                store(at: place) { step in
                    switch step {
                    case .bytes(object, _, _), .cut(object, _): true
                    default: false
                    }
                }
            case .syncFolder(let path):
                moments.append(Moment(place: place, saved: saved))
                store(at: place) { step in
                    if case .name(let change) = step { return Self.folder(of: change) == path }
                    return false
                }
            case .mark(let number):
                saved = number
                moments.append(Moment(place: place, saved: saved))
            }
        }
        moments.append(Moment(place: log.changes.count, saved: saved))
    }

    private mutating func store(at place: Int, _ belongs: (Step) -> Bool) {
        for index in entries.indices where entries[index].stored == .max && belongs(entries[index].step) {
            entries[index].stored = place
        }
    }

    /// The folder that has to be synced for a change of a name.
    private static func folder(of change: CallLog.Change) -> String? {
        let path: String
        switch change {
        case .make(let name, _), .unlink(let name), .makeFolder(let name), .removeFolder(let name): path = name
        case .rename(_, let name), .link(let name, _): path = name
        default: return nil
        }
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// A write in pieces that reach the disk one without the other.
    private static func pieces(_ offset: Int, _ bytes: ArraySlice<UInt8>) -> [(Int, ArraySlice<UInt8>)] {
        let length = max(sector, (bytes.count / piecesOfAWrite + sector - 1) / sector * sector)
        var pieces: [(Int, ArraySlice<UInt8>)] = []
        var start = 0
        while start < bytes.count {
            // Pieces end where sectors of the file do.
            let end = min(bytes.count, (offset + start + length) / length * length - offset)
            pieces.append((offset + start, bytes[bytes.startIndex + start..<bytes.startIndex + end]))
            start = end
        }
        return pieces
    }

    // MARK: States

    /// What may be on disk at a moment: all choices where they are few, and otherwise some of them.
    ///
    /// - Parameter limit: the most states.
    func states<G: RandomNumberGenerator>(at moment: Moment, limit: Int, using generator: inout G) -> [FolderImage] {
        let open = entries.indices.filter { entries[$0].place < moment.place && entries[$0].stored >= moment.place }
        let everything = Set(open)
        var choices: Set<Set<Int>> = [[], everything]
        if open.count < 6 {
            for bits in 0..<(1 << open.count) {
                choices.insert(Set(open.indices.filter { bits >> $0 & 1 == 1 }.map { open[$0] }))
            }
        } else {
            // In order up to some point, all but one, one alone, and whatever comes.
            for _ in 0..<limit / 4 {
                choices.insert(Set(open.prefix(Int.random(in: 0...open.count, using: &generator))))
                if let one = open.randomElement(using: &generator) {
                    choices.insert(everything.subtracting([one]))
                    choices.insert([one])
                }
            }
            while choices.count < limit {
                choices.insert(everything.filter { _ in Bool.random(using: &generator) })
            }
        }
        return choices.map { image(at: moment, with: $0) }
    }

    private func image(at moment: Moment, with chosen: Set<Int>) -> FolderImage {
        var (files, names, folders) = (files, names, base.folders)
        for (index, entry) in entries.enumerated() {
            if entry.place >= moment.place { break }
            guard entry.stored < moment.place || chosen.contains(index) else { continue }
            switch entry.step {
            case .bytes(let object, let offset, let bytes):
                Self.put(bytes, at: offset, into: &files[object, default: []])
            case .cut(let object, let size): Self.cut(&files[object, default: []], to: size)
            case .name(let change): apply(change, entry.place, &names, &folders)
            }
        }
        var image = FolderImage()
        image.folders = folders
        for (name, object) in names where isReachable(name, folders) { image.files[name] = files[object] }
        image.folders = folders.filter { isReachable($0, folders) }
        return image
    }

    private func isReachable(_ name: String, _ folders: Set<String>) -> Bool {
        guard let slash = name.lastIndex(of: "/") else { return true }
        let parent = String(name[..<slash])
        return folders.contains(parent) && isReachable(parent, folders)
    }

    private func apply(
        _ change: CallLog.Change, _ place: Int, _ names: inout [String: Int], _ folders: inout Set<String>
    ) {
        switch change {
        case .make(let path, _): names[path] = made[place]
        case .link(let path, _): names[path] = made[place]
        case .unlink(let path): names[path] = nil
        case .makeFolder(let path): folders.insert(path)
        case .removeFolder(let path): folders.remove(path)
        case .rename(let from, let to):
            if folders.remove(from) != nil {
                folders.insert(to)
                for (name, object) in names where name.hasPrefix(from + "/") {
                    names[name] = nil
                    names[to + name.dropFirst(from.count)] = object
                }
            } else if let object = names.removeValue(forKey: from) {
                names[to] = object
            }
        default: break
        }
    }

    private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, into file: inout [UInt8]) {
        let end = offset + bytes.count
        if file.count < end { file += [UInt8](repeating: 0, count: end - file.count) }
        file.replaceSubrange(offset..<end, with: bytes)
    }

    private static func cut(_ file: inout [UInt8], to size: Int) {
        if file.count > size { file.removeSubrange(size...) }
        if file.count < size { file += [UInt8](repeating: 0, count: size - file.count) }
    }
}
