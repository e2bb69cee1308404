#include "model/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "model/document.h"
#include "model/format.h"
#include "model/model_for_test.h"

namespace cairn::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Entity& EntityNamed(const ModelPtr& model, std::string_view name) { return *model->FindEntity(name); }
const Attribute& AttributeOf(const ModelPtr& model, std::string_view entity, std::string_view name) {
  return *EntityNamed(model, entity).Find(name);
}

TEST(Load, Head) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->name, "project-desk");
  EXPECT_EQ(model->file, "test.toml");
  EXPECT_EQ(model->doc, "Every key of the format, once.");
  EXPECT_EQ(model->guard.filter_max_scanned, 500);
  EXPECT_EQ(model->guard.page_over, 50);
  EXPECT_TRUE(model->guard.forbid_scan);
  EXPECT_TRUE(model->guard.require_projection);
  EXPECT_TRUE(model->guard.forbid_unbounded_pages);
  EXPECT_EQ(model->guard.batch_write_chunk, 10);
  ASSERT_EQ(model->accepted.size(), 1u);
  EXPECT_EQ(model->accepted[0].code, "ISO-2");
  EXPECT_EQ(model->accepted[0].at, "Task.GSI3");
}

TEST(Load, EnumsAndShapes) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->enums.size(), 2u);
  EXPECT_THAT(model->enums[0].values, ElementsAre("open", "active", "done"));
  EXPECT_FALSE(model->enums[0].open);
  EXPECT_TRUE(model->enums[1].open);
  EXPECT_EQ(model->enums[1].assumed, "The source says etc.");
  ASSERT_EQ(model->shapes.size(), 2u);
  EXPECT_EQ(model->shapes[0].assumed, "the source is silent");
  ASSERT_EQ(model->shapes[0].members.size(), 2u);
  const Shape& note = model->shapes[1];
  EXPECT_EQ(note.members[1].type.shape, &model->shapes[0]);
  EXPECT_EQ(note.members[2].default_value, item::AttributeValue(item::Number(3)));
  const Attribute& notes = AttributeOf(model, "Task", "notes");
  EXPECT_EQ(notes.type.element->shape, &note);
}

TEST(Load, Tables) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Table& core = *model->FindTable("core");
  EXPECT_EQ(core.physical_name, "desk-{env}");
  EXPECT_EQ(core.type_attribute, "kind");
  EXPECT_EQ(core.type_case, NameCase::kUpper);
  EXPECT_EQ(core.attribute_case, NameCase::kCamel);
  EXPECT_EQ(core.stream, StreamContent::kNone);
  EXPECT_EQ(core.delete_policy, DeletePolicy::kForbid);
  EXPECT_EQ(core.billing, "provisioned");
  ASSERT_TRUE(core.tenant);
  EXPECT_EQ(core.tenant->leading.text(), "U#{userId}");
  ASSERT_EQ(core.indexes.size(), 3u);
  EXPECT_TRUE(core.indexes[0].project_all);
  EXPECT_FALSE(core.indexes[1].project_all);
  // Type, time to live and owner are always there.
  EXPECT_THAT(core.indexes[1].included, ElementsAre("kind", "expiry", "owner", "title"));
  EXPECT_THAT(core.indexes[2].included, ElementsAre("kind", "expiry", "owner"));
  EXPECT_EQ(core.indexes[2].sk_attribute, "");
  EXPECT_EQ(model->FindTable("flat")->stream, StreamContent::kImages);
}

