#include "domains/values/tree/fields.h"

#include "base/json_text.h"

namespace cairn::values {
namespace {

std::optional<std::string> Json(const std::string& text) { return JsonText(text); }
std::optional<std::string> Json(bool truth) { return truth ? "true" : "false"; }
std::optional<std::string> Json(int64_t count) {
  return count == 0 ? std::nullopt : std::optional(std::to_string(count));
}
std::optional<std::string> Json(NodeType type) { return JsonText(models::values::ToText(type)); }
std::optional<std::string> Json(const std::optional<std::string>& text) {
  return text ? Json(*text) : std::nullopt;
}

template <auto kMember>
constexpr NodeField Field(std::string_view name) {
  return {name, [](const Node& node) { return Json(node.*kMember); },
          [](const Node& one, const Node& other) { return one.*kMember == other.*kMember; },
          [](const Node& from, Node& to) { to.*kMember = from.*kMember; }};
}

constexpr NodeField kFields[] = {
    Field<&Node::type>("nodeType"),
    Field<&Node::title>("title"),
    Field<&Node::notes>("notes"),
    Field<&Node::created_at>("createdAt"),
    Field<&Node::completed_at>("completedAt"),
    Field<&Node::archived>("archived"),
    Field<&Node::archived_at>("archivedAt"),
    Field<&Node::deleted_at>("deletedAt"),
    Field<&Node::packed_actions>("packedActions"),
};

}  // namespace

std::span<const NodeField> NodeFields() { return kFields; }

std::string JsonText(std::string_view text) {
  std::string json;
  AppendJsonString(json, text);
  return json;
}

std::string JsonTexts(std::span<const std::string> texts) {
  std::string json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ',';
    AppendJsonString(json, text);
  }
  return json + "]";
}

}  // namespace cairn::values
