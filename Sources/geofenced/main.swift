import CommandLineParsing
import GeofenceCommands
import Glibc

// The command parses, runs and says what went wrong: nothing is thrown up to here.
let code = await Program.run()
exit(code.rawValue)
