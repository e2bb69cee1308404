// Words: how a search compares texts. Letters of any case and with any accent are the same ("Café" is found
// by "cafe"), and a word is found by its beginning. Pure.
//
// Folds what is simple: Latin with accents, Greek and Cyrillic capitals, combining accents. Scripts without
// spaces between words are found by the beginning of a run of letters only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::nexus {

struct Word {
  std::string folded;
  size_t begin = 0, end = 0;  // bytes of the text it stands for
};

// The words of a text, in their order.
std::vector<Word> WordsOf(std::string_view text);

enum class Match { kNone, kBeginning, kWhole };
// How well one folded word of a query is found among words.
Match Find(std::string_view wanted, const std::vector<Word>& words);

// What a search looks at.
struct Findable {
  std::string_view title, body;
  std::vector<std::string_view> tags;
};
struct Hit {
  int64_t score = 0;  // 0: not found. Titles count more than tags, tags more than bodies, whole words more
  size_t body_offset = 0;  // of the first word found in the body; 0 when none was
};
// All words must be found, each anywhere.
Hit Search(const std::vector<Word>& wanted, const Findable& findable);

// A piece of a text around an offset, in whole words, on one line.
inline constexpr size_t kSnippetBytesMax = 160;
std::string SnippetOf(std::string_view text, size_t offset);

}  // namespace cairn::nexus
