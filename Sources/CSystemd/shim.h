// Entries are written without the place in the code: it would be that of this header, as sd_journal_sendv is a macro
// without this definition.
#define SD_JOURNAL_SUPPRESS_LOCATION 1
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

/// Asks the service manager on a bus to start a unit (sd_bus_call_method is variadic, which Swift can't call).
///
/// A unit that is being stopped isn't started, but refused:
/// https://www.freedesktop.org/software/systemd/man/org.freedesktop.systemd1.html
static inline int systemd_start_unit(
    sd_bus *bus, const char *unit, uint64_t microseconds, sd_bus_error *error) {
  int status = sd_bus_set_method_call_timeout(bus, microseconds);
  if (status < 0) return status;
  return sd_bus_call_method(
      bus, "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager",
      "StartUnit", error, (sd_bus_message **)0, "ss", unit, "fail");
}
