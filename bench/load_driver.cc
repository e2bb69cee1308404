// The load of the store benchmark: one operation against one server, at several numbers of connections, one
// line of JSON each. Used by store_bench.py and scale_bench.py; it shares nothing with Cairn.
//
//   load_driver run OPERATION --port P --pid SERVER [--connections 1,16,64] [--seconds S] [--warmup S]
//                             --items N --partitions N [--wait sleep|spin]
//   load_driver replay FILE --port P --pid SERVER [--connections ..] [--seconds S] [--warmup S] [--wait ..]
//                             whole HTTP requests, with a zero byte behind each, in random order
//   load_driver fsync DIRECTORY [--seconds S]      how long the disk takes to make 512 appended bytes durable
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "load_loop.h"

namespace bench {
namespace {

struct Arguments {
  std::string command, subject;
  std::map<std::string, std::string> flags;

  std::string Text(const std::string& flag, const std::string& otherwise) const {
    const auto found = flags.find(flag);
    return found == flags.end() ? otherwise : found->second;
  }
  double Number(const std::string& flag, double otherwise) const {
    const auto found = flags.find(flag);
    return found == flags.end() ? otherwise : std::stod(found->second);
  }
};

Arguments Read(int count, char** words) {
  if (count < 3 || count % 2 == 0) {
    throw std::runtime_error("Say what to do, see the head of load_driver.cc. Operations: " +
                             OperationNames());
  }
  Arguments arguments{.command = words[1], .subject = words[2], .flags = {}};
  for (int i = 3; i + 1 < count; i += 2) arguments.flags[words[i]] = words[i + 1];
  return arguments;
}

// The reply as a JSON string, without what would need escapes.
std::string Printable(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '"' || c == '\\' || c < ' ' ? '\'' : c;
  return result;
}

void Print(const std::string& operation, int connections, const LoadFigures& figures) {
  std::printf(
      "{\"operation\":\"%s\",\"connections\":%d,\"seconds\":%.3f,\"operations\":%llu,\"wrong\":%llu,"
      "\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f,\"server_cpu_s\":%.6f,\"driver_cpu_s\":%.6f,"
      "\"first_wrong\":\"%s\"}\n",
      operation.c_str(), connections, figures.seconds,
      static_cast<unsigned long long>(figures.latencies.total()),
      static_cast<unsigned long long>(figures.wrong_replies), figures.latencies.PercentileUs(0.5),
      figures.latencies.PercentileUs(0.99), figures.latencies.MaxUs(), figures.server_cpu_seconds,
      figures.driver_cpu_seconds, Printable(figures.first_wrong_reply).c_str());
  std::fflush(stdout);
}

// Conditions need versions that are known: the items that updates use are written anew first.
Versions PrepareVersions(const Operation& operation, const LoadOptions& options) {
  if (operation.keys != Operation::Keys::kItemsOfConnection) return {};
  constexpr uint64_t kUpdatedItems = 5'000;
  LoadOptions reset = options;
  reset.connections = 8;
  reset.data.items = std::min(options.data.items, kUpdatedItems);
  Versions none;
  const LoadFigures figures = RunLoad(*FindOperation("load-items"), reset, none);
  if (figures.wrong_replies > 0)
    throw std::runtime_error("Items cannot be written: " + figures.first_wrong_reply);
  return Versions(reset.data.items, kFirstVersion);
}

void Run(const Arguments& arguments) {
  const Operation* operation = FindOperation(arguments.subject);
  if (operation == nullptr) throw std::runtime_error("The operations are: " + OperationNames());
  LoadOptions options{.port = static_cast<uint16_t>(arguments.Number("--port", 0)),
                      .server = static_cast<pid_t>(arguments.Number("--pid", 0)),
                      .warmup_seconds = arguments.Number("--warmup", 0),
                      .seconds = arguments.Number("--seconds", 2),
                      .data = {.items = static_cast<uint64_t>(arguments.Number("--items", 100'000)),
                               .partitions = static_cast<uint64_t>(arguments.Number("--partitions", 1000))}};
  if (arguments.Text("--wait", "sleep") == "spin") options.wait = LoadOptions::Wait::kSpin;
  if (options.data.items % 25 != 0) throw std::runtime_error("--items must be a multiple of 25");
  Versions versions = PrepareVersions(*operation, options);
  std::istringstream connections(arguments.Text("--connections", "16"));
  for (std::string number; std::getline(connections, number, ',');) {
    options.connections = std::stoi(number);
    ++options.seed;
    Print(arguments.subject, options.connections, RunLoad(*operation, options, versions));
  }
}

void Replay(const Arguments& arguments) {
  LoadOptions options{.port = static_cast<uint16_t>(arguments.Number("--port", 0)),
                      .server = static_cast<pid_t>(arguments.Number("--pid", 0)),
                      .warmup_seconds = arguments.Number("--warmup", 0),
                      .seconds = arguments.Number("--seconds", 2),
                      .data = {}};
  if (arguments.Text("--wait", "sleep") == "spin") options.wait = LoadOptions::Wait::kSpin;
  std::ifstream file(arguments.subject, std::ios::binary);
  for (std::string message; std::getline(file, message, '\0');) options.messages.push_back(message);
  if (options.messages.empty()) throw std::runtime_error("There are no requests in " + arguments.subject);
  Versions none;
  std::istringstream connections(arguments.Text("--connections", "16"));
  for (std::string number; std::getline(connections, number, ',');) {
    options.connections = std::stoi(number);
    ++options.seed;
    Print("replay", options.connections, RunLoad(*FindOperation("replay"), options, none));
  }
}

void Fsync(const Arguments& arguments) {
  using std::chrono::steady_clock;
  const std::string path = arguments.subject + "/fsync-probe";
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("Cannot write in " + arguments.subject);
  const std::string bytes(512, 'x');
  LoadFigures figures;
  const auto start = steady_clock::now();
  const auto end = start + std::chrono::duration<double>(arguments.Number("--seconds", 2));
  auto now = start;
  while (now < end) {
    const bool written = write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (!written || fdatasync(file) != 0) throw std::runtime_error("Cannot write in " + arguments.subject);
    const auto after = steady_clock::now();
    figures.latencies.Add(static_cast<uint64_t>(std::chrono::nanoseconds(after - now).count()));
    now = after;
  }
  figures.seconds = std::chrono::duration<double>(now - start).count();
  close(file);
  unlink(path.c_str());
  Print("fsync", 1, figures);
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  try {
    const bench::Arguments arguments = bench::Read(count, words);
    if (arguments.command == "run") {
      bench::Run(arguments);
    } else if (arguments.command == "replay") {
      bench::Replay(arguments);
    } else if (arguments.command == "fsync") {
      bench::Fsync(arguments);
    } else {
      throw std::runtime_error("The commands are run, replay and fsync.");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load_driver: %s\n", error.what());
    return 1;
  }
  return 0;
}