TEST(Load, Attributes) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  EXPECT_EQ(AttributeOf(model, "Task", "userId").stored_as, "owner");
  EXPECT_EQ(AttributeOf(model, "Task", "createdAt").automatic, Auto::kCreate);
  const Attribute& id = AttributeOf(model, "Task", "taskId");
  EXPECT_EQ(id.generate, Generate::kUuid);
  EXPECT_EQ(id.type.prefix, "task_");
  EXPECT_TRUE(id.immutable);
  EXPECT_EQ(AttributeOf(model, "Task", "state").type.enumeration, &model->enums[0]);
  EXPECT_TRUE(AttributeOf(model, "Task", "code").secret);
  EXPECT_EQ(AttributeOf(model, "Task", "code").escape, Escape::kPercent);
  EXPECT_TRUE(AttributeOf(model, "Task", "tags").omit_empty);
  EXPECT_EQ(AttributeOf(model, "Task", "tags").default_value, item::AttributeValue(item::StringSet{{"new"}}));
  EXPECT_TRUE(AttributeOf(model, "Task", "visits").counter);
  EXPECT_TRUE(AttributeOf(model, "Task", "zone").nullable);
  EXPECT_EQ(AttributeOf(model, "Task", "weight").limits.max, *item::Number::Parse("99.25"));
  EXPECT_EQ(AttributeOf(model, "Task", "doneAt").after, "createdAt");
  EXPECT_TRUE(AttributeOf(model, "Revision", "order").in_key_only);
  EXPECT_TRUE(AttributeOf(model, "Revision", "order").required);
  // What a reference holds is what the entity calls its id.
  EXPECT_EQ(AttributeOf(model, "GoalTask", "taskId").type.element->prefix, "task_");
  EXPECT_EQ(AttributeOf(model, "GoalTask", "goalId").type.element->kind, Kind::kUlid);
  EXPECT_EQ(AttributeOf(model, "Task", "goalIds").type.element->element->kind, Kind::kUlid);
}

TEST(Load, KeysAndIndexes) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Entity& task = EntityNamed(model, "Task");
  EXPECT_THAT(task.pk.Dependencies(), ElementsAre("owner"));
  ASSERT_EQ(task.indexes.size(), 3u);
  EXPECT_EQ(task.indexes[0].pk.text(), "U#{userId}#KIND#TASK");
  EXPECT_THAT(task.indexes[0].dependencies, ElementsAre("createdAt", "owner"));
  EXPECT_THAT(task.indexes[1].dependencies, ElementsAre("dueAt", "owner", "state", "urgent"));
  EXPECT_TRUE(task.indexes[2].crosses_tenants);
  EXPECT_TRUE(task.indexes[2].sk.empty());
  EXPECT_THAT(EntityNamed(model, "Goal").indexes, IsEmpty());
  EXPECT_THAT(EntityNamed(model, "Revision").sk.Dependencies(), ElementsAre("at", "order", "name"));
}

TEST(Load, LocksAreInheritedByWhatChanges) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  EXPECT_EQ(EntityNamed(model, "Task").lock.version_attribute, "version");
  EXPECT_EQ(AttributeOf(model, "Task", "version").type.kind, Kind::kInt);
  EXPECT_EQ(EntityNamed(model, "Goal").lock.on_attribute, "title");
  EXPECT_FALSE(EntityNamed(model, "GoalTask").lock.enabled());
  EXPECT_FALSE(EntityNamed(model, "Revision").lock.enabled());
  EXPECT_EQ(EntityNamed(model, "Head").lock.version_attribute, "generation");
}

