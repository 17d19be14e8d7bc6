import CommandLineParsing
import Glibc
import LatencyBenchmark

exit(await LatencyCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
