#include "expr/legacy.h"

namespace cairn::expr {
namespace {

using item::Type;

std::unexpected<Error> InvalidValue(std::string text) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::move(text)));
}

Status Check(const LegacyUpdate& update) {
  if (!update.value) {
    if (update.action == LegacyAction::kDelete) return {};
    return InvalidValue("Only DELETE action is allowed when no attribute value is specified");
  }
  const Type type = update.value->type();
  const std::string type_name(item::TypeName(type));
  if (update.action == LegacyAction::kDelete && !item::IsSet(type)) {
    return InvalidValue("DELETE action with value is not supported for the type " + type_name);
  }
  // Unlike ADD in an expression this one appends lists, too.
  const bool is_addable = item::IsSet(type) || type == Type::kNumber || type == Type::kList;
  if (update.action == LegacyAction::kAdd && !is_addable) {
    return InvalidValue("ADD action is not supported for the type " + type_name);
  }
  return {};
}

}  // namespace

Result<Update> UpdateFromLegacy(const std::vector<LegacyUpdate>& updates) {
  Update result{
      .sets = {}, .removes = {}, .adds = {}, .deletes = {}, .source = UpdateSource::kAttributeUpdates};
  for (const LegacyUpdate& update : updates) {
    RETURN_IF_ERROR(Check(update));
    DocumentPath path{.attribute = update.attribute, .steps = {}};
    if (!update.value) {
      result.removes.push_back({std::move(path)});
    } else if (update.action == LegacyAction::kPut) {
      result.sets.push_back({std::move(path), std::make_shared<const SetValue>(SetValue{*update.value})});
    } else if (update.action == LegacyAction::kAdd) {
      result.adds.push_back({std::move(path), *update.value});
    } else {
      result.deletes.push_back({std::move(path), *update.value});
    }
  }
  return result;
}

}  // namespace cairn::expr