TEST(Load, EntityRules) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Entity& task = EntityNamed(model, "Task");
  EXPECT_EQ(task.ttl.from, "doneAt");
  EXPECT_EQ(task.ttl.after, std::chrono::days(30));
  EXPECT_EQ(task.ttl.after_parameter, "retention");
  ASSERT_EQ(task.uniques.size(), 2u);
  EXPECT_EQ(task.uniques[0].pk.text(), "U#{userId}#UNIQUE#Task#{slug}");
  EXPECT_EQ(task.uniques[0].sk.text(), "UNIQUE");
  EXPECT_THAT(task.uniques[0].dependencies, ElementsAre("owner", "slug"));
  EXPECT_EQ(task.uniques[1].pk.text(), "CODE#{code}");
  ASSERT_EQ(task.require_if.size(), 2u);
  EXPECT_TRUE(task.require_if[0].forbid_otherwise);
  ASSERT_TRUE(task.transitions);
  EXPECT_THAT(task.transitions->allowed.at("open"), ElementsAre("active", "done"));
  EXPECT_THAT(task.transitions->allowed.at("done"), IsEmpty());
  ASSERT_TRUE(task.tombstone);
  EXPECT_EQ(task.tombstone->set[0].second, item::AttributeValue(true));
  EXPECT_EQ(task.tombstone->set[1].second, item::AttributeValue("$now"));
  EXPECT_EQ(EntityNamed(model, "GoalTask").mirror->attribute, "goalIds");
  EXPECT_EQ(EntityNamed(model, "GoalTask").owner_parent, "Goal");
  EXPECT_EQ(EntityNamed(model, "Revision").on_key_conflict, OnKeyConflict::kBumpMillisecond);
  EXPECT_EQ(EntityNamed(model, "Head").head_of, "Revision");
  EXPECT_TRUE(EntityNamed(model, "Setting").public_read);
  EXPECT_THAT(EntityNamed(model, "Setting").transitions->allowed.at("a"), ElementsAre("b"));
}

std::string ParametersOf(const ModelPtr& model, std::string_view pattern) {
  std::string out;
  for (const Parameter& parameter : model->FindPattern(pattern)->parameters) {
    out += parameter.name + ":" + parameter.type.ToString() + (parameter.date_too ? "|date " : " ");
  }
  return out;
}

TEST(Load, PatternParametersAreTypedByTheKeysTheyStandFor) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  EXPECT_EQ(ParametersOf(model, "task"), "taskId:uuid ");
  EXPECT_EQ(ParametersOf(model, "tasksByState"), "state:enum:State from:instant|date to:instant|date ");
  EXPECT_EQ(ParametersOf(model, "everybodysTasks"), "");
  EXPECT_EQ(ParametersOf(model, "goalTasks"), "goalId:ref:Goal ");
  EXPECT_EQ(ParametersOf(model, "history"), "from:instant_ms|date to:instant_ms|date ");
  EXPECT_EQ(ParametersOf(model, "current"), "");
  EXPECT_EQ(ParametersOf(model, "setting"), "key:id ");
  EXPECT_EQ(ParametersOf(model, "later"), "on:date since:instant_ms|date ");
}

TEST(Load, Patterns) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Pattern& by_state = *model->FindPattern("tasksByState");
  ASSERT_EQ(by_state.steps.size(), 1u);
  EXPECT_EQ(by_state.steps[0].index, 1u);
  EXPECT_EQ(by_state.steps[0].sk.op, SortOperator::kBetween);
  EXPECT_EQ(by_state.order, ReadOrder::kDescending);
  EXPECT_EQ(by_state.limit_default, 20);
  EXPECT_EQ(by_state.limit_max, 200);
  EXPECT_EQ(by_state.max_items, 500);
  EXPECT_EQ(by_state.on_exceed, OnExceed::kTruncate);
  EXPECT_THAT(by_state.project, ElementsAre("title", "owner"));
  EXPECT_EQ(model->FindPattern("everybodysTasks")->scope, Scope::kCaller);
  EXPECT_TRUE(model->FindPattern("goalTasks")->steps[0].all_pages);
  EXPECT_EQ(model->FindPattern("later")->steps[0].sk.op, SortOperator::kGreaterOrEqual);
  EXPECT_EQ(model->FindPattern("upTo")->steps[0].sk.op, SortOperator::kLessOrEqual);
  EXPECT_EQ(model->FindPattern("task")->slo_p99_ms, 2.5);
}

