// Caller: on whose behalf a session works. A user has the claims of a verified token; the system (jobs,
// operators, login) has none and may touch everything.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::model {

class Caller {
 public:
  using Claims = std::map<std::string, std::string, std::less<>>;

  static Caller User(Claims claims) { return Caller(false, std::move(claims)); }
  static Caller System() { return Caller(true, {}); }
  // The system acting inside one tenant's partitions: jobs that work for a user who is not there.
  static Caller SystemFor(Claims claims) { return Caller(true, std::move(claims)); }

  bool is_system() const { return system_; }
  // Null when the token has no such claim, or an empty one: nobody is called "".
  const std::string* Claim(std::string_view name) const {
    const auto found = claims_.find(name);
    return found == claims_.end() || found->second.empty() ? nullptr : &found->second;
  }

 private:
  Caller(bool system, Claims claims) : system_(system), claims_(std::move(claims)) {}
  bool system_;
  Claims claims_;
};

}  // namespace cairn::model
