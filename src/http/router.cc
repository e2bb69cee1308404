#include "http/router.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "base/check.h"
#include "http/percent.h"
#include "http/problem.h"

namespace cairn::http {

// Where a route ends: its placeholders by position in the path.
struct Router::Ending {
  size_t route;
  std::vector<std::pair<std::string, size_t>> names;
  std::optional<size_t> tail_from = {};
};

struct Router::Match {
  const Ending* ending;
  std::vector<std::string> segments;
};

// One segment of the patterns; together they form a tree.
struct Router::Node {
  std::map<std::string, std::unique_ptr<Node>, std::less<>> fixed;
  std::unique_ptr<Node> placeholder;
  std::vector<Ending> endings;       // patterns that end here, one for each method
  std::vector<Ending> tail_endings;  // patterns whose tail begins behind this segment

  // The endings of the pattern that fits best, or null. Visits a node at most once, so that the tree's size
  // bounds it.
  const std::vector<Ending>* Find(std::span<const std::string> segments) const {
    if (segments.empty()) return endings.empty() ? nullptr : &endings;
    const std::string& segment = segments.front();
    if (segment.empty()) return nullptr;
    if (const auto child = fixed.find(segment); child != fixed.end()) {
      if (const auto* found = child->second->Find(segments.subspan(1))) return found;
    }
    if (placeholder) {
      if (const auto* found = placeholder->Find(segments.subspan(1))) return found;
    }
    if (tail_endings.empty() || std::ranges::any_of(segments, &std::string::empty)) return nullptr;
    return &tail_endings;
  }
};

namespace {

Response NotFound() { return ProblemResponse({Code::kResourceNotFound, ""}); }

// "{name}" or "{name...}" without its braces and dots; nothing when the segment is fixed text.
std::optional<std::string_view> PlaceholderName(std::string_view segment) {
  if (!segment.starts_with('{')) return std::nullopt;
  CHECK(segment.ends_with('}') && segment.size() > 2, "a placeholder is {name} or {name...}");
  segment = segment.substr(1, segment.size() - 2);
  if (segment.ends_with("...")) segment.remove_suffix(3);
  return segment;
}

bool HasSlash(const std::string& segment) { return segment.find('/') != segment.npos; }

}  // namespace

const std::string& PathParameters::Get(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
  }
  CHECK(false, "handlers ask for the placeholders of their own pattern");
}

Result<std::vector<std::string>> SplitPath(std::string_view path) {
  if (!path.starts_with('/')) return Fail(Code::kMalformed, "The path does not begin with '/'");
  std::vector<std::string> segments;
  path.remove_prefix(1);
  if (path.empty()) return segments;
  for (;;) {
    const size_t end = path.find('/');
    ASSIGN_OR_RETURN(std::string segment, PercentDecode(path.substr(0, end), Plus::kIsPlus));
    segments.push_back(std::move(segment));
    if (end == path.npos) return segments;
    path.remove_prefix(end + 1);
  }
}

BodyAdmission AdmitUpTo(size_t bytes_max) {
  return {.admitted = true,
          .body_bytes_max = bytes_max,
          .refusal = ProblemResponse(
              {Code::kTooLarge, "A body has at most " + std::to_string(bytes_max) + " bytes here"})};
}

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)), root_(std::make_unique<Node>()) {
  for (size_t route = 0; route < routes_.size(); ++route) Add(route);
}
Router::~Router() = default;

void Router::Add(size_t route) {
  std::string_view rest = routes_[route].pattern;
  CHECK(rest.starts_with('/'), "patterns begin with '/'");
  rest.remove_prefix(1);
  Node* node = root_.get();
  Ending ending{.route = route, .names = {}};
  std::vector<Ending>* endings = nullptr;
  for (size_t position = 0; !rest.empty(); ++position) {
    CHECK(endings == nullptr, "nothing follows a tail");
    const size_t end = rest.find('/');
    const std::string_view segment = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    const auto name = PlaceholderName(segment);
    if (segment.ends_with("...}")) {
      ending.tail_from = position;
      endings = &node->tail_endings;
      continue;
    }
    if (name) ending.names.emplace_back(*name, position);
    auto& child = name ? node->placeholder : node->fixed[std::string(segment)];
    if (!child) child = std::make_unique<Node>();
    node = child.get();
  }
  if (endings == nullptr) endings = &node->endings;
  for (const Ending& other : *endings) {
    CHECK(routes_[other.route].method != routes_[route].method,
          "two routes with the same method and pattern");
  }
  endings->push_back(std::move(ending));
}

Result<Router::Match, Response> Router::Find(const Request& request) const {
  auto segments = SplitPath(request.path());
  if (!segments) return std::unexpected(ProblemResponse(segments.error()));
  const std::vector<Ending>* endings = root_->Find(*segments);
  if (endings == nullptr) {
    // Only placeholders stand for text with a '/': whoever sent this means another path.
    if (std::ranges::any_of(*segments, HasSlash))
      return std::unexpected(ProblemResponse({Code::kMalformed, "The path contains an encoded '/'"}));
    return std::unexpected(NotFound());
  }

  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  std::string allowed;
  for (const Ending& ending : *endings) {
    const Route& route = routes_[ending.route];
    if (route.method == method) return Match{&ending, *std::move(segments)};
    allowed += (allowed.empty() ? "" : ", ") + route.method;
    if (route.method == "GET") allowed += ", HEAD";
  }
  return std::unexpected(ToResponse(MethodNotAllowed(allowed)));
}

Task<Response> Router::Handle(const Request& request) const {
  auto match = Find(request);
  if (!match) co_return std::move(match).error();
  const Ending& ending = *match->ending;
  const std::vector<std::string>& segments = match->segments;
  PathParameters parameters;
  for (const auto& [name, position] : ending.names) parameters.values_.emplace_back(name, segments[position]);
  if (ending.tail_from) {
    parameters.tail_.assign(segments.begin() + static_cast<ptrdiff_t>(*ending.tail_from), segments.end());
  }
  co_return co_await routes_[ending.route].handler(request, parameters);
}

Task<BodyAdmission> Router::AdmitBody(const Request& head) const {
  auto match = Find(head);
  if (!match) {
    BodyAdmission refused{.admitted = false, .refusal = std::move(match).error()};
    co_return refused;
  }
  const BodyAdmitter& admit = routes_[match->ending->route].admit;
  if (!admit) co_return AdmitUpTo(kSmallBodyBytes);
  co_return co_await admit(head);
}

}  // namespace cairn::http
