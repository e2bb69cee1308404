// How many cores this process may use: fewer than the machine has in a container or under taskset.
#pragma once

namespace cairn {

unsigned CoresOfThisProcess();

}  // namespace cairn
