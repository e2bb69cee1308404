#include "design/docs.h"

#include <gmock/gmock.h>

#include "design/examples.h"
#include "design/html_text.h"
#include "design/model_for_test.h"
#include "design/starter.h"
#include "model/entity_codec.h"

namespace cairn::design {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t Count(const std::string& text, std::string_view piece) {
  size_t count = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + piece.size()))
    ++count;
  return count;
}

class Docs : public testing::Test {
 protected:
  model::ModelPtr model_ = ParseForTest(kShopModel);
};

TEST_F(Docs, MarkdownTellsTablesEntitiesIndexesAndPatterns) {
  const std::string page = DocsMarkdown(*model_);
  EXPECT_THAT(page, HasSubstr("# shop"));
  EXPECT_THAT(page, HasSubstr("### Index main.GSI1"));
  EXPECT_THAT(page, HasSubstr("`U#{userId}#S#{state}`"));
  EXPECT_THAT(page, HasSubstr("- Query GSI1: `GSI1PK` = `U#{userId}#S#{state}` → Order"));
  EXPECT_THAT(page, HasSubstr("`ORDER#{orderId}`"));
  EXPECT_THAT(page, HasSubstr("ISO-2"));
}

TEST_F(Docs, HtmlStandsAlone) {
  const std::string page = DocsHtml(*model_);
  for (const char* outside : {"http://", "https://", "<script", "<link", "@import", "url(", "src="}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("name=\"viewport\""));
}

TEST_F(Docs, HtmlEscapesWhatTheModelSays) {
  const std::string page = DocsHtml(*model_);
  EXPECT_THAT(page, HasSubstr("Orders &amp; &lt;customers&gt;."));
  EXPECT_THAT(page, Not(HasSubstr("<customers>")));
}

TEST_F(Docs, HtmlElementsAreClosed) {
  const std::string page = DocsHtml(*model_);
  for (const char* name :
       {"div", "section", "table", "tr", "td", "ul", "ol", "li", "dl", "details", "span", "code", "a"}) {
    const std::string open = std::string("<") + name;
    EXPECT_EQ(Count(page, open + ">") + Count(page, open + " "), Count(page, std::string("</") + name + ">"))
        << name;
  }
}

TEST_F(Docs, LinksLeadSomewhere) {
  const std::string page = DocsHtml(*model_);
  for (size_t at = page.find("href=\"#"); at != std::string::npos; at = page.find("href=\"#", at + 1)) {
    const size_t end = page.find('"', at + 7);
    const std::string target = page.substr(at + 7, end - at - 7);
    EXPECT_THAT(page, HasSubstr("id=\"" + target + "\"")) << target;
  }
}

TEST_F(Docs, PagesAreTheSameEveryTime) {
  EXPECT_EQ(DocsHtml(*model_), DocsHtml(*model_));
  EXPECT_EQ(DocsMarkdown(*model_), DocsMarkdown(*model_));
}

TEST(HtmlText, BackticksBecomeCode) {
  EXPECT_EQ(RichText("a `b<c` d"), "a <code>b&lt;c</code> d");
  EXPECT_EQ(RichText("one ` alone"), "one ` alone");
}

TEST(HtmlText, TemplateMarksItsPlaceholders) {
  const auto key = model::Template::Parse("EDGE#{parent}#{order:06d}");
  ASSERT_TRUE(key);
  EXPECT_EQ(TemplateHtml(*key), "<span class=\"key\">EDGE#<i>parent</i>#<i>order:06d</i></span>");
}

// Examples are real items: what the codec wrote it recognises again.
TEST(Examples, ItemsAreOfTheirEntity) {
  for (const std::string& text : {std::string(kShopModel), std::string(StarterModel())}) {
    const model::ModelPtr model = ParseForTest(text);
    ASSERT_TRUE(model);
    for (size_t i = 0; i < model->entities.size(); ++i) {
      const model::Entity& entity = model->entities[i];
      for (const int n : {0, 1}) {
        const item::Item values = ExampleValues(*model, entity, n);
        EXPECT_TRUE(entity.pk.Build(values)) << entity.name;
        EXPECT_TRUE(entity.sk.Build(values)) << entity.name;
        const std::vector<size_t> candidates{i};
        EXPECT_EQ(model::EntityOf(*model, candidates, item::PackedItem::Pack(ExampleItem(*model, entity, n))),
                  &entity);
      }
    }
  }
}

TEST(Examples, ReferencesPointAtTheirExample) {
  const model::ModelPtr model = ParseForTest(kShopModel);
  ASSERT_TRUE(model);
  const item::Item order = ExampleValues(*model, *model->FindEntity("Order"), 0);
  const item::Item link = ExampleValues(*model, *model->FindEntity("TagOrder"), 0);
  EXPECT_EQ(*order.Find("orderId"), *link.Find("orderId"));
}

}  // namespace
}  // namespace cairn::design
