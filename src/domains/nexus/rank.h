// Ranks: texts that put the cards of a group in an order, each a fraction between two others (GSI3SK ends
// with it). A card moves by getting a new one; its neighbours keep theirs.
//
// Digits are the printable ASCII characters above '#', in their byte order, so whatever may stand in a key is
// a rank. Each new one is chosen by chance among billions: two clients who drop cards at the same place at
// the same time do not make the same. Stored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

namespace cairn::nexus {

inline constexpr size_t kRankBytesMax = 64;
// No rank is less, none is greater.
inline const std::string kRankLowest(1, '$');
inline const std::string kRankHighest(kRankBytesMax, '~');

// Between two cards; "" where there is none: at the beginning or the end.
struct RankGap {
  std::string after, before;
};

// A rank strictly inside, at most kRankBytesMax bytes; nothing when there is no room. At an open end there is
// for millions of cards in a row; between two that stay, for some hundred.
std::optional<std::string> RankIn(const RankGap& gap, Random& random);

// So many, ascending, with room between them. Nothing when there is none.
std::optional<std::vector<std::string>> RanksIn(const RankGap& gap, size_t count, Random& random);

}  // namespace cairn::nexus
