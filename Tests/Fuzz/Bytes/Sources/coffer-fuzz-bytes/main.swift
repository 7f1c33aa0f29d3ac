import CLibFuzzer
import CofferFuzzTargets
import Foundation

// `coffer-fuzz-bytes TARGET [CORPUS] [-max_total_time=600] [FILE]`: libFuzzer on one target, with libFuzzer's own options.
// A file in place of a folder is run alone.

guard CommandLine.arguments.count > 1, let target = FuzzTarget.named(CommandLine.arguments[1]) else {
    print("usage: coffer-fuzz-bytes TARGET [options of libFuzzer]")
    for target in FuzzTarget.all { print("  \(target.name)  \(target.summary)") }
    exit(2)
}

nonisolated(unsafe) let chosen = target
var arguments: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map {
    strdup($0)
}
var count = Int32(arguments.count)
arguments.append(nil)
let status = arguments.withUnsafeMutableBufferPointer { buffer in
    var base = buffer.baseAddress
    return withUnsafeMutablePointer(to: &base) { pointer in
        pointer.withMemoryRebound(to: Optional<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>.self, capacity: 1) {
            LLVMFuzzerRunDriver(&count, $0) { bytes, size in
                if let finding = chosen.finding(UnsafeRawBufferPointer(start: bytes, count: size)) {
                    FileHandle.standardError.write(Data("finding: \(finding)\n".utf8))
                    // libFuzzer writes what it had handed over to a file.
                    abort()
                }
                return 0
            }
        }
    }
}
exit(status)
