// The parameters of one pattern while it is loaded: every use of a placeholder adds what it tells about the
// type. Private to the loader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/definition.h"

namespace cairn::model {

// The type that is right for both; nothing when no value can be. Of two kinds of ids the looser one.
std::optional<ValueType> CommonType(const ValueType& a, const ValueType& b);

class PatternParameters {
 public:
  // One placeholder on one entity's key.
  struct Use {
    std::string_view name;
    ValueType type;
    Escape escape = Escape::kRefuse;
    bool in_range = false;       // in the bound of a range, in plain form
    bool calendar_only = false;  // its year, month or day: a date tells enough
  };
  // Makes the name known, in order of appearance, even if nothing about its type is.
  void Mention(std::string_view name);
  // Fails when the types of two uses do not go together.
  Status Add(const Use& use);

  // How a placeholder of that name is bound. Precondition: it was added.
  Template::Target TargetOf(std::string_view name) const;
  bool IsKnown(std::string_view name) const { return Find(name) != nullptr; }
  bool IsTyped(std::string_view name) const;
  std::vector<std::string_view> Names() const;

  // All but those in `filled`, which somebody else fills in.
  std::vector<Parameter> Finish(const std::vector<std::string>& filled) const;

 private:
  struct Entry {
    std::string name;
    std::optional<ValueType> type;
    Escape escape = Escape::kRefuse;
    bool only_in_range = true;  // nowhere else, so that a date may stand for an instant
    bool calendar_only = true;  // so far
  };
  const Entry* Find(std::string_view name) const;
  Entry& FindOrAdd(std::string_view name);
  static bool DateToo(const Entry& entry);

  std::vector<Entry> entries_;
};

}  // namespace cairn::model
