import CofferCrash
import Foundation

exit(try CrashCommand.main(Array(CommandLine.arguments.dropFirst())))
