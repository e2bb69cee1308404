#include "domains/nexus/word_match.h"

#include <algorithm>

#include "base/utf8.h"

namespace cairn::nexus {
namespace {

// One code point from the front of UTF-8; bytes that are none stand for themselves.
char32_t TakeCodePoint(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 1;
  if (length == 1 || at + length > text.size()) return byte(at++);
  char32_t point = lead & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) point = point << 6 | (byte(at + i) & 0x3F);
  at += length;
  return point;
}

void AppendUtf8(std::string& out, char32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

bool IsCombiningAccent(char32_t point) { return point >= 0x300 && point <= 0x36F; }

bool IsOfWord(char32_t point) {
  if (point < 0x80) {
    return (point >= '0' && point <= '9') || (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
  }
  if (point < 0xC0)
    return point == 0xAA || point == 0xB5 || point == 0xBA;  // signs of Latin-1: letters are few
  if (point == 0xD7 || point == 0xF7) return false;
  const bool is_punctuation = (point >= 0x2000 && point <= 0x206F) || (point >= 0x2190 && point <= 0x2BFF) ||
                              (point >= 0x3000 && point <= 0x303F) || (point >= 0xFF00 && point <= 0xFF0F);
  return !is_punctuation;
}

// Latin-1 Supplement and Latin Extended-A, U+00C0 to U+017F, as plain letters; '*' stands for two letters.
constexpr std::string_view kPlain =
    "aaaaaa*ceeeeiiiidnooooo*ouuuuy**"   // 00C0
    "aaaaaa*ceeeeiiiidnooooo*ouuuuy*y"   // 00E0
    "aaaaaaccccccccddddeeeeeeeeeegggg"   // 0100
    "gggghhhhiiiiiiiiii**jjkkklllllll"   // 0120
    "lllnnnnnnnnnoooooo**rrrrrrssssss"   // 0140
    "ssttttttuuuuuuuuuuuuwwyyyzzzzzzs";  // 0160
static_assert(kPlain.size() == 0xC0);

std::string_view TwoLetters(char32_t point) {
  switch (point) {
    case 0xC6:
    case 0xE6:
      return "ae";
    case 0xDE:
    case 0xFE:
      return "th";
    case 0xDF:
      return "ss";
    case 0x132:
    case 0x133:
      return "ij";
    case 0x152:
    case 0x153:
      return "oe";
    default:
      return "";
  }
}

void AppendFolded(std::string& out, char32_t point) {
  if (IsCombiningAccent(point)) return;
  if (point >= 'A' && point <= 'Z') point += 'a' - 'A';
  if (point >= 0xC0 && point <= 0x17F) {
    const char plain = kPlain[point - 0xC0];
    if (plain != '*') return void(out += plain);
    const std::string_view two = TwoLetters(point);
    if (!two.empty()) return void(out += two);
  }
  if (point >= 0x391 && point <= 0x3A9) point += 0x20;  // Greek capitals
  if (point == 0x3C2) point = 0x3C3;                    // final sigma
  if (point >= 0x410 && point <= 0x42F) point += 0x20;  // Cyrillic capitals
  if (point >= 0x400 && point <= 0x40F) point += 0x50;
  if (point == 0x451) point = 0x435;  // yo is written as ye
  AppendUtf8(out, point);
}

// Of a byte below 0x80: itself as a small letter or digit, or 0 when no word has it.
constexpr std::array<char, 128> kFoldedAscii = [] {
  std::array<char, 128> folded{};
  for (char c = '0'; c <= '9'; ++c) folded[static_cast<size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    folded[static_cast<size_t>(c)] = c;
    folded[static_cast<size_t>(c - 'a' + 'A')] = c;
  }
  return folded;
}();

}  // namespace

std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  Word word;
  const auto finish = [&] {
    if (!word.folded.empty()) words.push_back(std::move(word));
    word = Word();
  };
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char32_t point = TakeCodePoint(text, at);
    if (!IsOfWord(point)) {
      finish();
      continue;
    }
    if (word.folded.empty()) word.begin = begin;
    AppendFolded(word.folded, point);
    word.end = at;
  }
  finish();
  return words;
}

