// Frame: makes an application of tables of endpoints. For every request, in this order: who is it, may they
// (now: Admission), is it well formed, was it answered before (Idempotency-Key); then the handler; then ETag
// and If-None-Match. Knows no domain.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/router.h"
#include "rest/admission.h"
#include "rest/authenticator.h"
#include "rest/endpoint.h"
#include "rest/receipts.h"
#include "rest/requests_in_flight.h"
#include "rest/route_metrics.h"

namespace cairn::rest {

struct FrameOptions {
  std::string title = "Cairn";
  std::string version;
  std::string public_origin;                // "https://cairn.example"; "": whatever host a request names
  std::vector<std::string> listed_origins;  // whose pages may use the API: with tokens, never with cookies
  std::string cookie_name;                  // of a browser's session
  Admission* admission = nullptr;           // null: everybody may ask as often as they like
};

class Frame {
 public:
  Frame(FrameOptions options, Authenticator& authenticator, Receipts& receipts);

  // Before Routes().
  void Add(std::vector<Endpoint> endpoints);
  // All endpoints, and GET /openapi.json. Valid as long as this.
  std::vector<http::Route> Routes();

  const std::vector<Endpoint>& endpoints() const { return endpoints_; }
  // Requests by route, as Prometheus reads it.
  std::string MetricsText() const { return rest::MetricsText(endpoints_, metrics_); }

 private:
  using Handled = Result<http::Response, http::Problem>;

  Task<http::Response> Measure(size_t position, const http::Request& request,
                               const http::PathParameters& path);
  Task<http::Response> Handle(const Endpoint& endpoint, const http::Request& request,
                              const http::PathParameters& path);
  Task<Handled> Run(const Endpoint& endpoint, const http::Request& request, const http::PathParameters& path);
  // A request counts towards how often somebody may ask when it is complete.
  enum class Stage { kHead, kComplete };
  Task<Result<Call, http::Problem>> Admit(const Endpoint& endpoint, const http::Request& request,
                                          Stage stage);
  Task<http::BodyAdmission> AdmitBody(size_t position, const http::Request& head);
  Task<Handled> RunOnce(const Endpoint& endpoint, Call& call, const RequestParts& parts,
                        std::string_view idempotency_key);
  Result<void, http::Problem> CheckSender(const Endpoint& endpoint, const http::Request& request,
                                          const std::optional<Identified>& identified) const;

  FrameOptions options_;
  Authenticator& authenticator_;
  Receipts& receipts_;
  RequestsInFlight in_flight_;
  std::vector<Endpoint> endpoints_;
  std::vector<RouteMetrics> metrics_;  // in their order; made by Routes()
  std::string openapi_;
};

}  // namespace cairn::rest
