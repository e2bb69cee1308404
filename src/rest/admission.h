// Admission: whether whoever asks may do so now: how often, and how much they keep already. The frame asks
// before every handler, once it knows who it is.
#pragma once

#include <string_view>

#include "base/result.h"
#include "http/problem.h"
#include "rest/endpoint.h"

namespace cairn::rest {

class Admission {
 public:
  virtual ~Admission() = default;
  // `user_id` is "" where anyone may ask: then the address counts that the request comes from. Never waits.
  // Fails with what to answer: 429 and when to come again, or 413.
  virtual Result<void, http::Problem> Admit(const EndpointInfo& endpoint, std::string_view user_id,
                                            const http::Request& request) = 0;
  // The same, but takes nothing of what they may have: asked before a large body is read, so that its request
  // counts once.
  virtual Result<void, http::Problem> Consider(const EndpointInfo& endpoint, std::string_view user_id,
                                               const http::Request& head) = 0;
};

}  // namespace cairn::rest
