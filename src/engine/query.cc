// Query: the items of one partition of a table or index, in sort key order.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/key_paths.h"
#include "engine/internal/page_read.h"
#include "expr/key_condition.h"
#include "item/item_json.h"
#include "item/key_bytes.h"

namespace cairn::engine {
namespace {

using internal::PageSource;

// A filter works on what the key condition lets through, so key attributes have no place in it.
// Nor have attributes that the rows of the index do not carry. (A Scan takes them for absent.)
Status CheckFilter(const PageSource& source, const expr::ConditionPtr& filter) {
  if (!filter) return {};
  const std::vector<std::string> names = expr::ReferencedAttributes(*filter);
  for (const std::string& name : names) {
    if (source.key_schema().Contains(name)) {
      return Fail(Invalid(
          "Filter Expression can only contain non-primary key attributes: Primary key attribute: " + name));
    }
  }
  if (!source.index) return {};
  std::string missing;
  for (const std::string& name : internal::NotCarried(*source.index, names))
    missing += (missing.empty() ? "" : ", ") + name;
  if (missing.empty()) return {};
  return Fail(Invalid("One or more parameter values were invalid: Secondary index " +
                      source.index->definition.name + " does not project one or more filter attributes: [" +
                      missing + "]"));
}

void SetRange(PageSource& source, const expr::BoundKeyCondition& condition) {
  std::string partition;
  for (const item::AttributeValue& value : condition.partition) item::AppendKeyPart(partition, value);
  const std::string prefix = internal::PartitionPrefix(source.id(), partition);
  const expr::KeyRange sort = expr::SortRange(condition);
  source.low = prefix + sort.start;
  source.high = sort.end.empty() ? item::PrefixEnd(prefix) : prefix + sort.end;
}

// "{pk=AttributeValue: {S:a}}"
std::string InMessage(const item::Item& key) {
  std::string text;
  for (const item::Attribute& attribute : key) {
    text += (text.empty() ? "{" : ", ") + attribute.name + "=AttributeValue: {" +
            std::string(item::TypeName(attribute.value.type())) + ":";
    if (attribute.value.is(item::Type::kString)) text += attribute.value.string();
    if (attribute.value.is(item::Type::kNumber)) attribute.value.number().AppendTo(text);
    if (attribute.value.is(item::Type::kBinary)) item::AppendBase64(text, attribute.value.binary());
    text += "}";
  }
  return text + "}";
}

Status SetStart(PageSource& source, const item::Item& start_key) {
  ASSIGN_OR_RETURN(std::string row, internal::StartRow(source, start_key));
  if (row < source.low || row >= source.high) {
    return Fail(
        Invalid("The provided starting key is outside query boundaries based on provided conditions"));
  }
  source.after = std::move(row);
  return {};
}

}  // namespace

Task<Result<store::PageResponse>> Engine::Query(store::QueryRequest request) {
  CO_ASSIGN_OR_RETURN(internal::TableRef table, catalog_->Find(request.table));
  CO_ASSIGN_OR_RETURN(PageSource source, internal::OpenSource(std::move(table), request));
  CO_ASSIGN_OR_RETURN(const expr::BoundKeyCondition condition,
                      expr::BindKeyCondition(request.key_condition, source.key_schema()));
  CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*source.table, request.projection));
  CO_RETURN_IF_ERROR(CheckFilter(source, request.filter));
  CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*source.table, request.filter));
  source.order = request.order;
  SetRange(source, condition);
  // A partition of a table without a sort key is one item: nothing can come after it.
  const bool is_one_item = source.index == nullptr && source.key_schema().sort.empty();
  if (request.exclusive_start_key && is_one_item) {
    co_return Fail(Invalid("The provided exclusive start key is invalid: ExclusiveStartKey: " +
                           InMessage(*request.exclusive_start_key)));
  }
  if (request.exclusive_start_key) {
    CO_RETURN_IF_ERROR(SetStart(source, *request.exclusive_start_key));
  }
  CO_ASSIGN_OR_RETURN(store::PageResponse page, co_await internal::ReadPage(*database_, source, request));
  if (is_one_item) page.last_evaluated_key.reset();
  co_return page;
}

}  // namespace cairn::engine
