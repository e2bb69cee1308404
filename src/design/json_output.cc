#include "design/json_output.h"

#include "base/json_text.h"

namespace cairn::design {

void JsonOutput::Separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (filled_.empty()) return;
  if (filled_.back()) text_ += ',';
  filled_.back() = true;
  text_ += '\n';
  text_.append(2 * filled_.size(), ' ');
}

void JsonOutput::Begin(char bracket) {
  Separate();
  text_ += bracket;
  filled_.push_back(false);
}

void JsonOutput::End(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) {
    text_ += '\n';
    text_.append(2 * filled_.size(), ' ');
  }
  text_ += bracket;
}

void JsonOutput::Key(std::string_view name) {
  Separate();
  AppendJsonString(text_, name);
  text_ += ": ";
  after_key_ = true;
}

void JsonOutput::String(std::string_view text) {
  Separate();
  AppendJsonString(text_, text);
}

void JsonOutput::Raw(std::string_view json) {
  Separate();
  text_ += json;
}

void JsonOutput::Strings(std::string_view name, const std::vector<std::string>& texts) {
  Key(name);
  BeginArray();
  for (const std::string& text : texts) String(text);
  EndArray();
}

std::string JsonOutput::Take() { return std::move(text_) + "\n"; }

}  // namespace cairn::design
