// The three-way decision for one value: what becomes of it when two sides went on from the same base.
#pragma once

namespace cairn::values {

// The value of the side that changed it; of both when they agree; null when they changed it differently.
template <class T>
const T* ThreeWay(const T& base, const T& theirs, const T& mine) {
  if (theirs == mine || mine == base) return &theirs;
  return theirs == base ? &mine : nullptr;
}

}  // namespace cairn::values
