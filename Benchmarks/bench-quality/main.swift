import CommandLineParsing
import Glibc
import QualityBenchmark

// Who stops reading gets an error in the writing, not a signal.
signal(SIGPIPE, SIG_IGN)
exit(await QualityCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
