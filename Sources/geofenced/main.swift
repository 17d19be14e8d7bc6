import CommandLineParsing
import GeofenceCommands
import Glibc
import LinuxSystem

// Else the first descriptor that is opened would be standard output.
ProcessLimits.fillStandardDescriptors()

// libdispatch gives some of its threads a priority and complains to the journal of each that only root may
// have: of every command, with the command line. It isn't of interest to anybody.
_ = unsafe setenv("LIBDISPATCH_LOG", "NO", 0)

// The command parses, runs and says what went wrong: nothing is thrown up to here.
let code = await Program.run()
exit(code.rawValue)
