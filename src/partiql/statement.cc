#include "partiql/statement.h"

namespace cairn::partiql {
namespace {

const std::string& Table(const Select& select) { return select.from.table; }
const std::string& Table(const ExistsCheck& check) { return check.select.from.table; }
template <class Write>
const std::string& Table(const Write& write) {
  return write.table;
}

}  // namespace

const std::string& TableOf(const Statement& statement) {
  return std::visit([](const auto& s) -> const std::string& { return Table(s); }, statement);
}

bool IsRead(const Statement& statement) { return std::holds_alternative<Select>(statement); }

store::ReturnValues ReturningOf(const Statement& statement) {
  if (const auto* update = std::get_if<Update>(&statement)) return update->returning;
  if (const auto* deletion = std::get_if<Delete>(&statement)) return deletion->returning;
  return store::ReturnValues::kNone;
}

}  // namespace cairn::partiql
