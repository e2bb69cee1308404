// simdjson for the tests of this folder. The layer is compiled with its threads; the tests, which do not
// inherit that, would see classes of another layout.
#pragma once

#ifndef SIMDJSON_THREADS_ENABLED
#define SIMDJSON_THREADS_ENABLED 1
#endif
#include <simdjson.h>
