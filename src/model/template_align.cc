// How two templates lie on one another: AlignKey, AlignPrefix, EndsAtBoundary of model/template.h.
#include <algorithm>

#include "model/key_part.h"
#include "model/template.h"

namespace cairn::model {
namespace {

// A template as a row of units: one for every byte of fixed text, one for every placeholder.
struct Unit {
  char byte = 0;                       // of fixed text
  const TemplatePart* part = nullptr;  // of a placeholder
  size_t position = 0;                 // of the part in the template
};

std::vector<Unit> UnitsOf(const Template& key) {
  std::vector<Unit> units;
  for (size_t i = 0; i < key.parts().size(); ++i) {
    const TemplatePart& part = key.parts()[i];
    if (!part.is_literal()) units.push_back({.part = &part, .position = i});
    for (const char c : part.literal) units.push_back({.byte = c, .position = i});
  }
  return units;
}

enum class Extent { kWhole, kBeginning };

class Alignment {
 public:
  Alignment(const Template& pattern, const Template& entity, Extent extent)
      : pattern_(UnitsOf(pattern)), entity_(UnitsOf(entity)), extent_(extent) {
    failed_.resize((pattern_.size() + 1) * (entity_.size() + 1));
  }

  std::optional<std::vector<size_t>> Find() {
    if (!From(0, 0)) return std::nullopt;
    return std::move(found_);
  }

 private:
  // Lays pattern_[i...] on entity_[j...].
  bool From(size_t i, size_t j) {
    const size_t found_before = found_.size();
    // Runs through what can lie in one way only, so that recursion is no deeper than the entity has
    // placeholders.
    while (i < pattern_.size() && j < entity_.size()) {
      if (entity_[j].part != nullptr && pattern_[i].part == nullptr) {
        if (TextOnPlaceholder(i, j)) return true;
        found_.resize(found_before);
        return false;
      }
      const bool same =
          entity_[j].part != nullptr || (pattern_[i].part == nullptr && pattern_[i].byte == entity_[j].byte);
      if (!same) {
        found_.resize(found_before);
        return false;
      }
      if (entity_[j].part != nullptr) found_.push_back(entity_[j].position);
      ++i, ++j;
    }
    if (i == pattern_.size() && (j == entity_.size() || extent_ == Extent::kBeginning)) return true;
    found_.resize(found_before);
    return false;
  }

  // Fixed text of the pattern stands for the entity's placeholder: as much of it as fits, else less.
  bool TextOnPlaceholder(size_t i, size_t j) {
    const size_t memo = i * (entity_.size() + 1) + j;
    if (failed_[memo]) return false;
    std::string text;
    for (size_t k = i; k < pattern_.size() && pattern_[k].part == nullptr && pattern_[k].byte != '#'; ++k) {
      text += pattern_[k].byte;
    }
    // The beginning of a key may end within a value.
    const bool open = extent_ == Extent::kBeginning && i + text.size() == pattern_.size() && !text.empty();
    if (open) return true;
    for (; !text.empty(); text.pop_back()) {
      if (CouldBe(*entity_[j].part, text) && From(i + text.size(), j + 1)) return true;
    }
    failed_[memo] = true;
    return false;
  }

  static bool CouldBe(const TemplatePart& part, const std::string& text) {
    if (!part.lookup.empty()) return ReadKeyPart(part, text).right;
    const size_t width = FixedWidth(part);
    return width == 0 || width == text.size();
  }

  const std::vector<Unit> pattern_, entity_;
  const Extent extent_;
  std::vector<bool> failed_;  // by positions: tried, in vain
  std::vector<size_t> found_;
};

}  // namespace

std::optional<std::vector<size_t>> Template::AlignKey(const Template& entity_key) const {
  return Alignment(*this, entity_key, Extent::kWhole).Find();
}

std::optional<std::vector<size_t>> Template::AlignPrefix(const Template& entity_key) const {
  return Alignment(*this, entity_key, Extent::kBeginning).Find();
}

bool Template::EndsAtBoundary(const Template& entity_key) const {
  if (!parts_.empty() && parts_.back().literal.ends_with('#')) return AlignPrefix(entity_key).has_value();
  return AlignKey(entity_key).has_value();
}

}  // namespace cairn::model
