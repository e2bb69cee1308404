#include "rest/text_form.h"

#include <gtest/gtest.h>

namespace cairn::rest {
namespace {

TEST(FormFault, TitleIsOneLineThatShowsSomething) {
  for (const std::string_view title :
       {"Run", " x ", "e\u0301 é", "日本語 🏔️", "\"\\/", "a\u00a0b", ""}) {
    EXPECT_EQ(FormFault(Form::kTitle, title), "") << title;
  }
  for (const std::string_view title :
       {" ", "   ", "\u00a0", "\u2003\u3000", "\u200b\ufeff", "\u2028", "\u2800"}) {
    EXPECT_EQ(FormFault(Form::kTitle, title), "must not be blank") << title;
  }
  using namespace std::string_view_literals;
  for (const std::string_view title :
       {"\0"sv, "a\0b"sv, "a\nb"sv, "\t"sv, "x\x1f"sv, "x\x7f"sv, "x\u0085"sv}) {
    EXPECT_NE(FormFault(Form::kTitle, title).find("control"), std::string_view::npos) << title;
  }
}

TEST(FormFault, NewIdIsASegmentOfAPath) {
  for (const std::string_view id : {"a", "a.b", "...", "%2F", "a?b", "~"}) {
    EXPECT_EQ(FormFault(Form::kNewId, id), "") << id;
  }
  for (const std::string_view id : {"a/b", "/", ".", ".."}) EXPECT_NE(FormFault(Form::kNewId, id), "") << id;
}

TEST(FormFault, AnyTextOfNoForm) { EXPECT_EQ(FormFault(Form::kAny, " \n/"), ""); }

}  // namespace
}  // namespace cairn::rest
