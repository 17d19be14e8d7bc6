import Glibc
import ShapeBenchmark

exit(ShapeCommand.run())
