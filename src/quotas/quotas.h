// Quotas: how often users may ask, how much they may keep, and how much they may write. Asked by the frame
// before every handler (rest/admission.h), and by work that writes for long.
//
// What frees room is never refused for lack of it: DELETE, reading, signing in and out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "quotas/rate_table.h"
#include "quotas/usage_meter.h"
#include "rest/admission.h"

namespace cairn::quotas {

// Of one user; 0: no limit.
struct Limits {
  int64_t requests_per_second = 0;          // in units of cost (rest::CostOf); twenty times as many at once
  int64_t address_requests_per_second = 0;  // of requests that need no account, by the address they come from
  int64_t bytes = 0, items = 0;             // kept
  int64_t written_bytes_per_hour = 0;       // and as many at once
};

class Quotas final : public rest::Admission {
 public:
  Quotas(const Clock& clock, Limits limits);

  // Whose counts decide about what users keep; before the first request.
  void SetMeter(UsageMeter& meter) { meter_ = &meter; }
  // For the meter.
  void Charge(std::string_view user_id, int64_t written_bytes);

  Result<void, http::Problem> Admit(const rest::EndpointInfo& endpoint, std::string_view user_id,
                                    const http::Request& request) override;
  Result<void, http::Problem> Consider(const rest::EndpointInfo& endpoint, std::string_view user_id,
                                       const http::Request& head) override;
  // Whether the user may keep and write more. Fails with what to answer.
  Result<void, http::Problem> CheckRoom(std::string_view user_id);

  const Limits& limits() const { return limits_; }
  // Refusals by kind and what users keep, as Prometheus reads it.
  std::string MetricsText() const;

 private:
  // What is answered to whoever has asked too often.
  http::Problem TooMany(std::string_view user_id, std::chrono::seconds wait);

  const Limits limits_;
  RateTable requests_, addresses_, written_;
  UsageMeter* meter_ = nullptr;
  std::atomic<uint64_t> request_refusals_ = 0, address_refusals_ = 0, storage_refusals_ = 0,
                        item_refusals_ = 0, write_refusals_ = 0;
};

}  // namespace cairn::quotas
