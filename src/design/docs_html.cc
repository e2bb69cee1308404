#include <algorithm>

#include "design/cost.h"
#include "design/docs.h"
#include "design/docs_facts.h"
#include "design/docs_html_style.h"
#include "design/findings.h"
#include "design/html_text.h"
#include "design/lint.h"
#include "design/text_table.h"

namespace cairn::design {
namespace {

std::string Plural(size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

class HtmlPage {
 public:
  explicit HtmlPage(const model::Model& model)
      : model_(model), cost_(EstimateCost(model)), findings_(Lint(model)) {}

  std::string Write() {
    html_ =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        EscapeHtml(model_.name) + "</title>\n<style>" + std::string(kDocsStyle) +
        "</style>\n</head>\n<body>\n<div class=\"page\">\n";
    WriteNavigation();
    html_ += "<main>\n";
    WriteHeader();
    html_ += "<div id=\"tables\"></div>\n";
    for (size_t table = 0; table < model_.tables.size(); ++table) WriteTable(table);
    WriteEntities();
    WritePatterns();
    WriteEnums();
    WriteShapes();
    WriteGuard();
    WriteFindings();
    html_ += "</main>\n</div>\n</body>\n</html>\n";
    return std::move(html_);
  }

 private:
  std::string Chip(const model::Entity& entity) const {
    const auto n = static_cast<size_t>(&entity - model_.entities.data());
    return "<a class=\"chip\" " + HueOf(n) + " href=\"#" + Anchor("entity", entity.name) + "\">" +
           EscapeHtml(entity.name) + "</a>";
  }

  void NavigationGroup(const std::string& title, const std::string& group, const std::string& kind,
                       const auto& things) {
    if (things.empty()) return;
    html_ += "<li><a href=\"#" + (group) + "\">" + title + "</a><ul>";
    for (const auto& thing : things) {
      html_ += "<li><a href=\"#" + Anchor(kind, thing.name) + "\">" + EscapeHtml(thing.name) + "</a></li>";
    }
    html_ += "</ul></li>\n";
  }

  void WriteNavigation() {
    html_ += "<nav><ul>\n";
    NavigationGroup("Tables", "tables", "table", model_.tables);
    NavigationGroup("Entities", "entities", "entity", model_.entities);
    NavigationGroup("Patterns", "patterns", "pattern", model_.patterns);
    if (!model_.enums.empty()) html_ += "<li><a href=\"#enums\">Enums</a></li>\n";
    if (!model_.shapes.empty()) html_ += "<li><a href=\"#shapes\">Shapes</a></li>\n";
    html_ +=
        "<li><a href=\"#guard\">Guard</a></li>\n<li><a href=\"#findings\">Findings</a></li>\n</ul></nav>\n";
  }

  void WriteHeader() {
    html_ += "<header><h1>" + EscapeHtml(model_.name) + "</h1>\n";
    if (!model_.doc.empty()) html_ += "<p>" + RichText(model_.doc) + "</p>\n";
    html_ += "<div class=\"tags\">";
    const auto tag = [&](const std::string& text) {
      html_ += "<span class=\"tag\">" + EscapeHtml(text) + "</span>";
    };
    tag(Plural(model_.tables.size(), "table", "tables"));
    tag(Plural(model_.entities.size(), "entity", "entities"));
    tag(Plural(model_.patterns.size(), "access pattern", "access patterns"));
    tag("version " + model_.hash.substr(0, 12));
    html_ += "</div></header>\n";
  }

  void WriteFacts(const std::vector<Fact>& facts) {
    html_ += "<dl class=\"facts\">";
    for (const Fact& fact : facts) {
      html_ += "<dt>" + EscapeHtml(fact.label) + "</dt><dd>" + RichText(fact.text) + "</dd>";
    }
    html_ += "</dl>\n";
  }

  void WritePicture(const std::vector<PicturePartition>& picture, const std::string& pk_name) {
    html_ += picture.size() == 1 ? "<div class=\"picture single\">\n" : "<div class=\"picture\">\n";
    for (const PicturePartition& partition : picture) {
      html_ += "<div class=\"partition\"><div class=\"pk\"><span class=\"label\">" + EscapeHtml(pk_name) +
               "</span><span class=\"key\">" + EscapeHtml(partition.example) + "</span>";
      for (const model::Template* key : partition.templates) {
        if (!key->IsConstant()) html_ += "<span class=\"template\">" + TemplateHtml(*key) + "</span>";
      }
      html_ += "</div><ol>\n";
      for (const PictureRow& row : partition.rows) {
        const auto n = static_cast<size_t>(row.entity - model_.entities.data());
        html_ += "<li " + HueOf(n) + "><span class=\"key\">" + EscapeHtml(row.example) + "</span>" +
                 Chip(*row.entity);
        if (!row.when.empty())
          html_ += "<span class=\"when\">when <code>" + EscapeHtml(row.when) + "</code></span>";
        html_ += "</li>\n";
      }
      html_ += "</ol></div>\n";
    }
    html_ += "</div>\n";
  }

  void WriteTable(size_t position) {
    const model::Table& table = model_.tables[position];
    html_ += "<h2 id=\"" + Anchor("table", table.name) + "\">Table " + EscapeHtml(table.name) + "</h2>\n";
    if (!table.doc.empty()) html_ += "<p class=\"doc\">" + RichText(table.doc) + "</p>\n";
    html_ += "<div class=\"card\">";
    WriteFacts(TableFacts(model_, position));
    html_ += "</div>\n<h4>Partitions</h4>\n";
    WritePicture(PictureOfTable(model_, position), table.pk_attribute);
    for (size_t i = 0; i < table.indexes.size(); ++i) {
      const model::Index& index = table.indexes[i];
      html_ += "<h4>Index " + EscapeHtml(index.name) + "</h4>\n<p class=\"doc\">Key <code>" +
               EscapeHtml(index.pk_attribute) + "</code>";
      if (!index.sk_attribute.empty()) html_ += ", <code>" + EscapeHtml(index.sk_attribute) + "</code>";
      html_ += "; keeps " + RichText(ProjectionText(index)) + ".";
      if (!index.assumed.empty()) html_ += " Assumed: " + RichText(index.assumed);
      html_ += "</p>\n";
      WritePicture(PictureOfIndex(model_, position, i), index.pk_attribute);
    }
  }

  void WriteKeys(const model::Entity& entity) {
    const model::Table& table = model_.TableOf(entity);
    html_ +=
        "<div "
        "class=\"scroll\"><table "
        "class=\"keys\"><thead><tr><th></th><th>Partition</th><th>Sort</th><th>When</th></tr></"
        "thead><tbody>\n";
    const auto row = [&](const std::string& name, const model::Template& pk, const model::Template& sk,
                         const model::Rule* when) {
      html_ += "<tr><td class=\"name muted\">" + EscapeHtml(name) + "</td><td>" + TemplateHtml(pk) +
               "</td><td>" + TemplateHtml(sk) + "</td><td>";
      if (when != nullptr && !when->always()) html_ += "<code>" + EscapeHtml(when->text()) + "</code>";
      html_ += "</td></tr>\n";
    };
    row("table", entity.pk, entity.sk, nullptr);
    for (const model::EntityIndex& in : entity.indexes)
      row(table.indexes[in.index].name, in.pk, in.sk, &in.when);
    html_ += "</tbody></table></div>\n";
  }

  void WriteAttributes(const std::vector<model::Attribute>& attributes, const char* title) {
    html_ += "<div class=\"scroll\"><table class=\"stack\"><thead><tr><th>" + std::string(title) +
             "</th><th>Type</th><th>Rules</th><th>Meaning</th></tr></thead><tbody>\n";
    for (const model::Attribute& attribute : attributes) {
      std::string meaning = RichText(attribute.doc);
      if (!attribute.assumed.empty()) {
        meaning += (meaning.empty() ? "" : " ") +
                   ("<span class=\"muted\">Assumed: " + RichText(attribute.assumed)) + "</span>";
      }
      html_ += "<tr><td class=\"name\"><code>" + EscapeHtml(attribute.name) + "</code></td><td>" +
               EscapeHtml(attribute.type.ToString()) + "</td><td class=\"rules\">" +
               RichText(AttributeRules(attribute)) + "</td><td class=\"meaning\">" + meaning + "</td></tr>\n";
    }
    html_ += "</tbody></table></div>\n";
  }

  void WriteWriteCost(const WriteCost& cost) {
    html_ += "<span class=\"cost\">create <b>" + ShortNumber(cost.create) + "</b>";
    if (cost.update) html_ += " · update <b>" + ShortNumber(*cost.update) + "</b>";
    if (cost.move) html_ += " · move <b>" + ShortNumber(*cost.move) + "</b>";
    if (cost.remove) html_ += " · delete <b>" + ShortNumber(*cost.remove) + "</b>";
    html_ += " WCU</span>";
  }

  void WriteEntities() {
    if (model_.entities.empty()) return;
    html_ += "<h2 id=\"entities\">Entities</h2>\n";
    for (size_t i = 0; i < model_.entities.size(); ++i) {
      const model::Entity& entity = model_.entities[i];
      html_ += "<section class=\"card\" id=\"" + Anchor("entity", entity.name) +
               "\"><div class=\"top\"><h3>" + Chip(entity) + "</h3>";
      if (!entity.type.empty() && entity.type != entity.name)
        html_ += "<code>" + EscapeHtml(entity.type) + "</code>";
      if (model_.tables.size() > 1)
        html_ += "<span class=\"muted\">in " + EscapeHtml(model_.TableOf(entity).name) + "</span>";
      WriteWriteCost(cost_.writes[i]);
      html_ += "</div>\n";
      if (!entity.doc.empty()) html_ += "<p class=\"doc\">" + RichText(entity.doc) + "</p>\n";
      WriteKeys(entity);
      WriteFacts(EntityFacts(model_, entity));
      html_ += "<details" + std::string(model_.entities.size() <= 12 ? " open" : "") + "><summary>" +
               Plural(entity.attributes.size(), "attribute", "attributes") + "</summary>\n";
      WriteAttributes(entity.attributes, "Attribute");
      html_ += "</details></section>\n";
    }
  }

  void WritePatterns() {
    if (model_.patterns.empty()) return;
    html_ += "<h2 id=\"patterns\">Access patterns</h2>\n";
    for (size_t i = 0; i < model_.patterns.size(); ++i) {
      const model::Pattern& pattern = model_.patterns[i];
      const ReadCost& cost = cost_.reads[i];
      html_ += "<section class=\"card\" id=\"" + Anchor("pattern", pattern.name) +
               "\"><div class=\"top\"><h3>" + EscapeHtml(pattern.name) + "</h3><span class=\"cost\"><b>" +
               ShortNumber(cost.consistent && cost.strong ? *cost.strong : cost.eventual) + "</b> RCU";
      if (cost.eventual_20) html_ += " for " + ShortNumber(cost.page_items) + " items";
      html_ += cost.consistent ? ", strong</span></div>\n" : "</span></div>\n";
      if (!pattern.doc.empty()) html_ += "<p class=\"doc\">" + RichText(pattern.doc) + "</p>\n";
      html_ += "<ol class=\"steps\">\n";
      for (const model::Read& read : pattern.steps) {
        html_ += "<li><span class=\"call\">" + EscapeHtml(CallName(model_, read)) + "</span> " +
                 RichText(KeyCondition(model_, read));
        if (!read.alias.empty()) html_ += " <span class=\"muted\">as " + EscapeHtml(read.alias) + "</span>";
        html_ += "<div class=\"gives\">";
        for (const size_t entity : read.entities) html_ += Chip(model_.entities[entity]);
        html_ += "</div></li>\n";
      }
      html_ += "</ol>\n";
      WriteFacts(PatternFacts(pattern));
      html_ += "</section>\n";
    }
  }

  void WriteEnums() {
    if (model_.enums.empty()) return;
    html_ +=
        "<h2 id=\"enums\">Enums</h2>\n<div class=\"card\"><div class=\"scroll\"><table "
        "class=\"stack\"><tbody>\n";
    for (const model::Enum& one : model_.enums) {
      html_ += "<tr><td class=\"name\">" + EscapeHtml(one.name) +
               "</td><td class=\"rules\"><div class=\"values\">";
      for (const std::string& value : one.values) html_ += "<code>" + EscapeHtml(value) + "</code>";
      if (one.open) html_ += "<span class=\"muted\">and others</span>";
      html_ += "</div>";
      if (!one.assumed.empty())
        html_ += "<span class=\"muted\">Assumed: " + RichText(one.assumed) + "</span>";
      html_ += "</td></tr>\n";
    }
    html_ += "</tbody></table></div></div>\n";
  }

  void WriteShapes() {
    if (model_.shapes.empty()) return;
    html_ += "<h2 id=\"shapes\">Shapes</h2>\n";
    for (const model::Shape& shape : model_.shapes) {
      html_ += "<section class=\"card\" id=\"" + Anchor("shape", shape.name) + "\"><h3>" +
               EscapeHtml(shape.name) + "</h3>\n";
      WriteAttributes(shape.members, "Member");
      html_ += "</section>\n";
    }
  }

  void WriteGuard() {
    html_ += "<h2 id=\"guard\">Guard</h2>\n<div class=\"card\">";
    WriteFacts(GuardFacts(model_));
    html_ += "</div>\n";
  }

  void WriteFinding(const model::Diagnostic& finding) {
    html_ += "<div class=\"finding " + std::string(SeverityName(finding.severity)) +
             "\"><span class=\"code\">" + EscapeHtml(finding.code) + "</span><span><span class=\"about\">" +
             EscapeHtml(finding.subject) + "</span> " + RichText(finding.message) +
             " <span class=\"line\">line " + std::to_string(finding.where.line) + "</span></span>";
    if (!finding.accepted_reason.empty())
      html_ += "<span class=\"reason\">" + RichText(finding.accepted_reason) + "</span>";
    html_ += "</div>\n";
  }

  void WriteFindingGroup(const std::string& title, const std::vector<const model::Diagnostic*>& group) {
    if (group.empty()) return;
    html_ += "<h4>" + title + "</h4>\n<div class=\"card\">\n";
    for (const model::Diagnostic* finding : group) WriteFinding(*finding);
    html_ += "</div>\n";
  }

  void WriteFindings() {
    html_ += "<h2 id=\"findings\">Findings and assumptions</h2>\n";
    std::vector<const model::Diagnostic*> open, accepted, assumed;
    for (const model::Diagnostic& finding : findings_) {
      auto& group = finding.severity == model::Severity::kNote ? assumed
                    : finding.accepted_reason.empty()          ? open
                                                               : accepted;
      group.push_back(&finding);
    }
    if (open.empty()) html_ += "<p class=\"good\">Nothing is open.</p>\n";
    WriteFindingGroup("Open", open);
    WriteFindingGroup("Known and accepted", accepted);
    WriteFindingGroup("Assumed where the source is silent", assumed);
  }

  const model::Model& model_;
  const CostReport cost_;
  const model::Diagnostics findings_;
  std::string html_;
};

}  // namespace

std::string DocsHtml(const model::Model& model) { return HtmlPage(model).Write(); }

}  // namespace cairn::design
