// Patterns: their reads, laid on the keys of the entities they name; their parameters; everything else they
// say.
#include <algorithm>

#include "model/load_context.h"
#include "model/load_reads.h"
#include "model/name_suggestion.h"
#include "model/pattern_parameters.h"

namespace cairn::model {
namespace {

bool IsCalendar(Format format) {
  return format == Format::kYear || format == Format::kYearMonth || format == Format::kYearMonthDay;
}

bool IsRange(SortOperator op) { return op >= SortOperator::kBetween; }

class PatternLoader {
 public:
  PatternLoader(LoadContext& context, const Member& member)
      : context_(context), node_(member.value), subject_("pattern " + member.name) {
    pattern_.name = member.name;
    pattern_.where = member.where;
  }

  void Load() {
    ReadProperties();
    ReadLimits();
    ReadSteps();
    ReadFanout();
    for (size_t i = 0; i < pattern_.steps.size(); ++i) AlignStep(i);
    SettleFanout();
    BindSteps();
    ReadLookback();
    ReadProjection();
    CheckOwners();
    CheckRest();
    pattern_.parameters = parameters_.Finish(filled_);
    for (const Parameter& parameter : pattern_.parameters) {
      if (parameter.name == "limit" || parameter.name == "cursor")
        Error(pattern_.where,
              "a parameter cannot be called " + Quoted(parameter.name) + ": pages use that name");
    }
    context_.model.patterns.push_back(std::move(pattern_));
  }

 private:
  void Error(Location where, std::string message) { context_.Error(where, subject_, std::move(message)); }

  void ReadProperties() {
    const std::string scope = Text(node_, "scope");
    if (scope == "caller") pattern_.scope = Scope::kCaller;
    if (scope == "global") pattern_.scope = Scope::kGlobal;
    pattern_.verify_owner = Truth(node_, "verify_owner");
    if (Text(node_, "order") == "desc") pattern_.order = ReadOrder::kDescending;
    if (Text(node_, "on_exceed") == "truncate") pattern_.on_exceed = OnExceed::kTruncate;
    pattern_.rest = Text(node_, "rest");
    pattern_.assumed = Assumed(node_);
    pattern_.doc = Text(node_, "doc");
    const Node* slo = FindTable(node_, "slo");
    const Node* p99 = slo ? FindNumber(*slo, "p99_ms") : nullptr;
    if (!p99) return;
    pattern_.slo_p99_ms = p99->is(Node::Kind::kInteger) ? static_cast<double>(p99->integer) : p99->real;
    if (*pattern_.slo_p99_ms <= 0) Error(p99->where, "p99_ms must be greater than 0");
  }

  void ReadLimits() {
    if (const Node* limit = FindTable(node_, "limit")) {
      const auto least = Whole(*limit, "default");
      const auto most = Whole(*limit, "max");
      if (most) pattern_.limit_max = *most;
      if (!most && least) pattern_.limit_max = std::max(pattern_.limit_max, *least);
      pattern_.limit_default = least ? *least : std::min(pattern_.limit_default, pattern_.limit_max);
      if (pattern_.limit_default > pattern_.limit_max)
        Error(limit->Find("default")->where, "default is greater than max");
    }
    pattern_.max_items = Whole(node_, "max_items");
    if (const Node* on_exceed = node_.Find("on_exceed"); on_exceed && !node_.Find("max_items"))
      Error(on_exceed->where, "on_exceed needs 'max_items'");
  }

  void ReadSteps() {
    const Node* steps = node_.Find("steps");
    if (!steps) {
      if (!node_.Find("pk")) Error(pattern_.where, "a pattern needs 'pk'");
      pattern_.steps.emplace_back();
      sources_.push_back(LoadRead(context_, node_, pattern_.where, subject_, pattern_.steps[0]));
      return;
    }
    for (const std::string_view key : {"get", "query", "on", "pk", "sk", "consistent", "all_pages"}) {
      if (const Node* found = node_.Find(key))
        Error(found->where, std::string(key) + " belongs into the steps, when there are some");
    }
    for (const Node& step : steps->elements) {
      if (!step.is(Node::Kind::kTable)) continue;
      Read& read = pattern_.steps.emplace_back();
      sources_.push_back(LoadRead(context_, step, step.where, subject_, read));
      CheckAlias(step, read.alias);
    }
  }

