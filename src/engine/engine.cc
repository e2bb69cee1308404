#include "engine/engine.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "base/log.h"
#include "engine/internal/catalog.h"
#include "engine/internal/client_tokens.h"
#include "engine/internal/database.h"
#include "engine/internal/jobs.h"
#include "engine/internal/sequences.h"
#include "engine/internal/writer.h"

namespace cairn::engine {
namespace {

using internal::AppendBigEndian;
using internal::Database;
using internal::Family;
using internal::MetaKey;
using internal::ReadBigEndian;
using internal::Writer;

constexpr uint64_t kFormatVersion = 2;  // docs/storage-format.md

Result<uint64_t> ReadMeta(const Database& database, std::string_view name, uint64_t otherwise) {
  ASSIGN_OR_RETURN(const std::optional<std::string> value, database.Get(Family::kCatalog, MetaKey(name)));
  return value ? ReadBigEndian(*value) : otherwise;
}

// A new directory is stamped with the format; one of a later version is refused.
Status CheckFormat(Database& database, const std::string& directory) {
  ASSIGN_OR_RETURN(const uint64_t found, ReadMeta(database, "format", 0));
  if (found > kFormatVersion) {
    return Fail(Code::kUnavailable, "data directory " + directory + " was written by a newer cairn (format " +
                                        std::to_string(found) + ", this one reads " +
                                        std::to_string(kFormatVersion) + ")");
  }
  if (found == kFormatVersion) return {};
  rocksdb::WriteBatch batch;
  const auto put = [&](std::string_view name, uint64_t number) {
    std::string value;
    AppendBigEndian(value, number, 8);
    batch.Put(database.family(Family::kCatalog), MetaKey(name), value).PermitUncheckedError();
  };
  put("format", kFormatVersion);
  // Before format 2 nobody noted which stream records had been trimmed: none of them is vouched for.
  ASSIGN_OR_RETURN(const uint64_t next_sequence, ReadMeta(database, "next_sequence", 1));
  put("trimmed_through", next_sequence - 1);
  return database.Write(batch);
}

struct Loaded {
  std::unique_ptr<internal::Catalog> catalog;
  uint64_t next_sequence = 0;
};

Result<Loaded> Load(Database& database, const std::string& directory) {
  RETURN_IF_ERROR(CheckFormat(database, directory));
  Loaded loaded;
  ASSIGN_OR_RETURN(loaded.catalog, internal::Catalog::Load(database));
  ASSIGN_OR_RETURN(loaded.next_sequence, internal::FirstSequence(database));
  return loaded;
}

// A client is not told which file is damaged; who starts the store has to know.
Error WithFile(const Database& database, const std::string& directory, Error error) {
  if (error.code != Code::kDamaged) return error;
  const Status checked = database.VerifyChecksums();
  return {error.code, "cannot open data directory " + directory + ": " +
                          (checked ? error.message : checked.error().message)};
}

// RocksDB syncs its own directory; the entry of that directory in its parent is ours to make durable.
void SyncParent(const std::string& directory) {
  const auto parent = std::filesystem::absolute(directory).parent_path();
  const int descriptor = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // not readable for us: then it was not made by us either
  if (::fsync(descriptor) != 0)
    log::Warning("cannot sync the data directory's parent", {{"path", parent.string()}});
  ::close(descriptor);
}

Status MakeDirectory(const EngineOptions& options) {
  if (options.durability == Durability::kMemory || options.env) return {};
  std::error_code error;
  std::filesystem::create_directories(options.directory, error);
  if (error) {
    return Fail(Code::kUnavailable,
                "cannot create data directory " + options.directory + ": " + error.message());
  }
  SyncParent(options.directory);
  return {};
}

}  // namespace

Engine::Engine(EngineOptions options, const Clock& clock, Random& random)
    : options_(std::move(options)),
      clock_(clock),
      random_(random),
      tokens_(std::make_unique<internal::TokensInFlight>()) {}

Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Open(EngineOptions options, const Clock& clock, Random& random) {
  std::unique_ptr<Engine> engine(new Engine(std::move(options), clock, random));
  RETURN_IF_ERROR(MakeDirectory(engine->options_));
  ASSIGN_OR_RETURN(engine->database_, Database::Open(engine->options_));
  auto loaded = Load(*engine->database_, engine->options_.directory);
  if (!loaded) return Fail(WithFile(*engine->database_, engine->options_.directory, loaded.error()));
  engine->catalog_ = std::move(loaded->catalog);
  const bool relaxed = engine->options_.durability == Durability::kRelaxed;
  engine->writer_ =
      std::make_unique<Writer>(*engine->database_, clock, loaded->next_sequence,
                               relaxed ? Writer::Sequences::kReserved : Writer::Sequences::kKept);
  engine->jobs_ = std::make_unique<internal::Jobs>(engine->options_, *engine->database_, *engine->catalog_,
                                                   *engine->writer_, clock);
  return engine;
}

EngineHealth Engine::Health() const { return database_->Health(); }

void Engine::Flush() {
  writer_->GiveBackSequences();
  database_->Flush();
}

Status Engine::Checkpoint(const std::string& directory) { return database_->Checkpoint(directory); }

void Engine::RunJobs() { jobs_->RunRound(); }

}  // namespace cairn::engine
