import CommandLineParsing
import ConditionBenchmark
import Glibc

exit(await ConditionCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
