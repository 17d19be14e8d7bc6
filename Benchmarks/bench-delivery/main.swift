import CommandLineParsing
import DeliveryBenchmark
import Glibc

exit(await DeliveryCommand.run(Array(CommandLine.arguments.dropFirst())).rawValue)