  void CheckAlias(const Node& step, const std::string& alias) {
    if (alias.empty()) return;
    for (size_t i = 0; i + 1 < pattern_.steps.size(); ++i) {
      if (pattern_.steps[i].alias == alias)
        Error(step.Find("as")->where, "an earlier step is called " + Quoted(alias) + " already");
    }
  }

  // Lays the templates of a step on the keys of every entity it names.
  void AlignStep(size_t step) {
    const Read& read = pattern_.steps[step];
    const ReadSource& source = sources_[step];
    if (source.complete) {
      const Tenant* tenant = TenantOf(read);
      if (tenant) filled_.push_back(tenant->parameter);
    }
    MentionAll(read.pk);
    MentionAll(read.sk.low);
    MentionAll(read.sk.high);
    if (!source.complete) {
      broken_ = true;
      return;
    }
    for (const size_t entity : read.entities) {
      const auto keys = KeysOf(read, entity);
      if (!keys) continue;
      AlignKey(step, entity, "pk", *keys->first, read.pk, *source.pk);
      if (source.low) AlignKey(step, entity, "sk", *keys->second, read.sk.low, *source.low);
      if (source.high) AlignKey(step, entity, "sk", *keys->second, read.sk.high, *source.high);
    }
  }

  void MentionAll(const Template& pattern_key) {
    for (const TemplatePart& part : pattern_key.parts()) {
      if (!part.is_literal() && part.step.empty()) parameters_.Mention(part.attribute);
    }
  }

  const Tenant* TenantOf(const Read& read) const {
    const auto& tenant = context_.model.tables[read.table].tenant;
    return tenant ? &*tenant : nullptr;
  }

  // The templates of the key that is read; nothing when the entity has none there.
  std::optional<std::pair<const Template*, const Template*>> KeysOf(const Read& read, size_t position) {
    const Entity& entity = context_.model.entities[position];
    if (!read.index) {
      broken_ = broken_ || !context_.entities[position].has_keys;
      if (!context_.entities[position].has_keys) return {};
      return std::pair(&entity.pk, &entity.sk);
    }
    const auto found = std::ranges::find(entity.indexes, *read.index, &EntityIndex::index);
    if (found != entity.indexes.end()) return std::pair(&found->pk, &found->sk);
    broken_ = true;
    // Its index may be there and wrong, which has been said.
    const Index& index = context_.model.tables[read.table].indexes[*read.index];
    const Node* own = FindTable(*context_.entities[position].node, "index");
    const bool says_so = own && FindTable(*own, index.name);
    const bool has_default =
        FindTable(*context_.tables[read.table].indexes[*read.index], "default") != nullptr;
    const bool is_off = own && own->Find(index.name) && !says_so;
    if (!says_so && (is_off || !has_default))
      Error(read.where, entity.name + " is not in index " + index.name);
    return {};
  }

  void AlignKey(size_t step, size_t entity_position, std::string_view what, const Template& entity_key,
                const Template& pattern_key, const Node& text) {
    const Entity& entity = context_.model.entities[entity_position];
    const SortOperator op = pattern_.steps[step].sk.op;
    const bool whole = what == "pk" || op == SortOperator::kEqual;
    const auto positions = whole ? pattern_key.AlignKey(entity_key) : pattern_key.AlignPrefix(entity_key);
    if (!positions) {
      broken_ = true;
      return Error(text.where,
                   Quoted(pattern_key.text()) + (whole ? " can never be" : " is never a beginning of") +
                       " the " + std::string(what) + " of " + entity.name + ", " + Quoted(entity_key.text()));
    }
    size_t next = 0;
    for (const TemplatePart& part : pattern_key.parts()) {
      if (part.is_literal() || next >= positions->size()) continue;
      const TemplatePart& entity_part = entity_key.parts()[(*positions)[next++]];
      const bool in_range = what == "sk" && IsRange(op);
      if (const Status fits = AlignPart(step, part, entity_part, in_range); !fits) {
        broken_ = true;
        Error(text.At(part.offset), fits.error().message);
      }
    }
  }

