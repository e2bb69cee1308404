#include "quotas/usage_api.h"

namespace cairn::quotas {
namespace {

struct NoFields {};
template <class Fields>
void Describe(Fields&, NoFields&) {}

struct ProductView {
  std::string product;
  int64_t bytes = 0, items = 0;
};
template <class Fields>
void Describe(Fields& fields, ProductView& view) {
  fields.Name("ProductUsage");
  fields.Body("product", view.product, {.doc = "values or nexus."});
  fields.Body("bytes", view.bytes, {.doc = "Of items, without what makes them quick to find."});
  fields.Body("items", view.items);
}

struct UsageView {
  int64_t bytes = 0, items = 0;
  std::optional<int64_t> bytes_max, items_max, written_bytes_per_hour, requests_per_second;
  std::vector<ProductView> products;
};
template <class Fields>
void Describe(Fields& fields, UsageView& view) {
  fields.Name("AccountUsage");
  fields.Body("bytes", view.bytes);
  fields.Body("items", view.items);
  fields.Body("bytesMax", view.bytes_max, {.doc = "None: no limit; so of the others."});
  fields.Body("itemsMax", view.items_max);
  fields.Body("writtenBytesPerHour", view.written_bytes_per_hour);
  fields.Body("requestsPerSecond", view.requests_per_second,
              {.doc = "A change counts as two, a search as five, an export or import as twenty."});
  fields.Body("products", view.products);
}

std::optional<int64_t> LimitOf(int64_t limit) { return limit > 0 ? std::optional(limit) : std::nullopt; }

}  // namespace

std::vector<rest::Endpoint> UsageEndpoints(const Quotas& quotas, UsageMeter& meter) {
  rest::EndpointInfo info{.method = "GET",
                          .path = "/api/account/usage",
                          .id = "readUsage",
                          .summary = "What the account keeps, and what it may",
                          .tag = "account"};
  auto handler = [&quotas, &meter](rest::Call& call, NoFields) -> Task<rest::Reply<UsageView>> {
    auto usage = co_await meter.Read(call.user_id());
    if (!usage) co_return std::unexpected(http::ProblemOf(usage.error()));
    const Limits& limits = quotas.limits();
    UsageView view;
    view.bytes_max = LimitOf(limits.bytes);
    view.items_max = LimitOf(limits.items);
    view.written_bytes_per_hour = LimitOf(limits.written_bytes_per_hour);
    view.requests_per_second = LimitOf(limits.requests_per_second);
    for (size_t i = 0; i < usage->size(); ++i) {
      const Usage& of_product = (*usage)[i];
      view.bytes += of_product.bytes;
      view.items += of_product.items;
      view.products.push_back(
          {.product = meter.products()[i].name, .bytes = of_product.bytes, .items = of_product.items});
    }
    co_return rest::Answer(std::move(view));
  };
  return {rest::MakeEndpoint<NoFields, UsageView>(std::move(info), std::move(handler))};
}

}  // namespace cairn::quotas
