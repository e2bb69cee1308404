// Router: which handler answers which method and path. A table of routes as data; knows nothing of what they
// do.
//
//   Router router({{"GET", "/api/tasks", list}, {"GET", "/api/tasks/{id}", get}, {"GET", "/files/{path...}",
//   file}});
//
// A pattern is made of fixed segments, of {name}, which stands for one segment that is not empty, and at its
// end possibly of {name...}, which stands for one or more of them. Where several patterns fit a path, at the
// first segment in which they differ fixed text wins over {name}, and {name} over {name...}; the method plays
// no part in that. HEAD is answered by GET's handler. Paths are compared after decoding, segment by segment,
// so that an encoded slash never makes two segments of one: it is part of what a placeholder stands for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "http/http.h"

namespace cairn::http {

// The values of a route's placeholders, decoded.
class PathParameters {
 public:
  // Precondition: the route's pattern has {name}.
  const std::string& Get(std::string_view name) const;
  // What {name...} stands for; empty when the pattern has none.
  const std::vector<std::string>& tail() const { return tail_; }

 private:
  friend class Router;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> tail_;
};

// Request and parameters live until the Task has finished.
using RouteHandler = std::function<Task<Response>(const Request&, const PathParameters&)>;

struct Route {
  std::string method;
  std::string pattern;
  RouteHandler handler;
  // Who may send a body above kSmallBodyBytes here, and how large; null: nobody.
  BodyAdmitter admit = nullptr;
};

// What a body above `bytes_max` is answered, whoever sends it.
BodyAdmission AdmitUpTo(size_t bytes_max);

// The segments of a path, decoded: "/a/b%20c" is {"a", "b c"}, "/" is {}. A segment has a '/' where the path
// has an encoded one. Fails with kMalformed when the path does not begin with '/' or is badly encoded.
Result<std::vector<std::string>> SplitPath(std::string_view path);

class Router {
 public:
  // Preconditions: the patterns are well formed, and no two routes have the same method and pattern.
  explicit Router(std::vector<Route> routes);
  ~Router();

  // Nothing here: a 404 problem; here, but not with this method: 405 with Allow; a bad path, or nothing at
  // one with an encoded '/': 400.
  Task<Response> Handle(const Request& request) const;
  // What the request's route says about its body; where there is none, the same refusals as Handle's.
  Task<BodyAdmission> AdmitBody(const Request& head) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  struct Node;
  struct Ending;
  struct Match;
  void Add(size_t route);
  Result<Match, Response> Find(const Request& request) const;

  std::vector<Route> routes_;
  std::unique_ptr<Node> root_;
};

}  // namespace cairn::http
