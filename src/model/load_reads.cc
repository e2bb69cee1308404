#include "model/load_reads.h"

#include <algorithm>

#include "model/format.h"
#include "model/name_suggestion.h"

namespace cairn::model {
namespace {

class ReadLoader {
 public:
  ReadLoader(LoadContext& context, const Node& node, Location where, const std::string& subject, Read& read)
      : context_(context), node_(node), subject_(subject), read_(read) {
    read_.where = where;
  }

  ReadSource Load() {
    bool complete = ReadEntities();
    complete = complete && ReadIndex();
    complete = ReadTemplate("pk", FindText(node_, "pk"), source_.pk, read_.pk) && complete;
    complete = ReadSort() && complete;
    if (complete) complete = CheckSort();
    read_.consistent = Truth(node_, "consistent");
    read_.all_pages = Truth(node_, "all_pages");
    read_.alias = Text(node_, "as");
    if (read_.consistent && node_.Find("on"))
      Error(node_.Find("consistent")->where, "an index is never read consistently");
    if (read_.get && read_.all_pages) Error(node_.Find("all_pages")->where, "a get has no pages");
    source_.complete = complete;
    return source_;
  }

 private:
  void Error(Location where, std::string message) { context_.Error(where, subject_, std::move(message)); }

  bool ReadEntities() {
    const Node* get = node_.Find("get");
    const Node* query = node_.Find("query");
    if ((get != nullptr) == (query != nullptr)) {
      Error(read_.where, get ? "get and query do not go together" : "it needs 'get' or 'query'");
      return false;
    }
    read_.get = get != nullptr;
    std::vector<const Node*> names = query ? Texts(*query) : std::vector<const Node*>();
    if (const Node* name = FindText(node_, "get")) names.push_back(name);
    bool complete = !names.empty();
    for (const Node* name : names) complete = AddEntity(*name) && complete;
    return complete;
  }

  bool AddEntity(const Node& name) {
    const Entity* entity = context_.model.FindEntity(name.text);
    if (!entity) {
      Error(name.where, "there is no entity " + Quoted(name.text) +
                            DidYouMean(name.text, NamesOf(context_.model.entities)));
      return false;
    }
    const auto position = static_cast<size_t>(entity - context_.model.entities.data());
    if (std::ranges::find(read_.entities, position) != read_.entities.end()) {
      Error(name.where, Quoted(name.text) + " is here twice");
      return false;
    }
    const EntitySource& source = context_.entities[position];
    if (!source.has_table) return false;
    if (!read_.entities.empty() && entity->table != read_.table) {
      Error(name.where, entity->name + " lives in table " + context_.model.tables[entity->table].name +
                            ", not in " + table().name);
      return false;
    }
    read_.table = entity->table;
    read_.entities.push_back(position);
    return true;
  }

  const Table& table() const { return context_.model.tables[read_.table]; }

  bool ReadIndex() {
    const Node* on = FindText(node_, "on");
    if (!on) return node_.Find("on") == nullptr;
    if (read_.get) {
      Error(on->where, "get reads the table; to read an index, use query");
      return false;
    }
    const std::vector<Index>& indexes = table().indexes;
    const auto found = std::ranges::find(indexes, on->text, &Index::name);
    if (found == indexes.end()) {
      Error(on->where, "table " + table().name + " has no index " + Quoted(on->text) +
                           DidYouMean(on->text, NamesOf(indexes)));
      return false;
    }
    read_.index = static_cast<size_t>(found - indexes.begin());
    return true;
  }

  bool ReadTemplate(std::string_view key, const Node* text, const Node*& place, Template& parsed) {
    if (!text || !text->is(Node::Kind::kString) || text->text.empty()) return false;
    place = text;
    auto read = Template::Parse(text->text);
    if (!read) {
      context_.TextError(*text, subject_, read.error().message);
      return false;
    }
    parsed = *std::move(read);
    if (place == source_.high) return true;
    const bool is_upper_bound = key == "lt" || key == "lte";
    for (const TemplatePart& part : parsed.parts()) {
      if (part.format != Format::kEndOfDay || is_upper_bound) continue;
      Error(text->At(part.offset), "end_of_day is for upper bounds: the second of between, lt and lte");
      return false;
    }
    return true;
  }

  // The condition on the sort key: a text, or a table with one operator.
  bool ReadSort() {
    const Node* sk = node_.Find("sk");
    if (!sk) return true;
    read_.sk.where = sk->where;
    if (sk->is(Node::Kind::kString)) {
      read_.sk.op = SortOperator::kEqual;
      return ReadTemplate("eq", sk, source_.low, read_.sk.low);
    }
    if (!sk->is(Node::Kind::kTable)) return false;
    if (sk->members.size() != 1) {
      Error(sk->where, "a sort key condition has one operator: eq, begins, between, lt, lte, gt or gte");
      return false;
    }
    const Member& condition = sk->members[0];
    const auto found = std::ranges::find(kOperatorChoices, condition.name);
    if (found == std::end(kOperatorChoices)) return false;
    read_.sk.where = condition.where;
    read_.sk.op = static_cast<SortOperator>(1 + (found - std::begin(kOperatorChoices)));
    if (read_.sk.op != SortOperator::kBetween)
      return ReadTemplate(condition.name, &condition.value, source_.low, read_.sk.low);
    return ReadBetween(condition.value);
  }

  bool ReadBetween(const Node& bounds) {
    if (!bounds.is(Node::Kind::kArray) || bounds.elements.size() < 2) return false;
    if (bounds.elements.size() > 2) {
      Error(bounds.elements[2].where, "between has two bounds");
      return false;
    }
    source_.high = &bounds.elements[1];
    const bool low = ReadTemplate("between", &bounds.elements[0], source_.low, read_.sk.low);
    return ReadTemplate("between", &bounds.elements[1], source_.high, read_.sk.high) && low;
  }

  // Whether the key read has a sort key, and a get says all of it.
  bool CheckSort() {
    const bool has_sort_key =
        !(read_.index ? table().indexes[*read_.index].sk_attribute : table().sk_attribute).empty();
    const bool has_condition = read_.sk.op != SortOperator::kNone;
    if (has_condition && !has_sort_key) {
      const std::string what =
          read_.index ? "index " + table().indexes[*read_.index].name : "table " + table().name;
      Error(read_.sk.where, what + " has no sort key");
      return false;
    }
    if (!read_.get || !has_sort_key || read_.sk.op == SortOperator::kEqual) return true;
    Error(has_condition ? read_.sk.where : read_.where,
          "a get needs the whole key: 'sk' as a template, or sk.eq");
    return false;
  }

  LoadContext& context_;
  const Node& node_;
  const std::string& subject_;
  Read& read_;
  ReadSource source_;
};

}  // namespace

ReadSource LoadRead(LoadContext& context, const Node& node, Location where, const std::string& subject,
                    Read& read) {
  return ReadLoader(context, node, where, subject, read).Load();
}

}  // namespace cairn::model
