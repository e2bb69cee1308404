// The values domain under load: reads and commits over HTTP against a server in this process (engine on disk,
// synced writes), and what a commit costs beside the bare batch writes of as many items.
//
//   bench_values DIRECTORY            an empty directory on the disk to be measured
//   bench_values DIRECTORY NODES [CLIENTS]
//                                     for a profiler: only one-node commits over HTTP by so many users (1
//                                     unless said) with a tree of so many nodes each; CLIENTS 0: without HTTP
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/run_here.h"
#include "base/together.h"
#include "domains/values/commit_tree.h"
#include "engine/engine.h"
#include "http/client_for_tests.h"
#include "http/router.h"
#include "http/server.h"
#include "identity/token.h"
#include "server/application.h"

namespace {

using namespace cairn;
using std::chrono::steady_clock;

double CpuMs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

struct Figures {
  double p50 = 0, p99 = 0, max = 0, cpu = 0, per_second = 0;  // milliseconds, CPU per operation
};

double At(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
}

// `operation(client, number)` for each of `count` operations of each client.
template <class Operation>
Figures Measure(int clients, int count, Operation operation) {
  std::vector<std::vector<double>> times(static_cast<size_t>(clients));
  const double cpu = CpuMs();
  const auto start = steady_clock::now();
  std::vector<std::thread> threads;
  for (int client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      for (int i = 0; i < count; ++i) {
        const auto before = steady_clock::now();
        operation(client, i);
        times[static_cast<size_t>(client)].push_back(
            std::chrono::duration<double, std::milli>(steady_clock::now() - before).count());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  std::vector<double> all;
  for (const auto& of_client : times) all.insert(all.end(), of_client.begin(), of_client.end());
  std::ranges::sort(all);
  const double operations = static_cast<double>(all.size());
  return {.p50 = At(all, 0.5),
          .p99 = At(all, 0.99),
          .max = all.back(),
          .cpu = (CpuMs() - cpu) / operations,
          .per_second = operations / seconds};
}

void Print(const char* what, const Figures& figures, const char* target) {
  std::printf("%-58s p50 %7.2f ms  p99 %7.2f ms  max %7.2f ms  cpu %7.3f ms  %8.0f/s  %s\n", what,
              figures.p50, figures.p99, figures.max, figures.cpu, figures.per_second, target);
  std::fflush(stdout);
}

model::Caller As(const std::string& user) { return model::Caller::User({{"sub", user}}); }

values::Witness<values::TreeCommitted> NoReceipt() {
  return [](model::Session&, const values::TreeCommitted&) { return model::Outcome<void>(); };
}

// One driver for a hundred nodes, a milestone for ten, the rest actions.
void MakeTree(values::Values& values, const std::string& user, int nodes) {
  values::CommitTree commit;
  for (int i = 0; i < nodes; ++i) {
    values::AddNode add;
    add.node_id = "n" + std::to_string(i);
    add.title = "Node number " + std::to_string(i) + " of the tree that is measured";
    add.notes = "A sentence or two about what this is for, as people write them.";
    if (i % 100 == 0) {
      add.type = values::NodeType::kDriver;
    } else if (i % 10 == 1) {
      add.type = values::NodeType::kMilestone;
      add.parent_id = "n" + std::to_string(i / 100 * 100);
    } else {
      add.type = values::NodeType::kAction;
      const int milestone = i % 10 == 0 ? i - 9 : i / 10 * 10 + 1;
      add.parent_id = "n" + std::to_string(milestone);
    }
    commit.operations.push_back(std::move(add));
  }
  auto made = RunHere(values::Commit(values, As(user), std::move(commit), NoReceipt()));
  CHECK(made.has_value(), made ? "" : made.error().message.c_str());
}

std::string Edit(values::Values& values, const std::string& user, int number) {
  values::CommitTree commit;
  commit.operations.push_back(values::EditNode{.node_id = "n7", .title = "Title " + std::to_string(number)});
  auto made = RunHere(values::Commit(values, As(user), std::move(commit), NoReceipt()));
  CHECK(made.has_value(), made ? "" : made.error().message.c_str());
  return made->revision.id;
}

// As many items of the same size as a snapshot has, in batches of 25 side by side: what a commit cannot go
// below.
void WriteBare(store::Store& store, int number, int items) {
  std::vector<Task<Result<store::BatchWriteItemResponse>>> batches;
  store::BatchWriteItemRequest request;
  const auto send = [&] {
    if (!request.tables.empty()) batches.push_back(store.BatchWriteItem(std::exchange(request, {})));
  };
  const std::string partition = "U#bare#VALUES#" + std::to_string(number);
  for (int i = 0; i < items; ++i) {
    if (request.tables.empty()) request.tables.push_back({"App", {}});
    item::Item item;
    if (i % 2 == 0) {
      item = {{"PK", partition},
              {"SK", "NODE#n" + std::to_string(i)},
              {"nodeType", "ACTION"},
              {"title", "Node number " + std::to_string(i) + " of the tree that is measured"},
              {"notes", "A sentence or two about what this is for, as people write them."},
              {"createdAt", "2026-11-16T08:00:00.000Z"},
              {"archived", item::AttributeValue(false)},
              {"driverId", "n0"},
              {"parentMilestoneId", "n1"},
              {"rootDriverId", "n0"}};
    } else {
      item = {{"PK", partition},
              {"SK", "EDGE#n1#000001#n" + std::to_string(i)},
              {"childNodeId", "n" + std::to_string(i)},
              {"childNodeType", "ACTION"}};
    }
    request.tables.front().actions.push_back(store::BatchPut{std::move(item)});
    if (request.tables.front().actions.size() == 25) send();
  }
  send();
  for (const auto& written : RunHere(Together(std::move(batches))))
    CHECK(written.has_value(), "the store takes it");
}

// One keep-alive connection of a user.
class Client {
 public:
  Client(uint16_t port, std::string token) : client_(port), token_(std::move(token)) {}
  http::Reply Send(const std::string& method, const std::string& path, const std::string& body = "") {
    std::string request =
        method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token_ + "\r\n";
    if (!body.empty())
      request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    const auto reply = client_.Exchange(request + "\r\n" + body);
    CHECK(reply && reply->status < 300, reply ? reply->body.c_str() : "no answer");
    return *reply;
  }

 private:
  http::TestClient client_;
  std::string token_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: bench_values DIRECTORY [NODES]\n"), 2;
  const SystemClock clock;
  SystemRandom random;
  engine::EngineOptions engine_options;
  engine_options.directory = argv[1];
  auto engine = engine::Engine::Open(engine_options, clock, random);
  CHECK(engine.has_value(), "the engine opens");
  const std::string key(32, 'k');
  auto application = server::Application::Create(**engine, **engine, clock, random,
                                                 {.version = "bench", .signing_key = key});
  CHECK(application.has_value() && (*application)->CreateTables(), "the application starts");
  http::Router router((*application)->Routes());
  http::Server server({.port = 0}, [&](const http::Request& request) { return router.Handle(request); });
  const uint16_t port = *server.Start();
  const auto token = [&](const std::string& user) {
    identity::Claims claims;
    claims.subject = user;
    claims.expires = clock.Now() + std::chrono::hours(1);
    return identity::IssueToken(key, claims, clock.Now());
  };
  values::Values& values = (*application)->values();

  // One-node commits of `clients` users with a tree of `nodes` nodes each.
  const auto commits = [&](const char* what, int nodes, int clients, int count, const char* target) {
    std::vector<std::unique_ptr<Client>> writers;
    for (int i = 0; i < clients; ++i) {
      const std::string user = "writer" + std::to_string(nodes) + "-" + std::to_string(i);
      MakeTree(values, user, nodes);
      writers.push_back(std::make_unique<Client>(port, token(user)));
    }
    const auto commit = [&](int client, int i) {
      writers[static_cast<size_t>(client)]->Send("PATCH", "/api/values/nodes/n7",
                                                 R"({"title":"Edited )" + std::to_string(i) + "\"}");
    };
    Print(what, Measure(clients, count, commit), target);
  };

  if (argc > 2) {
    const int nodes = std::atoi(argv[2]), clients = argc > 3 ? std::atoi(argv[3]) : 1;
    if (clients > 0) {
      commits("commits over HTTP", nodes, clients, 100, "");
    } else {
      MakeTree(values, "profiled", nodes);
      Print("commits", Measure(1, 400, [&](int, int i) { Edit(values, "profiled", i); }), "");
    }
    return 0;
  }

  MakeTree(values, "big", 1000);
  std::vector<std::unique_ptr<Client>> readers;
  for (int i = 0; i < 16; ++i) readers.push_back(std::make_unique<Client>(port, token("big")));
  readers[0]->Send("GET", "/api/values");
  const auto read = [&](int client, int) {
    readers[static_cast<size_t>(client)]->Send("GET", "/api/values");
  };
  Print("read the tree of 1,000 nodes, 16 clients", Measure(16, 300, read), "(p99 < 10 ms)");
  Print("read the tree of 1,000 nodes, 1 client", Measure(1, 500, read), "");

  const auto commit = [&](int, int i) {
    readers[0]->Send("PATCH", "/api/values/nodes/n7", R"({"title":"Edited )" + std::to_string(i) + "\"}");
  };
  Print("one-node commit, 1,000 nodes, 1 client", Measure(1, 100, commit), "(p99 < 60 ms)");

  // The ratio, without HTTP on either side and in turns, so that both meet the same machine.
  Figures model, bare;
  std::vector<double> model_cpu, bare_cpu;
  for (int round = 0; round < 12; ++round) {
    bare = Measure(1, 5, [&](int, int i) { WriteBare(**engine, round * 5 + i, 1990); });
    model = Measure(1, 5, [&](int, int i) { Edit(values, "big", round * 5 + i); });
    bare_cpu.push_back(bare.cpu);
    model_cpu.push_back(model.cpu);
  }
  std::ranges::sort(bare_cpu);
  std::ranges::sort(model_cpu);
  std::printf("%-58s %.2f ms of CPU against %.2f bare: ratio %.2f  (at most 1.3)\n",
              "commit of 1,990 items beside bare batch writes", model_cpu[3], bare_cpu[3],
              model_cpu[3] / bare_cpu[3]);

  const std::string first = Edit(values, "big", 1000), second = Edit(values, "big", 1001);
  Print(
      "diff of two revisions, 1 client",
      Measure(1, 200,
              [&](int, int) { readers[0]->Send("GET", "/api/values/diff?from=" + first + "&to=" + second); }),
      "(under 10 ms)");

  commits("one-node commit, 100 nodes, 16 clients", 100, 16, 60, "(p99 < 15 ms)");

  std::printf("commit cost by nodes:");
  for (const int nodes : {100, 500, 1000, 2000, 4000}) {
    const std::string user = "size" + std::to_string(nodes);
    MakeTree(values, user, nodes);
    Edit(values, user, 0);
    const Figures figures = Measure(1, 10, [&](int, int i) { Edit(values, user, i + 1); });
    std::printf("  %d: %.2f ms cpu (%.1f us per node)", nodes, figures.cpu, figures.cpu * 1000 / nodes);
  }
  std::printf("\ncommit cost by length of history (100 nodes):");
  MakeTree(values, "long", 100);
  for (int length = 0, number = 0; length <= 1000; length += 250) {
    for (; number < length; ++number) Edit(values, "long", number);
    const Figures figures = Measure(1, 20, [&](int, int i) { Edit(values, "long", 100'000 + length + i); });
    std::printf("  %d: %.2f ms cpu", length, figures.cpu);
  }
  std::printf("\n");
  // What a commit by as many clients cannot go below: no HTTP, no rules, no HEAD. Last, for what it leaves to
  // be compacted.
  Print("190 bare items in batches, 16 clients",
        Measure(16, 60, [&](int client, int i) { WriteBare(**engine, 1'000'000 + client * 1000 + i, 190); }),
        "");
  server.Stop(std::chrono::seconds(5));
  return 0;
}
