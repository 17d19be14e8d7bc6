// Where in the code an entry was made is nobody's business but ours: without this,
// sd_journal_sendv is a macro that adds the place in this header.
#define SD_JOURNAL_SUPPRESS_LOCATION 1
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
