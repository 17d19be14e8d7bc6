import CommandLineParsing
import Glibc
import QualityBenchmark

exit(await QualityCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
