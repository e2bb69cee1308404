// The load of the fault tests: two tables with every feature, and writers that use every kind of write.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/clock.h"
#include "disk.h"
#include "engine/engine.h"
#include "ledger.h"

namespace cairn::faults {

inline const std::string kMain = "Main";  // two global indexes, a local one, a stream, a time to live
inline const std::string kSide = "Side";  // a stream; an index that comes and goes

// Makes the tables that are not there yet: a power loss may have come in between.
Status CreateTables(engine::Engine& engine);

// A transaction under a client token, as it was sent: to be sent again.
struct TokenRequest {
  int64_t operation = 0;
  store::TransactWriteItemsRequest request;
  int64_t sent_seconds = 0;
};

// One writer with items of its own, on which it is alone, and one counter that all writers share.
class Writer {
 public:
  Writer(int number, uint64_t seed, Ledger& ledger, const Clock& clock);

  // One random write. False: the store has failed or lost its power, so what became of it is open.
  bool Step(engine::Engine& engine);

  // After a restart: what is in the store now.
  void Learn(const Items& items);
  // Sends the transactions that nobody answered again: they count once.
  bool SendOpenTokensAgain(engine::Engine& engine);
  // Sends those that were answered again, and with another content: the same answer, and a refusal.
  void RepeatAnsweredTokens(engine::Engine& engine);
  // Tokens of operations that a power loss took may be used again as if they were new.
  void ForgetLost();

 private:
  bool Put(engine::Engine& engine);
  bool Update(engine::Engine& engine);
  bool Delete(engine::Engine& engine);
  bool Batch(engine::Engine& engine);
  bool Transaction(engine::Engine& engine);
  bool Count(engine::Engine& engine);
  bool PutExpiring(engine::Engine& engine);

  Place RandomPlace(const std::string& prefix = "k");
  item::Item Body(const Place& place, int64_t number);
  // The belief, if the item exists.
  const item::Item* Known(const Place& place) const;
  template <class Response, class Failure>
  bool Settle(int64_t id, const Result<Response, Failure>& result, const std::string& what);
  bool Send(engine::Engine& engine, TokenRequest& request);

  const std::string name_;
  RandomEngine random_;
  Ledger& ledger_;
  const Clock& clock_;
  Items known_;
  std::vector<TokenRequest> open_;
  std::deque<TokenRequest> answered_;
};

// Table work beside the writers: jobs, and an index of Side that comes and goes.
class Caretaker {
 public:
  explicit Caretaker(uint64_t seed) : random_(seed) {}
  bool Step(engine::Engine& engine);

 private:
  RandomEngine random_;
};

}  // namespace cairn::faults
