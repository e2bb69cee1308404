// ChangeFeed: reads the streams of tables and publishes what their records mean to the hub. So events come
// from what was committed, whoever wrote it, in the order of the commits, and only once it is durable.
//
// A thread of its own (Start to Stop) looks every 25 ms. Errors of the store are logged and survived; a
// stream that was disabled, made anew or trimmed meanwhile is found again, and the hub is told what it
// missed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "live/hub.h"
#include "store/store.h"

namespace cairn::live {

struct Source {
  std::string feed;   // one of the hub's
  std::string table;  // as the store knows it
  // Called for every record, in order. Pure: the same record gives the same events after a restart.
  std::function<std::vector<Event>(const store::StreamRecord&)> translate;
};

// Somebody who counts what the records say. Called by whoever pumps, one call after the other.
class FeedObserver {
 public:
  virtual ~FeedObserver() = default;
  // Reading begins no later than with this sequence, if it is still there; nothing: wherever it does.
  virtual std::optional<uint64_t> WantedFrom(const std::string& feed) = 0;
  // In order. After a restart of the server, or of reading, some come again.
  virtual void Seen(const std::string& feed, const store::StreamRecord& record) = 0;
  // All records before this sequence were seen.
  virtual void Advanced(const std::string& feed, uint64_t next_sequence) = 0;
  // After every look at all feeds.
  virtual Task<Status> Turn() = 0;
};

class ChangeFeed {
 public:
  // The store, the hub and the observer must outlive this. Precondition: a feed has one source.
  ChangeFeed(store::Store& store, Hub& hub, std::vector<Source> sources, FeedObserver* observer = nullptr);
  ~ChangeFeed() { Stop(); }

  // Publishes, on the calling thread, what the streams still have of the recent past, so that clients can
  // resume from cursors of the last run as soon as this returns; then goes on by itself. Not from a thread of
  // the store.
  void Start();
  // Returns when the thread has ended.
  void Stop();

  // Publishes everything that is there by now and returns how many events that were. For tests; never while
  // started.
  Task<size_t> PumpOnce();

 private:
  struct Reader {
    Source source;
    store::ShardPosition position = {};  // its stream is "" before the first was found
    bool is_located = false;             // false: find out where to read before reading on
    bool is_finished = false;            // the stream was disabled and is read to its end
    std::string complaint = {};          // what was logged last; "" when all is well
  };

  Task<Result<size_t>> Pump(Reader& reader);
  Task<Result<bool>> Locate(Reader& reader);
  Task<Result<bool>> LocateIn(Reader& reader, store::StreamId stream);
  Task<Result<uint64_t>> CompleteFrom(const store::ShardPosition& start, const std::string& shard_id,
                                      uint64_t latest);
  size_t Publish(const Reader& reader, const std::vector<store::StreamRecord>& records);
  void Complain(Reader& reader, const std::string& complaint);
  bool IsStopping();
  void Loop();

  store::Store& store_;
  Hub& hub_;
  FeedObserver* const observer_;
  std::vector<Reader> readers_;

  std::mutex mutex_;  // guards stopping_
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace cairn::live
