import CommandLineParsing
import DeliveryBenchmark
import Glibc

// Who stops reading gets an error in the writing, not a signal.
signal(SIGPIPE, SIG_IGN)
exit(await DeliveryCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