TEST(Load, FanoutLookbackAndSteps) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Pattern& history = *model->FindPattern("history");
  ASSERT_TRUE(history.fanout);
  EXPECT_EQ(history.fanout->parameter, "day");
  EXPECT_EQ(history.fanout->unit, Format::kYearMonthDay);
  EXPECT_EQ(history.fanout->from, "from");
  EXPECT_EQ(history.fanout->to, "to");
  ASSERT_TRUE(history.lookback);
  EXPECT_EQ(history.lookback->from, "from");
  EXPECT_EQ(history.lookback->max_duration, std::chrono::days(1));
  const Pattern& current = *model->FindPattern("current");
  ASSERT_EQ(current.steps.size(), 2u);
  EXPECT_EQ(current.steps[0].alias, "head");
  EXPECT_THAT(current.steps[1].sk.low.Dependencies(), ElementsAre("head.taskRef"));
}

TEST(Load, BoundTemplatesBuildKeys) {
  const ModelPtr model = ModelOf(kCompleteModel);
  ASSERT_TRUE(model);
  const Template& high = model->FindPattern("tasksByState")->steps[0].sk.high;
  EXPECT_EQ(*high.Build(item::Item{{"to", "2026-11-15"}}), "2026-11-15~");
  const Template& pk = EntityNamed(model, "Revision").pk;
  EXPECT_EQ(*pk.Build(item::Item{{"owner", "ann"}, {"at", "2026-11-15T19:42:30.123Z"}}), "U#ann#D#20261115");
}

TEST(Load, FanoutEndsThatStandNowhereElseAreDates) {
  const ModelPtr model =
      ModelOf(std::string(kCompleteModel) +
              "[pattern.days]\nquery = [\"Revision\"]\npk = \"U#{userId}#D#{w:yyyyMMdd}\"\n"
              "fanout = { param = \"w\", each = \"day(first)..day(last)\" }\n");
  ASSERT_TRUE(model);
  EXPECT_EQ(ParametersOf(model, "days"), "first:date last:date ");
}

TEST(Load, EntityMayRedeclareCommonAttribute) {
  const ModelPtr model =
      ModelOf(std::string(kCompleteModel) +
              "[entity.Own]\ntable = \"core\"\ntype = \"OWN\"\npk = \"U#{userId}\"\nsk = \"OWN\"\n"
              "attr.userId = \"ulid!\"\n");
  ASSERT_TRUE(model);
  const Entity& own = EntityNamed(model, "Own");
  EXPECT_EQ(own.Find("userId")->type.kind, Kind::kUlid);
  EXPECT_EQ(own.Find("userId")->stored_as, "owner");
  EXPECT_EQ(own.attributes[0].name, "userId");
}

TEST(Load, GuardWithoutTenantNamesTheEntityFirst) {
  const ModelPtr model =
      ModelOf(std::string(kCompleteModel) +
              "[entity.Name]\ntable = \"flat\"\npk = \"NAME#{name}\"\nunique = [[\"mail\"]]\n"
              "attr.name = \"id!\"\nattr.mail = \"email\"\n");
  ASSERT_TRUE(model);
  const Unique& unique = EntityNamed(model, "Name").uniques[0];
  EXPECT_EQ(unique.pk.text(), "UNIQUE#Name#{mail}");
  EXPECT_TRUE(unique.sk.empty());
}

TEST(Load, LimitsFollowOneAnother) {
  const std::string base =
      std::string(kCompleteModel) + "[pattern.p]\nquery = [\"Task\"]\npk = \"U#{userId}\"\n";
  EXPECT_EQ(ModelOf(base + "limit = { max = 10 }\n")->FindPattern("p")->limit_default, 10);
  EXPECT_EQ(ModelOf(base + "limit = { default = 300 }\n")->FindPattern("p")->limit_max, 300);
}

