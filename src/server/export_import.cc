// cairn export and cairn import: a table as DynamoDB JSON lines, {"Item": {...}} each, the form of AWS's own
// exports.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "base/task.h"
#include "engine/engine.h"
#include "item/item_json.h"
#include "item/key_schema.h"
#include "server/command.h"
#include "server/progress_bar.h"

namespace cairn::server {
namespace {

struct Transfer {
  std::string data = "./data";
  std::string table;
  std::string file = "-";
};

constexpr std::string_view kLineStart = R"({"Item":)";

Result<store::TableDescription> Describe(engine::Engine& engine, const std::string& table) {
  auto description = SyncWait(engine.DescribeTable(table));
  if (!description) return Fail(Code::kResourceNotFound, "there is no table " + table);
  return description;
}

Status WriteItems(engine::Engine& engine, const Transfer& transfer, std::ostream& out, uint64_t total) {
  ProgressBar bar("exporting", total);
  store::ScanRequest request;
  request.table = transfer.table;
  uint64_t done = 0;
  do {
    ASSIGN_OR_RETURN(store::PageResponse page, SyncWait(engine.Scan(request)));
    std::string lines;
    for (const item::PackedItem& item : page.items) {
      lines += kLineStart;
      item::AppendItemJson(lines, item);
      lines += "}\n";
    }
    out << lines;
    if (!out) return Fail(Code::kUnavailable, "cannot write to " + transfer.file);
    bar.Update(done += page.items.size());
    request.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (request.exclusive_start_key);
  out.flush();
  std::fprintf(stderr, "%llu items exported\n", static_cast<unsigned long long>(done));
  return out ? Status() : Fail(Code::kUnavailable, "cannot write to " + transfer.file);
}

int Export(const Transfer& transfer) {
  auto engine = OpenExisting(transfer.data);
  if (!engine) return Complain(engine.error().message);
  const auto description = Describe(**engine, transfer.table);
  if (!description) return Complain(description.error().message);
  std::ofstream file;
  if (transfer.file != "-") {
    file.open(transfer.file, std::ios::binary);
    if (!file) return Complain("cannot write to " + transfer.file);
  }
  const Status status = WriteItems(**engine, transfer, transfer.file == "-" ? std::cout : file,
                                   static_cast<uint64_t>(description->item_count));
  return status ? kExitOk : Complain(status.error().message);
}

// A line is {"Item": {...}} or the bare item.
Result<item::Item> ParseLine(std::string_view line) {
  const size_t start = line.find_first_not_of(" \t");
  const std::string_view wrapped = line.substr(start == std::string_view::npos ? 0 : start);
  ASSIGN_OR_RETURN(
      item::Item outer,
      item::ParseItemJson(wrapped.starts_with(kLineStart)
                              ? wrapped.substr(kLineStart.size(), wrapped.rfind('}') - kLineStart.size())
                              : wrapped));
  return outer;
}

// Writes 25 at a time, one commit each. A key that comes twice within 25 lines splits them, so that the later
// wins.
class Importer {
 public:
  Importer(engine::Engine& engine, const store::TableDefinition& table)
      : engine_(engine), table_(table.name), key_schema_(table.key_schema) {}

  Status Add(item::Item item) {
    RETURN_IF_ERROR(item::ValidateKeyInItem(key_schema_, item));
    item::Item key = item::KeyOf(key_schema_, item);
    const bool repeated = std::find(keys_.begin(), keys_.end(), key) != keys_.end();
    if (repeated || keys_.size() == store::kBatchWriteItemsMax) RETURN_IF_ERROR(Flush());
    keys_.push_back(std::move(key));
    batch_.actions.push_back(store::BatchPut{std::move(item)});
    return {};
  }
  Status Flush() {
    if (keys_.empty()) return {};
    store::BatchWriteItemRequest request;
    request.tables.push_back({table_, std::exchange(batch_.actions, {})});
    RETURN_IF_ERROR(SyncWait(engine_.BatchWriteItem(std::move(request))));
    written_ += std::exchange(keys_, {}).size();
    return {};
  }
  uint64_t written() const { return written_; }

 private:
  engine::Engine& engine_;
  const std::string table_;
  const item::KeySchema key_schema_;
  store::BatchWriteTable batch_;
  std::vector<item::Item> keys_;  // of the batch
  uint64_t written_ = 0;
};

Status ReadItems(engine::Engine& engine, const Transfer& transfer, const store::TableDefinition& table,
                 std::istream& in) {
  ProgressBar bar("importing", 0);
  Importer importer(engine, table);
  std::string line;
  uint64_t number = 0;
  const auto at = [&](const Error& error) {
    return Fail(error.code, transfer.file + ":" + std::to_string(number) + ": " + error.message + " (" +
                                std::to_string(importer.written()) + " items were imported before)");
  };
  while (std::getline(in, line)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto item = ParseLine(line);
    if (!item) return at(item.error());
    if (auto added = importer.Add(*std::move(item)); !added) return at(added.error());
    bar.Update(number);
  }
  if (auto flushed = importer.Flush(); !flushed) return at(flushed.error());
  std::fprintf(stderr, "%llu items imported\n", static_cast<unsigned long long>(importer.written()));
  return {};
}

int Import(const Transfer& transfer) {
  auto engine = OpenExisting(transfer.data);
  if (!engine) return Complain(engine.error().message);
  const auto description = Describe(**engine, transfer.table);
  if (!description) return Complain(description.error().message);
  std::ifstream file;
  if (transfer.file != "-") {
    file.open(transfer.file, std::ios::binary);
    if (!file) return Complain("cannot read " + transfer.file);
  }
  const Status status =
      ReadItems(**engine, transfer, description->definition, transfer.file == "-" ? std::cin : file);
  return status ? kExitOk : Complain(status.error().message);
}

std::shared_ptr<Transfer> AddTransferFlags(CLI::App& command, const char* file_help) {
  auto transfer = std::make_shared<Transfer>();
  command.add_option("--data", transfer->data, "Data directory")->capture_default_str();
  command.add_option("--table", transfer->table, "Table")->required();
  command.add_option("--file", transfer->file, file_help)->capture_default_str();
  return transfer;
}

}  // namespace

Command AddExport(CLI::App& program) {
  auto* command = program.add_subcommand("export", "Write a table's items as DynamoDB JSON lines");
  auto transfer = AddTransferFlags(*command, "File to write; - is standard output");
  return [transfer] { return Export(*transfer); };
}

Command AddImport(CLI::App& program) {
  auto* command =
      program.add_subcommand("import", "Put items from DynamoDB JSON lines into an existing table");
  auto transfer = AddTransferFlags(*command, "File to read; - is standard input");
  return [transfer] { return Import(*transfer); };
}

}  // namespace cairn::server
