#include "base/test_point.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/executor.h"
#include "base/log.h"

namespace cairn {
namespace {

enum class Action { kKill, kStop, kHold };

struct Planned {
  int64_t at = 0;
  Action action = Action::kKill;
  int64_t reached = 0;
};

struct Plan {
  std::mutex mutex;  // guards points
  std::map<std::string, Planned, std::less<>> points;
  std::string folder;  // fixed before the points are on
};

Plan& ThePlan() {
  static Plan plan;
  return plan;
}

Result<std::pair<std::string, Planned>> ParsePoint(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    return Fail(Code::kInvalidArgument,
                "CAIRN_TEST_POINTS: " + text + ": " + what + " (name=3:kill, name=1:stop, name=1:hold)");
  };
  const size_t equals = text.find('='), colon = text.find(':', equals == text.npos ? 0 : equals);
  if (equals == text.npos || equals == 0 || colon == text.npos) return wrong("is not name=number:action");
  Planned planned;
  const char* end = text.data() + colon;
  const auto parsed = std::from_chars(text.data() + equals + 1, end, planned.at);
  if (parsed.ec != std::errc() || parsed.ptr != end || planned.at < 1)
    return wrong("the number must be 1 or more");
  const std::string action = text.substr(colon + 1);
  if (action == "kill") {
    planned.action = Action::kKill;
  } else if (action == "stop") {
    planned.action = Action::kStop;
  } else if (action == "hold") {
    planned.action = Action::kHold;
  } else {
    return wrong("there is no such action");
  }
  return std::pair(text.substr(0, equals), planned);
}

std::filesystem::path FileOf(std::string_view name, std::string_view ending) {
  return std::filesystem::path(ThePlan().folder) / (std::string(name) + std::string(ending));
}

}  // namespace

Status SwitchOnTestPoints(std::string_view plan, std::string folder) {
  std::map<std::string, Planned, std::less<>> points;
  std::istringstream words{std::string(plan)};
  bool holds = false;
  for (std::string word; words >> word;) {
    ASSIGN_OR_RETURN(const auto point, ParsePoint(word));
    points.insert_or_assign(point.first, point.second);
    holds = holds || point.second.action == Action::kHold;
  }
  if (holds && folder.empty())
    return Fail(Code::kInvalidArgument,
                "CAIRN_TEST_POINTS: to hold, name a folder in CAIRN_TEST_POINTS_FOLDER");
  ThePlan().folder = std::move(folder);
  {
    std::lock_guard lock(ThePlan().mutex);
    ThePlan().points = std::move(points);
  }
  internal::test_points_on = true;
  log::Warning("test points are on: this server stops itself on purpose and is for tests only",
               {{"points", std::string(plan)}});
  return {};
}

namespace internal {

bool ReachTestPoint(std::string_view name) {
  Plan& plan = ThePlan();
  std::unique_lock lock(plan.mutex);
  const auto found = plan.points.find(name);
  if (found == plan.points.end()) return true;
  const Action action = found->second.action;
  const int64_t reached = ++found->second.reached;
  if (reached < found->second.at || (reached > found->second.at && action != Action::kHold)) return true;
  lock.unlock();
  switch (action) {
    case Action::kKill:
      std::raise(SIGKILL);
      break;
    case Action::kStop:
      std::raise(SIGSTOP);
      break;
    case Action::kHold:
      return std::filesystem::exists(FileOf(name, ".go"));
  }
  return true;
}

void HoldThread(std::string_view name) {
  std::ofstream(FileOf(name, ".reached")).flush();
  while (!std::filesystem::exists(FileOf(name, ".go")))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void HoldCoroutine(std::string_view name, std::coroutine_handle<> waiter) {
  std::thread([name, waiter, executor = Executor::Current()] {
    HoldThread(name);
    if (executor == nullptr) return waiter.resume();
    executor->Post([waiter] { waiter.resume(); });
  }).detach();
}

}  // namespace internal
}  // namespace cairn