// The names of everything, for comparing models whatever the order of the file.
std::string Outline(const Model& model) {
  std::vector<std::string> lines;
  for (const Enum& e : model.enums) lines.push_back("enum " + e.name + " " + std::to_string(e.values.size()));
  for (const Shape& s : model.shapes)
    lines.push_back("shape " + s.name + " " + std::to_string(s.members.size()));
  for (const Table& t : model.tables)
    lines.push_back("table " + t.name + " " + std::to_string(t.indexes.size()));
  for (const Entity& e : model.entities) {
    lines.push_back("entity " + e.name + " " + e.pk.text() + " " + e.sk.text());
    for (const Attribute& a : e.attributes) {
      lines.push_back(e.name + "." + a.name + " " + a.stored_as + " " + a.type.ToString() +
                      (a.default_value ? " default" : ""));
    }
    for (const EntityIndex& i : e.indexes) lines.push_back(e.name + " " + i.pk.text() + " " + i.sk.text());
  }
  for (const Pattern& p : model.patterns) {
    std::string line = "pattern " + p.name;
    for (const Parameter& parameter : p.parameters)
      line += " " + parameter.name + ":" + parameter.type.ToString();
    for (const Read& step : p.steps) line += " " + step.pk.text() + " " + step.sk.low.text();
    lines.push_back(std::move(line));
  }
  std::ranges::sort(lines);
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(Load, JsonTwinIsTheSameModel) {
  const ModelPtr toml = ModelOf(kCompleteModel);
  ASSERT_TRUE(toml);
  const ModelPtr json = ModelOf(toml->canonical_json, "test.json");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->canonical_json, toml->canonical_json);
  EXPECT_EQ(json->hash, toml->hash);
  EXPECT_EQ(toml->hash.size(), 64u);
  EXPECT_EQ(Outline(*json), Outline(*toml));
}

TEST(Load, HashTellsModelsApartButNotTheirLayout) {
  const ModelPtr model = ModelOf(kCompleteModel);
  const ModelPtr commented = ModelOf("# a comment\n" + std::string(kCompleteModel));
  EXPECT_EQ(model->hash, commented->hash);
  std::string other(kCompleteModel);
  other.replace(other.find("max = 200"), 9, "max = 201");
  EXPECT_NE(model->hash, ModelOf(other)->hash);
}

TEST(Load, ReadsFiles) {
  const auto file =
      std::filesystem::temp_directory_path() / ("model-" + std::to_string(::getpid()) + ".toml");
  std::ofstream(file) << kCompleteModel;
  const auto model = LoadModel(file.string());
  std::filesystem::remove(file);
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->file, file.string());
}

// Random damage must be told, never crash. The seed replays it.
void Mutate(std::string& text, std::mt19937& random) {
  constexpr std::string_view kPieces[] = {"{",     "}",     "\"", "#",  "[",  "]",    "=",          "\n",
                                          "!",     "$",     "..", "''", "-1", "true", "\xff",       "{a.b}",
                                          "enum:", "list<", ">",  "\\", "@",  "0",    "shape:Note", ","};
  const auto at = [&] { return random() % (text.size() + 1); };
  for (unsigned n = random() % 4 + 1; n > 0; --n) {
    const size_t begin = at();
    const size_t length = std::min<size_t>(random() % 12, text.size() - begin);
    switch (random() % 4) {
      case 0:
        text.erase(begin, length);
        break;
      case 1:
        text.insert(begin, kPieces[random() % std::size(kPieces)]);
        break;
      case 2:
        text.insert(at(), text.substr(begin, length));
        break;
      default:
        if (begin < text.size()) text[begin] = static_cast<char>(random());
        break;
    }
  }
}

// Swaps two words, which keeps the syntax right more often than random bytes do.
void SwapWords(std::string& text, std::mt19937& random) {
  const auto word = [&]() -> std::pair<size_t, size_t> {
    size_t begin = random() % text.size();
    const auto inside = [&](size_t i) {
      return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
    };
    while (begin < text.size() && !inside(begin)) ++begin;
    size_t end = begin;
    while (inside(end)) ++end;
    return {begin, end - begin};
  };
  const auto [to, to_size] = word();
  const auto [from, from_size] = word();
  text.replace(to, to_size, text.substr(from, from_size));
}

