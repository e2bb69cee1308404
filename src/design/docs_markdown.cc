#include <algorithm>

#include "design/cost.h"
#include "design/docs.h"
#include "design/docs_facts.h"
#include "design/findings.h"
#include "design/lint.h"
#include "design/text_table.h"

namespace cairn::design {
namespace {

// Inside a table cell: a bar would end it.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

class MarkdownPage {
 public:
  explicit MarkdownPage(const model::Model& model) : model_(model), cost_(EstimateCost(model)) {}

  std::string Write() {
    Line("# " + model_.name);
    if (!model_.doc.empty()) Paragraph(model_.doc);
    Paragraph("Model version `" + model_.hash.substr(0, 12) +
              "`. Made by `cairn model docs`; change the model file, not this page.");
    for (size_t table = 0; table < model_.tables.size(); ++table) WriteTable(table);
    WriteEntities();
    WritePatterns();
    WriteEnums();
    WriteShapes();
    Line("\n## Guard\n");
    Facts(GuardFacts(model_));
    WriteFindings();
    return std::move(text_);
  }

 private:
  void Line(const std::string& line) { text_ += line + "\n"; }
  void Paragraph(const std::string& text) { text_ += "\n" + text + "\n"; }
  void Row(const std::vector<std::string>& cells) {
    text_ += "|";
    for (const std::string& cell : cells) text_ += " " + Cell(cell) + " |";
    text_ += "\n";
  }
  void Head(const std::vector<std::string>& titles) {
    text_ += "\n";
    Row(titles);
    Row(std::vector<std::string>(titles.size(), "---"));
  }
  void Facts(const std::vector<Fact>& facts) {
    for (const Fact& fact : facts) Line("- " + fact.label + ": " + fact.text);
  }

  void WritePicture(const std::vector<PicturePartition>& picture) {
    Head({"Partition", "Sort key", "Example", "Entity", "When"});
    for (const PicturePartition& partition : picture) {
      for (const PictureRow& row : partition.rows) {
        Row({"`" + row.partition->text() + "`", row.sort->empty() ? "" : "`" + row.sort->text() + "`",
             "`" + partition.example + "`" + (row.sort->empty() ? "" : ", `" + row.example + "`"),
             row.entity->name, row.when.empty() ? "" : "`" + row.when + "`"});
      }
    }
  }

  void WriteTable(size_t position) {
    const model::Table& table = model_.tables[position];
    Line("\n## Table " + table.name);
    if (!table.doc.empty()) Paragraph(table.doc);
    Line("");
    Facts(TableFacts(model_, position));
    WritePicture(PictureOfTable(model_, position));
    for (size_t i = 0; i < table.indexes.size(); ++i) {
      const model::Index& index = table.indexes[i];
      Line("\n### Index " + table.name + "." + index.name + "\n");
      Line("- Key: `" + index.pk_attribute + "`" +
           (index.sk_attribute.empty() ? "" : " and `" + index.sk_attribute + "`"));
      Line("- Keeps: " + ProjectionText(index));
      if (!index.assumed.empty()) Line("- Assumed: " + index.assumed);
      WritePicture(PictureOfIndex(model_, position, i));
    }
  }

  void WriteEntities() {
    if (!model_.entities.empty()) Line("\n## Entities");
    for (size_t i = 0; i < model_.entities.size(); ++i) {
      const model::Entity& entity = model_.entities[i];
      Line("\n### " + entity.name);
      if (!entity.doc.empty()) Paragraph(entity.doc);
      Line("");
      if (!entity.type.empty()) Line("- Type: `" + entity.type + "`");
      Line("- Key: `" + entity.pk.text() + "`" + (entity.sk.empty() ? "" : ", `" + entity.sk.text() + "`"));
      Facts(EntityFacts(model_, entity));
      const WriteCost& cost = cost_.writes[i];
      Line("- Cost: create " + ShortNumber(cost.create) +
           (cost.update ? ", update " + ShortNumber(*cost.update) : "") +
           (cost.move ? ", update that moves it in indexes " + ShortNumber(*cost.move) : "") +
           (cost.remove ? ", delete " + ShortNumber(*cost.remove) : "") + " write units");
      Head({"Attribute", "Type", "Rules", "Meaning"});
      for (const model::Attribute& attribute : entity.attributes) {
        Row({"`" + attribute.name + "`", attribute.type.ToString(), AttributeRules(attribute),
             attribute.doc});
      }
    }
  }

  void WritePatterns() {
    if (!model_.patterns.empty()) Line("\n## Access patterns");
    for (size_t i = 0; i < model_.patterns.size(); ++i) {
      const model::Pattern& pattern = model_.patterns[i];
      Line("\n### " + pattern.name);
      if (!pattern.doc.empty()) Paragraph(pattern.doc);
      Line("");
      for (const model::Read& read : pattern.steps) {
        Line("- " + CallName(model_, read) + ": " + KeyCondition(model_, read) + " → " +
             Enumerate(EntityNames(model_, read)));
      }
      Facts(PatternFacts(pattern));
      const ReadCost& cost = cost_.reads[i];
      Line("- Cost: " + ShortNumber(cost.consistent && cost.strong ? *cost.strong : cost.eventual) +
           " read units" +
           (cost.eventual_20 ? " a page, " + ShortNumber(*cost.eventual_20) + " for 20 items read eventually"
                             : ""));
    }
  }

  void WriteEnums() {
    if (model_.enums.empty()) return;
    Line("\n## Enums");
    Head({"Enum", "Values", ""});
    for (const model::Enum& one : model_.enums) {
      std::string values;
      for (const std::string& value : one.values) values += (values.empty() ? "`" : ", `") + value + "`";
      Row({one.name, values, one.open ? "open: others are allowed" : ""});
    }
  }

  void WriteShapes() {
    for (const model::Shape& shape : model_.shapes) {
      Line("\n## Shape " + shape.name);
      Head({"Member", "Type", "Rules", "Meaning"});
      for (const model::Attribute& member : shape.members) {
        Row({"`" + member.name + "`", member.type.ToString(), AttributeRules(member), member.doc});
      }
    }
  }

  void WriteFindings() {
    const model::Diagnostics findings = Lint(model_);
    if (findings.empty()) return;
    Line("\n## Findings and assumptions");
    Head({"Code", "About", "Finding", "Accepted because", "Line"});
    for (const model::Diagnostic& finding : findings) {
      Row({finding.code, finding.subject, finding.message, finding.accepted_reason,
           std::to_string(finding.where.line)});
    }
  }

  const model::Model& model_;
  const CostReport cost_;
  std::string text_;
};

}  // namespace

std::string DocsMarkdown(const model::Model& model) { return MarkdownPage(model).Write(); }

}  // namespace cairn::design
