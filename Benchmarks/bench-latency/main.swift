import CommandLineParsing
import Glibc
import LatencyBenchmark

// Who stops reading gets an error in the writing, not a signal.
signal(SIGPIPE, SIG_IGN)
exit(await LatencyCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
