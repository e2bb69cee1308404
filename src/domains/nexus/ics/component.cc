#include "domains/nexus/ics/component.h"

#include <algorithm>

#include "base/utf8.h"

namespace cairn::nexus::ics {
namespace {

std::string NameIn(const ContentLine& line) {
  std::string name(line.value.substr(0, 100));
  while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.pop_back();
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return std::string(CutUtf8(name, 40));
}

class ComponentReader {
 public:
  explicit ComponentReader(Notes& notes) : notes_(notes) {}

  Status Read(std::string_view text) {
    LineReader lines(text);
    while (auto line = lines.Next()) {
      auto content = ParseContentLine(*line);
      if (!content) {
        notes_.Add(line->number, OpenName(), "", "is not a property: it has no name or no value");
      } else if (content->name == "BEGIN") {
        RETURN_IF_ERROR(Begin(*content));
      } else if (content->name == "END") {
        End(*content);
      } else if (open_.empty()) {
        notes_.Add(content->line, "", content->name.substr(0, 40), "stands outside of every component");
      } else {
        open_.back().properties.push_back(*std::move(content));
      }
    }
    while (!open_.empty()) {
      notes_.Add(open_.back().line, open_.back().name, "", "is not closed: the file may have been cut off");
      Close(/*is_closed=*/false);
    }
    return {};
  }

  std::vector<Component> Take() { return std::move(done_); }

 private:
  std::string OpenName() const { return open_.empty() ? "" : open_.back().name; }

  Status Begin(const ContentLine& line) {
    if (++count_ > kComponentsMax)
      return Fail(Code::kLimitExceeded, "A calendar has at most 20,000 components: split the file");
    if (open_.size() == kDepthMax)
      return Fail(Code::kLimitExceeded, "The components lie too deep in one another");
    open_.push_back(
        {.name = NameIn(line), .line = line.line, .properties = {}, .components = {}, .is_closed = false});
    return {};
  }

  void End(const ContentLine& line) {
    const std::string name = NameIn(line);
    const auto found = std::ranges::find(open_.rbegin(), open_.rend(), name, &Component::name);
    if (found == open_.rend()) return notes_.Add(line.line, name, "END", "closes nothing");
    while (open_.back().name != name) {
      notes_.Add(open_.back().line, open_.back().name, "", "is not closed");
      Close(false);
    }
    Close(true);
  }

  void Close(bool is_closed) {
    Component component = std::move(open_.back());
    open_.pop_back();
    component.is_closed = is_closed;
    (open_.empty() ? done_ : open_.back().components).push_back(std::move(component));
  }

  Notes& notes_;
  size_t count_ = 0;
  std::vector<Component> open_, done_;
};

}  // namespace

void Notes::Add(int64_t line, std::string_view component, std::string_view property, std::string reason) {
  ++total;
  if (first.size() < kNotesMax)
    first.push_back({line, std::string(component), std::string(property), std::move(reason)});
}

const ContentLine* Component::Find(std::string_view property) const {
  const auto found = std::ranges::find(properties, property, &ContentLine::name);
  return found == properties.end() ? nullptr : &*found;
}

Result<std::vector<Component>> ReadComponents(std::string_view text, Notes& notes) {
  ComponentReader reader(notes);
  RETURN_IF_ERROR(reader.Read(text));
  return reader.Take();
}

}  // namespace cairn::nexus::ics
