#include "domains/values/tree/texts.h"

#include "base/utf8.h"
#include "domains/values/tree/tree.h"
#include "model/value_type.h"

namespace cairn::values {
namespace {

std::optional<std::string> SizeFault(std::string_view what, std::string_view text, size_t bytes_max) {
  if (text.size() > bytes_max) {
    return "The " + std::string(what) + " has " + std::to_string(text.size()) +
           " bytes; shorten it to at most " + std::to_string(bytes_max) + ".";
  }
  if (!IsUtf8(text)) return "The " + std::string(what) + " must be valid UTF-8.";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> IdFault(std::string_view id) {
  static const model::ValueType kId{.kind = model::Kind::kId};
  item::AttributeValue value{std::string(id)};
  if (model::CheckValue(kId, {}, value)) return std::nullopt;
  return "An id has 1 to 256 letters, digits and signs of ASCII, without space, '!', '\"' and '#'.";
}

std::optional<std::string> TitleFault(std::string_view title) {
  if (title.empty()) return "The title is empty; give one.";
  return SizeFault("title", title, kTitleBytesMax);
}

std::optional<std::string> NotesFault(std::string_view notes) {
  return SizeFault("text of the notes", notes, kNotesBytesMax);
}

std::optional<std::string> StoredMoment(std::string_view text) {
  static const model::ValueType kMoment{.kind = model::Kind::kInstantMs};
  item::AttributeValue value{std::string(text)};
  if (!model::CheckValue(kMoment, {}, value)) return std::nullopt;
  return value.string();
}

}  // namespace cairn::values