WordSearch::WordSearch(const std::vector<Word>& wanted) : states_(1) {
  for (const Word& word : wanted) {
    size_t at = 0;
    for (const char c : word.folded) {
      const auto byte = static_cast<unsigned char>(c);
      if (states_[at].next[byte] == 0) {
        states_[at].next[byte] = static_cast<uint16_t>(states_.size());
        states_.emplace_back();
      }
      at = states_[at].next[byte];
    }
    if (states_[at].word == 0) states_[at].word = ++distinct_;
    words_.push_back(states_[at].word);
  }
}

// Follows the letters of a text through the states.
class WordSearch::Reader {
 public:
  Reader(const std::vector<State>& states, std::vector<Match>& matches)
      : states_(states), matches_(matches) {}

  void Letter(size_t offset, char folded) {
    if (!in_word_) {
      in_word_ = true;
      begin_ = offset;
      at_ = 0;
    } else if (at_ == 0) {
      return;  // no wanted word begins like this one
    } else if (states_[at_].word != 0) {
      Found(Match::kBeginning);
    }
    at_ = states_[at_].next[static_cast<unsigned char>(folded)];
  }
  void EndWord() {
    if (!in_word_) return;
    in_word_ = false;
    if (at_ != 0 && states_[at_].word != 0) Found(Match::kWhole);
  }
  bool is_lost() const { return in_word_ && at_ == 0; }
  std::optional<size_t> first() const { return first_; }

 private:
  void Found(Match match) {
    Match& best = matches_[states_[at_].word - 1u];
    best = std::max(best, match);
    if (!first_) first_ = begin_;
  }

  const std::vector<State>& states_;
  std::vector<Match>& matches_;
  bool in_word_ = false;
  uint16_t at_ = 0;
  size_t begin_ = 0;
  std::optional<size_t> first_;
};

std::optional<size_t> WordSearch::Read(std::string_view text, std::vector<Match>& matches) const {
  Reader reader(states_, matches);
  std::string folded;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      ++at;
      if (const char letter = kFoldedAscii[byte]; letter == 0) {
        reader.EndWord();
      } else if (!reader.is_lost()) {
        reader.Letter(begin, letter);
      }
      continue;
    }
    const char32_t point = TakeCodePoint(text, at);
    if (!IsOfWord(point)) {
      reader.EndWord();
      continue;
    }
    folded.clear();
    AppendFolded(folded, point);
    for (const char letter : folded) reader.Letter(begin, letter);
  }
  reader.EndWord();
  return reader.first();
}

Hit WordSearch::In(const Findable& findable) const {
  std::vector<Match> title(distinct_), tags(distinct_), body(distinct_);
  Read(findable.title, title);
  for (const std::string_view tag : findable.tags) Read(tag, tags);
  Hit hit{.score = 0, .body_offset = Read(findable.body, body).value_or(0)};
  const auto score_of = [](Match match, int64_t whole, int64_t beginning) {
    return match == Match::kWhole ? whole : match == Match::kBeginning ? beginning : 0;
  };
  for (const uint16_t word : words_) {
    const size_t i = word - 1u;
    const int64_t score =
        std::max({score_of(title[i], 60, 50), score_of(tags[i], 40, 30), score_of(body[i], 20, 10)});
    if (score == 0) return {};
    hit.score += score;
  }
  return hit;
}

std::string SnippetOf(std::string_view text, size_t offset) {
  constexpr size_t kBefore = kSnippetBytesMax / 4;
  size_t begin = offset > kBefore ? offset - kBefore : 0;
  // Whole words: from the next space on, unless there is none before what was found.
  if (begin > 0) {
    const size_t space = text.find_first_of(" \n\t", begin);
    begin = space < offset ? space + 1 : offset;
  }
  std::string_view piece = CutUtf8(text.substr(begin), kSnippetBytesMax);
  if (begin + piece.size() < text.size()) {
    const size_t space = piece.find_last_of(" \n\t");
    if (space != std::string_view::npos && space > offset - begin) piece = piece.substr(0, space);
  }
  std::string snippet;
  for (const char c : piece) {
    const bool is_space = static_cast<unsigned char>(c) <= ' ';
    if (!is_space) snippet += c;
    if (is_space && !snippet.empty() && snippet.back() != ' ') snippet += ' ';
  }
  if (!snippet.empty() && snippet.back() == ' ') snippet.pop_back();
  return snippet;
}

}  // namespace cairn::nexus
