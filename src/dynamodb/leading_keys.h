// LeadingKeys: what an access key of the DynamoDB endpoint is limited to, as an IAM policy with the condition
// dynamodb:LeadingKeys limits a role: some partition keys of some tables, to read or also to write, with some
// of the operations.
//
// Comes from the credentials file (credentials_file.h); leading_keys_store.h sees to it that nothing else is
// touched. Pure: knows neither files nor stores. docs/credentials.md tells operators how to write patterns.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::dynamodb {

// One text, or all texts that begin with one.
class LeadingKeyPattern {
 public:
  // A `*` at the end stands for any bytes, also none. Fails with kInvalidArgument and the rest of a sentence
  // that begins with the pattern: for an empty one, a `?`, a `*` alone or elsewhere than at the end, and a
  // `*` directly behind a letter or digit, where U#alice* would match the keys of alice2 too.
  //
  // ${user} in it stands for `user`. Fails for any other ${, without a user, and for a user in whose name the
  // character behind ${user} occurs: with U#${user}#*, a user a#b would have keys of the user a.
  static Result<LeadingKeyPattern> Parse(std::string_view text, std::string_view user = {});

  // Byte by byte: no case folding, no normal forms of Unicode.
  bool Matches(std::string_view key) const;

 private:
  enum class End { kClosed, kOpen };
  LeadingKeyPattern(std::string_view text, End end) : text_(text), end_(end) {}

  std::string text_;  // without the star
  End end_;
};

enum class Access { kRead, kWrite };  // kWrite: reads and writes

struct LeadingKeys {
  std::vector<LeadingKeyPattern> patterns;  // empty: all keys of the tables
  std::set<std::string, std::less<>> tables;
  // Global indexes whose own partition keys the patterns are about, too. Others are refused, unless they have
  // the table's partition key.
  std::set<std::string, std::less<>> indexes;
  Access access = Access::kWrite;
  std::set<std::string, std::less<>> actions;  // names of operations; empty: all that limited keys may use

  bool whole_tables() const { return patterns.empty(); }
  // Whether a pattern matches. Patterns are text: numbers and binaries match none.
  bool Match(const item::AttributeValue& partition_key) const;
  bool Permits(std::string_view operation) const { return actions.empty() || actions.contains(operation); }
};

// kAccessDenied: `operation` is not for limited access keys, whatever its parameters.
Error NotWithLeadingKeys(std::string_view operation);
// kAccessDenied: this key's actions do not have it.
Error NotAmongActions(std::string_view operation);

}  // namespace cairn::dynamodb
