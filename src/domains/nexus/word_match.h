// Words: how a search compares texts. Letters of any case and with any accent are the same ("Café" is found
// by "cafe"), and a word is found by its beginning. Pure.
//
// Folds what is simple: Latin with accents, Greek and Cyrillic capitals, combining accents. Scripts without
// spaces between words are found by the beginning of a run of letters only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

// What a search looks at.
struct Findable {
  std::string_view title, body;
  std::vector<std::string_view> tags;
};
struct Hit {
  int64_t score = 0;  // 0: not found. Titles count more than tags, tags more than bodies, whole words more
  size_t body_offset = 0;  // of the first word found in the body; 0 when none was
};

// Looks for words of a query. Every text is read once, however many words are wanted.
class WordSearch {
 public:
  explicit WordSearch(const std::vector<Word>& wanted);

  // All words must be found, each anywhere.
  Hit In(const Findable& findable) const;

 private:
  enum class Match : uint8_t { kNone, kBeginning, kWhole };
  // Where reading a word has got to: the wanted words that begin with its letters so far.
  struct State {
    std::array<uint16_t, 256> next{};  // by byte; 0: none
    uint16_t word = 0;                 // a wanted word ends here: its number, from 1
  };
  class Reader;

  // Raises what is known of each wanted word by what is found in `text`; where the first word is found.
  std::optional<size_t> Read(std::string_view text, std::vector<Match>& matches) const;

  std::vector<State> states_;    // the first one is the beginning
  std::vector<uint16_t> words_;  // of the query, as numbers
  uint16_t distinct_ = 0;
};

// A piece of a text around an offset, in whole words, on one line.
inline constexpr size_t kSnippetBytesMax = 160;
std::string SnippetOf(std::string_view text, size_t offset);

}  // namespace cairn::nexus
