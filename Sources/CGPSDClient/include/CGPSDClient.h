#ifndef CGPSDCLIENT_H
#define CGPSDCLIENT_H

#ifdef __cplusplus
extern "C" {
#endif

/// The major version of the libgps API this was built with (11 is gpsd 3.22).
int gpsd_api_major(void);

#ifdef __cplusplus
}
#endif
#endif
