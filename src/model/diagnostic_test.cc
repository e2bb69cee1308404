#include "model/diagnostic.h"

#include <gtest/gtest.h>

namespace cairn::model {
namespace {

TEST(Diagnostic, FindingPrintsPlaceSeverityAndCode) {
  EXPECT_EQ(ToString({.severity = Severity::kWarning,
                      .code = "ISO-1",
                      .message = "partition names no owner",
                      .file = "models/shop.toml",
                      .where = {12, 8}}),
            "models/shop.toml:12:8: warning ISO-1: partition names no owner");
}

TEST(Diagnostic, SyntaxErrorHasNoCode) {
  EXPECT_EQ(ToString({.message = "expected a text", .file = "a.toml", .where = {1, 2}}),
            "a.toml:1:2: error: expected a text");
}

TEST(Diagnostic, AcceptedFindingPrintsItsReason) {
  EXPECT_EQ(ToString({.severity = Severity::kError,
                      .code = "KEY-3",
                      .message = "unpadded number",
                      .file = "a.toml",
                      .where = {3, 4},
                      .accepted_reason = "never sorted"}),
            "a.toml:3:4: accepted KEY-3: unpadded number (never sorted)");
}

TEST(Diagnostic, UnknownPlaceIsLeftOut) {
  EXPECT_EQ(ToString({.severity = Severity::kNote, .message = "m", .file = "a.toml"}), "a.toml: note: m");
  EXPECT_EQ(ToString({.severity = Severity::kNote, .message = "m"}), "note: m");
}

TEST(Diagnostic, IsOneLine) {
  EXPECT_EQ(ToString({.message = "two\nlines", .file = "a.toml", .where = {1, 1}}),
            "a.toml:1:1: error: two lines");
}

}  // namespace
}  // namespace cairn::model