  Status AlignPart(size_t step, const TemplatePart& part, const TemplatePart& entity_part, bool in_range) {
    const bool end_of_day = part.format == Format::kEndOfDay && entity_part.format == Format::kPlain;
    const bool same_format = part.format == entity_part.format && part.width == entity_part.width;
    if (!same_format && !end_of_day) {
      return Fail(Invalid("{" + part.attribute + "} needs the format that {" + entity_part.attribute +
                          "} has in the key of the entity"));
    }
    if (!part.step.empty()) {
      ASSIGN_OR_RETURN(const Attribute* attribute, StepAttribute(step, part));
      if (CommonType(attribute->type, entity_part.type)) return {};
      return Fail(Invalid("{" + part.step + "." + part.attribute + "} is " + attribute->type.ToString() +
                          ", and the key has " + entity_part.type.ToString() + " there"));
    }
    return parameters_.Add(
        {.name = part.attribute,
         .type = entity_part.type,
         .escape = entity_part.escape,
         .in_range = in_range && !IsCalendar(part.format) && part.format != Format::kEpochMilliseconds,
         .calendar_only = IsCalendar(part.format)});
  }

  // What {head.headRevId} stands for: an attribute of what an earlier get found.
  Result<const Attribute*> StepAttribute(size_t step, const TemplatePart& part) const {
    std::vector<std::string_view> aliases;
    for (size_t i = 0; i < step; ++i) {
      const Read& earlier = pattern_.steps[i];
      aliases.push_back(earlier.alias);
      if (earlier.alias != part.step) continue;
      if (!earlier.get)
        return Fail(Invalid(Quoted(part.step) + " is a query: only what a get found can be named"));
      if (earlier.entities.empty()) return Fail(Invalid(Quoted(part.step) + " names no entity"));
      const Entity& entity = context_.model.entities[earlier.entities[0]];
      if (const Attribute* attribute = entity.Find(part.attribute)) return attribute;
      return Fail(Invalid(entity.name + " has no attribute " + Quoted(part.attribute) +
                          DidYouMean(part.attribute, NamesOf(entity.attributes))));
    }
    return Fail(Invalid("no earlier step is called " + Quoted(part.step) + DidYouMean(part.step, aliases)));
  }

  void BindSteps() {
    if (broken_) return;
    for (size_t i = 0; i < pattern_.steps.size(); ++i) {
      Read& read = pattern_.steps[i];
      BindKey(i, read.pk, sources_[i].pk);
      BindKey(i, read.sk.low, sources_[i].low);
      BindKey(i, read.sk.high, sources_[i].high);
    }
  }

  void BindKey(size_t step, Template& key, const Node* text) {
    if (!text) return;
    const Status bound = key.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
      if (part.step.empty()) return parameters_.TargetOf(part.attribute);
      ASSIGN_OR_RETURN(const Attribute* attribute, StepAttribute(step, part));
      return Template::Target{part.step + "." + attribute->stored_as, attribute->type, attribute->escape};
    });
    if (!bound) context_.TextError(*text, subject_, bound.error().message);
  }

  // "year(from)..year(to)"
  void ReadFanout() {
    const Node* node = FindTable(node_, "fanout");
    if (!node) return;
    Fanout fanout{.parameter = Text(*node, "param")};
    const Node* each = FindText(*node, "each");
    if (fanout.parameter.empty() || !each) return;
    filled_.push_back(fanout.parameter);
    if (pattern_.steps.size() != 1 || pattern_.steps[0].get)
      return Error(node->where, "a fanout is for a single query");
    if (!ParseEach(each->text, fanout))
      return Error(each->where,
                   "expected the units of time, such as year(from)..year(to), month(..) or day(..)");
    pattern_.fanout = std::move(fanout);
  }

  static bool ParseEach(std::string_view text, Fanout& fanout) {
    const size_t dots = text.find("..");
    if (dots == std::string_view::npos) return false;
    std::string_view unit;
    for (std::string_view end : {text.substr(0, dots), text.substr(dots + 2)}) {
      const size_t open = end.find('(');
      if (open == std::string_view::npos || !end.ends_with(')') || end.size() < open + 3) return false;
      const bool is_first = unit.empty();
      if (!is_first && end.substr(0, open) != unit) return false;
      unit = end.substr(0, open);
      (is_first ? fanout.from : fanout.to) = end.substr(open + 1, end.size() - open - 2);
    }
    if (unit == "year") fanout.unit = Format::kYear;
    if (unit == "month") fanout.unit = Format::kYearMonth;
    if (unit == "day") fanout.unit = Format::kYearMonthDay;
    return unit == "year" || unit == "month" || unit == "day";
  }

