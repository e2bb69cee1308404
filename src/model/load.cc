#include "model/load.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <tuple>

#include "model/document.h"
#include "model/format.h"
#include "model/load_context.h"

namespace cairn::model {
namespace {

// Words of small letters and digits, joined by '-'.
bool IsKebabCase(std::string_view name) {
  if (name.empty() || name.size() > 64 || name[0] < 'a' || name[0] > 'z' || name.back() == '-') return false;
  if (name.find("--") != std::string_view::npos) return false;
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

void LoadHead(LoadContext& context) {
  const Node* name = FindText(context.document, "name");
  context.model.doc = Text(context.document, "doc");
  if (!name) return;
  context.model.name = name->text;
  if (!IsKebabCase(name->text))
    context.Error(name->where, "", "a model's name has small letters, digits and '-', such as web-shop");
}

void LoadGuard(LoadContext& context) {
  const auto found = std::ranges::find(context.document.members, "guard", &Member::name);
  if (found == context.document.members.end()) return;
  const Node& node = found->value;
  Guard& guard = context.model.guard;
  guard.where = found->where;
  guard.forbid_scan = Text(node, "scan") != "allow";
  guard.require_projection = Text(node, "project") == "required";
  guard.forbid_unbounded_pages = Text(node, "unbounded_pages") == "forbid";
  guard.page_over = Whole(node, "page_over").value_or(guard.page_over);
  guard.batch_write_chunk = Whole(node, "batch_write_chunk").value_or(guard.batch_write_chunk);
  if (const Node* filter = FindTable(node, "filter"))
    guard.filter_max_scanned = Whole(*filter, "max_scanned").value_or(guard.filter_max_scanned);
}

void LoadAccepted(LoadContext& context) {
  const Node* list = context.document.Find("accept");
  if (!list) return;
  for (const Node& node : list->elements) {
    context.model.accepted.push_back({.code = Text(node, "code"),
                                      .at = Text(node, "at"),
                                      .reason = Text(node, "reason"),
                                      .where = node.where});
    const Node* reason = FindText(node, "reason");
    if (reason && reason->text.find_first_not_of(" \t\n") == std::string::npos)
      context.Error(reason->where, "", "the reason must say something");
  }
}

// In the order of the file. What is wrong with an attribute that entities share is said once.
Diagnostics InOrder(Diagnostics diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& d) { return std::tie(d.where, d.message); });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.where == b.where && a.message == b.message;
  };
  const auto repeated = std::ranges::unique(diagnostics, same);
  diagnostics.erase(repeated.begin(), repeated.end());
  return diagnostics;
}

void OrderAttributes(Model& model) {
  for (Entity& entity : model.entities) {
    std::vector<size_t>& order = entity.by_stored_name;
    order.resize(entity.attributes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(
        order, {}, [&](size_t position) { return std::string_view(entity.attributes[position].stored_as); });
    for (const size_t position : order) {
      const Attribute& attribute = entity.attributes[position];
      const bool derived = entity.ttl.enabled() && attribute.stored_as == model.TableOf(entity).ttl_attribute;
      if (attribute.default_value && attribute.generate == Generate::kNo && !attribute.in_key_only &&
          !derived)
        entity.defaulted.push_back(position);
    }
  }
}

Diagnostics OneError(const std::string& file, std::string message) {
  return {{.message = std::move(message), .file = file}};
}

}  // namespace

Result<ModelPtr, Diagnostics> ParseModel(std::string_view text, const std::string& file) {
  const bool is_json = file.ends_with(".json");
  if (!is_json && !file.ends_with(".toml"))
    return std::unexpected(OneError(file, "a model file ends in .toml or .json"));
  ASSIGN_OR_RETURN(const Node document, is_json ? ReadJson(text, file) : ReadToml(text, file));

  const auto model = std::make_shared<Model>();
  model->file = file;
  LoadContext context(document, *model);
  context.diagnostics = CheckDocument(document, file);
  LoadHead(context);
  LoadEnums(context);
  LoadShapes(context);
  LoadTables(context);
  LoadEntities(context);
  LoadEntityKeys(context);
  LoadEntityRules(context);
  LoadPatterns(context);
  LoadGuard(context);
  LoadAccepted(context);
  if (!context.diagnostics.empty()) return std::unexpected(InOrder(std::move(context.diagnostics)));

  OrderAttributes(*model);
  model->canonical_json = CanonicalJson(document);
  model->hash = Sha256Hex(model->canonical_json);
  return model;
}

Result<ModelPtr, Diagnostics> LoadModel(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::unexpected(OneError(file, "cannot be opened"));
  try {
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    return ParseModel(text, file);
  } catch (const std::ios_base::failure&) {  // a directory, for one
    return std::unexpected(OneError(file, "cannot be read"));
  }
}

}  // namespace cairn::model
