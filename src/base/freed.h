// Freed: lets a std::unique_ptr own what a C library made, by the function that frees it.
//
//   using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
#pragma once

namespace cairn {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* thing) const {
    kFree(thing);
  }
};

}  // namespace cairn