  // The placeholder stands in pk with the unit's format; the ends are parameters, and times.
  void SettleFanout() {
    if (!pattern_.fanout) return;
    const Fanout& fanout = *pattern_.fanout;
    const Node& node = *node_.Find("fanout");
    const bool stands = std::ranges::any_of(pattern_.steps[0].pk.parts(), [&](const TemplatePart& part) {
      return !part.is_literal() && part.attribute == fanout.parameter && part.format == fanout.unit;
    });
    if (!stands && sources_[0].pk) {
      Error(node.Find("param")->where,
            "{" + fanout.parameter +
                "} must stand in pk with the format of the unit: " + "yyyy, yyyyMM or yyyyMMdd");
    }
    for (const std::string& end : {fanout.from, fanout.to}) {
      if (!parameters_.IsTyped(end)) {
        // Named here only: a date says which units.
        if (!parameters_.IsKnown(end))
          static_cast<void>(parameters_.Add({.name = end, .type = {.kind = Kind::kDate}}).has_value());
      } else if (!IsTemporal(parameters_.TargetOf(end).type.kind)) {
        Error(node.Find("each")->where,
              Quoted(end) + " is no time, but " + parameters_.TargetOf(end).type.ToString());
      }
    }
  }

  void ReadLookback() {
    const Node* node = FindTable(node_, "lookback");
    if (!node) return;
    Lookback lookback;
    if (const Node* duration = FindText(*node, "max_duration")) {
      if (const auto seconds = ParseDuration(duration->text)) {
        lookback.max_duration = *seconds;
      } else {
        context_.TextError(*duration, subject_, seconds.error().message);
      }
    }
    if (const Node* rule = FindText(*node, "keep_if")) ReadKeepIf(*rule, lookback);
    if (broken_) return;
    lookback.from = LowerBound();
    if (lookback.from.empty())
      return Error(node->where,
                   "a lookback needs a lower bound that ends in a time: sk.between, sk.gt or sk.gte");
    pattern_.lookback = std::move(lookback);
  }

  // The parameter of the query's lower bound, if it is a time.
  std::string LowerBound() const {
    const SortCondition& sk = pattern_.steps.back().sk;
    const bool has_lower = sk.op == SortOperator::kBetween || sk.op == SortOperator::kGreater ||
                           sk.op == SortOperator::kGreaterOrEqual;
    if (!has_lower || sk.low.empty() || sk.low.parts().back().is_literal()) return "";
    const TemplatePart& last = sk.low.parts().back();
    return IsTemporal(last.type.kind) && last.step.empty() ? last.attribute : "";
  }

  void ReadKeepIf(const Node& text, Lookback& lookback) {
    auto rule = Rule::Parse(text.text);
    if (!rule) return context_.TextError(text, subject_, rule.error().message);
    for (const std::string& name : rule->Parameters()) {
      if (!parameters_.IsKnown(name))
        Error(PlaceOfName(text, name),
              "there is no parameter " + Quoted(name) + DidYouMean(name, parameters_.Names()));
    }
    Location where = text.where;
    const Status bound = rule->Bind([&](const std::string& name) {
      where = PlaceOfName(text, name);
      return StoredName(name);
    });
    if (!bound && !broken_) Error(where, bound.error().message);
    if (!bound) return;
    for (const std::string& name : rule->Dependencies()) {
      if (const Index* index = IndexWithout(name))
        Error(text.where, "index " + index->name + " does not project " + Quoted(name) +
                              ", which keep_if reads: add it to the index's project");
    }
    lookback.keep_if = *std::move(rule);
  }

  // The stored name of an attribute that at least one of the entities read has.
  Result<std::string> StoredName(const std::string& name) const {
    const Attribute* found = nullptr;
    std::vector<std::string_view> known;
    for (const Read& read : pattern_.steps) {
      for (const size_t position : read.entities) {
        const Entity& entity = context_.model.entities[position];
        const Attribute* attribute = entity.Find(name);
        if (attribute && found && attribute->stored_as != found->stored_as)
          return Fail(Invalid(Quoted(name) + " is stored under different names by the entities read"));
        if (attribute) found = attribute;
        for (const Attribute& other : entity.attributes) known.push_back(other.name);
      }
    }
    if (found) return found->stored_as;
    return Fail(Invalid("no entity read has an attribute " + Quoted(name) + DidYouMean(name, known)));
  }

