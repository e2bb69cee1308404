#include "dynamodb/leading_keys.h"

#include <algorithm>

namespace cairn::dynamodb {
namespace {

constexpr std::string_view kUserVariable = "${user}";

// Bytes from 0x80 on are parts of letters more often than of anything that could separate two parts of a key.
bool IsPartOfAWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || byte >= 0x80;
}

Error MatchesStrangers(const std::string& stem) {
  return Invalid("would also match " + stem + "2, a key of someone else; write two patterns instead: \"" +
                 stem + "\" and \"" + stem + "#*\" (with the separator of your keys for #)");
}

// `text` with the user for every ${user}.
Result<std::string> WithUser(std::string_view text, std::string_view user) {
  std::string whole;
  for (size_t at = 0;;) {
    const size_t variable = text.find("${", at);
    whole += text.substr(at, variable - at);
    if (variable == text.npos) return whole;
    if (!text.substr(variable).starts_with(kUserVariable)) {
      return Fail(Invalid("has a ${ that does not begin ${user}, the only variable there is"));
    }
    if (user.empty()) return Fail(Invalid("needs a user: who is meant by ${user}"));
    if (user.find_first_of("*?$") != user.npos) {
      return Fail(Invalid("needs a user without *, ? and $, which mean something in patterns"));
    }
    at = variable + kUserVariable.size();
    if (text.substr(at).starts_with('*')) return Fail(MatchesStrangers(whole + std::string(user)));
    if (at < text.size() && user.find(text[at]) != user.npos) {
      return Fail(Invalid("does not keep the user apart from others: \"" + std::string(user) + "\" has a " +
                          text[at] + ", which follows ${user}"));
    }
    whole += user;
  }
}

}  // namespace

Result<LeadingKeyPattern> LeadingKeyPattern::Parse(std::string_view pattern, std::string_view user) {
  ASSIGN_OR_RETURN(const std::string text, WithUser(pattern, user));
  if (text.empty()) return Fail(Invalid("is empty, and no key is; write the key"));
  if (text.find('?') != text.npos) {
    return Fail(Invalid("contains a ?, which stands for nothing here; write the key out"));
  }
  const size_t star = text.find('*');
  if (star == text.npos) return LeadingKeyPattern(text, End::kClosed);
  if (star != text.size() - 1) {
    return Fail(Invalid("has a * before its end; only the end of a pattern can be left open"));
  }
  const std::string_view stem = std::string_view(text).substr(0, star);
  if (stem.empty()) {
    return Fail(Invalid("would match every key; leave leadingKeys out if this access key may do everything"));
  }
  if (IsPartOfAWord(stem.back())) return Fail(MatchesStrangers(std::string(stem)));
  return LeadingKeyPattern(stem, End::kOpen);
}

bool LeadingKeyPattern::Matches(std::string_view key) const {
  return end_ == End::kOpen ? key.starts_with(text_) : key == text_;
}

bool LeadingKeys::Match(const item::AttributeValue& partition_key) const {
  if (!partition_key.is(item::Type::kString)) return false;
  return std::ranges::any_of(
      patterns, [&](const LeadingKeyPattern& pattern) { return pattern.Matches(partition_key.string()); });
}

Error NotWithLeadingKeys(std::string_view operation) {
  return {Code::kAccessDenied, "This access key is limited to some leading keys and may not use " +
                                   std::string(operation) +
                                   ". Use operations on single items, or Query, with a partition key that "
                                   "is one of them."};
}

Error NotAmongActions(std::string_view operation) {
  return {Code::kAccessDenied, "This access key may not call " + std::string(operation) +
                                   ": it is not among its actions. Nothing was done."};
}

}  // namespace cairn::dynamodb
