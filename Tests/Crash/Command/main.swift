import CofferCrash
import Foundation

do {
    exit(try CrashCommand.main(Array(CommandLine.arguments.dropFirst())))
} catch {
    FileHandle.standardError.write(Data("coffer-crash: \(error)\n".utf8))
    exit(3)
}