  void ReadProjection() {
    for (const Node* name : Texts(node_, "project")) {
      auto stored = StoredName(name->text);
      if (!stored && !HasEntities()) continue;
      if (!stored) {
        Error(name->where, stored.error().message);
      } else if (std::ranges::find(pattern_.project, *stored) != pattern_.project.end()) {
        Error(name->where, Quoted(name->text) + " is here twice");
      } else if (const Index* index = IndexWithout(*stored)) {
        Error(name->where, "index " + index->name + " does not project " + Quoted(name->text) +
                               ": add it to the index's project, or leave it out here");
      } else {
        pattern_.project.push_back(*std::move(stored));
      }
    }
  }

  // The index that is read and does not keep the attribute; null when what is read has it.
  const Index* IndexWithout(const std::string& stored_name) const {
    const Read& read = pattern_.steps.back();
    if (!read.index) return nullptr;
    const Table& table = context_.model.tables[read.table];
    const Index& index = table.indexes[*read.index];
    if (index.project_all || std::ranges::find(index.included, stored_name) != index.included.end())
      return nullptr;
    for (const std::string* key :
         {&table.pk_attribute, &table.sk_attribute, &index.pk_attribute, &index.sk_attribute}) {
      if (*key == stored_name) return nullptr;
    }
    const auto only_in_key = [&](size_t position) {
      const Attribute* attribute = context_.model.entities[position].FindStored(stored_name);
      return attribute == nullptr || attribute->in_key_only;
    };
    return std::ranges::all_of(read.entities, only_in_key) ? nullptr : &index;
  }

  bool HasEntities() const {
    return std::ranges::all_of(pattern_.steps, [](const Read& read) { return !read.entities.empty(); });
  }

  // Checks of owners need to know how an owner is named.
  void CheckOwners() {
    const bool has_tenant = std::ranges::any_of(pattern_.steps, [&](const Read& read) {
      return !read.entities.empty() && TenantOf(read) != nullptr;
    });
    if (has_tenant || !HasEntities()) return;
    if (pattern_.scope == Scope::kCaller)
      Error(node_.Find("scope")->where, "scope = \"caller\" needs a table with a tenant");
    if (pattern_.verify_owner)
      Error(node_.Find("verify_owner")->where, "verify_owner needs a table with a tenant");
  }

  // "GET /tasks/{status}?from&to": every name in it is a parameter.
  void CheckRest() {
    const Node* rest = FindText(node_, "rest");
    if (!rest) return;
    const std::string_view text = rest->text;
    if (!text.starts_with("GET /"))
      return Error(rest->where, "expected a route, such as GET /tasks/{status}");
    const size_t question = std::min(text.find('?'), text.size());
    for (size_t i = 0; i < question; ++i) {
      if (text[i] != '{') continue;
      const size_t end = text.find('}', i);
      if (end >= question) return Error(rest->At(i), "'{' is not closed");
      CheckRestName(*rest, i + 1, text.substr(i + 1, end - i - 1));
      i = end;
    }
    for (size_t i = question; i < text.size();) {
      const size_t end = std::min(text.find('&', i + 1), text.size());
      CheckRestName(*rest, i + 1, text.substr(i + 1, end - i - 1));
      i = end;
    }
  }

  void CheckRestName(const Node& rest, size_t offset, std::string_view name) {
    if (parameters_.IsKnown(name) || broken_) return;
    Error(rest.At(offset), "there is no parameter " + Quoted(name) + DidYouMean(name, parameters_.Names()));
  }

  LoadContext& context_;
  const Node& node_;
  std::string subject_;
  Pattern pattern_;
  std::vector<ReadSource> sources_;  // beside pattern_.steps
  PatternParameters parameters_;
  std::vector<std::string> filled_;  // placeholders that are no parameters: the tenant's, the fanout's
  bool broken_ = false;              // a template did not align: types are not all known
};

}  // namespace

void LoadPatterns(LoadContext& context) {
  for (const Member& member : Members(context.document, "pattern")) PatternLoader(context, member).Load();
}

}  // namespace cairn::model