TEST(Load, DamagedModelsNeverCrash) {
  const char* given = std::getenv("CAIRN_SEED");
  const unsigned seed =
      given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device()();
  SCOPED_TRACE("CAIRN_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string json = ModelOf(kCompleteModel)->canonical_json;
  for (int i = 0; i < 300; ++i) {
    const bool is_json = i % 3 == 0;
    std::string text = is_json ? json : std::string(kCompleteModel);
    if (i % 2 == 0) {
      Mutate(text, random);
    } else {
      for (unsigned n = random() % 3 + 1; n > 0; --n) SwapWords(text, random);
    }
    const auto model = ParseModel(text, is_json ? "test.json" : "test.toml");
    if (model) continue;
    ASSERT_FALSE(model.error().empty());
    for (const Diagnostic& diagnostic : model.error()) EXPECT_FALSE(diagnostic.message.empty());
  }
}

void ExpectKeysIn(const TableForm& table, const std::string& schema);

void ExpectKeysIn(const Form& form, const std::string& schema) {
  if (form.record) ExpectKeysIn(*form.record, schema);
  if (form.element) ExpectKeysIn(*form.element, schema);
  for (const Form* alternative : form.alternatives) ExpectKeysIn(*alternative, schema);
}

void ExpectKeysIn(const TableForm& table, const std::string& schema) {
  for (const KeyForm& key : table.fields) {
    EXPECT_NE(schema.find("\"" + std::string(key.name) + "\":{\"description\":"), std::string::npos)
        << key.name;
    ExpectKeysIn(*key.form, schema);
  }
}

TEST(ModelJsonSchema, IsJsonAndNamesEveryKey) {
  const std::string schema = ModelJsonSchema();
  const auto document = ReadJson(schema, "schema.json");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->Find("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
  ExpectKeysIn(ModelFormat(), schema);
}

// Every $ref must lead somewhere.
void ExpectReferencesIn(const Node& node, const Node& definitions) {
  if (const Node* reference = node.Find("$ref"); reference && reference->is(Node::Kind::kString)) {
    const std::string_view name =
        std::string_view(reference->text).substr(std::string_view("#/$defs/").size());
    EXPECT_NE(definitions.Find(name), nullptr) << name;
  }
  for (const Member& member : node.members) ExpectReferencesIn(member.value, definitions);
  for (const Node& element : node.elements) ExpectReferencesIn(element, definitions);
}

TEST(ModelJsonSchema, ReferencesAreDefined) {
  const auto document = ReadJson(ModelJsonSchema(), "schema.json");
  ASSERT_TRUE(document);
  ExpectReferencesIn(*document, *document->Find("$defs"));
}

// The complete model is complete: each key of the format is in it somewhere.
void CollectKeys(const Node& node, std::set<std::string, std::less<>>& keys) {
  for (const Member& member : node.members) {
    keys.insert(member.name);
    CollectKeys(member.value, keys);
  }
  for (const Node& element : node.elements) CollectKeys(element, keys);
}

void ExpectUsed(const Form& form, const std::set<std::string, std::less<>>& used) {
  if (form.record) {
    for (const KeyForm& key : form.record->fields) {
      EXPECT_TRUE(used.contains(key.name)) << key.name;
      ExpectUsed(*key.form, used);
    }
  }
  if (form.element) ExpectUsed(*form.element, used);
  for (const Form* alternative : form.alternatives) ExpectUsed(*alternative, used);
}

TEST(CompleteModel, UsesEveryKeyOfTheFormat) {
  const auto document = ReadToml(kCompleteModel, "test.toml");
  ASSERT_TRUE(document);
  std::set<std::string, std::less<>> used;
  CollectKeys(*document, used);
  ExpectUsed({.kind = Form::Kind::kRecord, .record = &ModelFormat()}, used);
}

}  // namespace
}  // namespace cairn::model
