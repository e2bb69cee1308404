#include "model/session.h"

#include "base/check.h"
#include "model/commit.h"
#include "model/entity_codec.h"
#include "model/staged.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

item::AttributeValue Generated(const Database& database, const Attribute& attribute, Time now) {
  switch (attribute.generate) {
    case Generate::kUuid:
      return attribute.type.prefix + database.NewUuid();
    case Generate::kNow:
      return TimeValue(attribute.type.kind, now);
    default:
      return database.NewUlid();
  }
}

}  // namespace

Session::Session(Database& database, Caller caller) : database_(database), caller_(std::move(caller)) {}
Session::~Session() = default;

// Fills the owner's attribute from the caller. What belongs to another owner does not exist for this caller.
Outcome<void> Session::Own(const Entity& entity, item::Item& values) const {
  const Tenant* tenant = database_.model().TenantOf(entity);
  if (tenant == nullptr) return {};
  const std::string& stored = entity.Find(tenant->parameter)->stored_as;
  const item::AttributeValue* given = values.Find(stored);
  const std::string* own = caller_.Claim(tenant->claim);
  if (own == nullptr) {
    if (caller_.is_system() && given != nullptr) return {};
    return Fail(Code::kAccessDenied,
                "the caller has no claim " + tenant->claim + ", which says whose " + entity.name + " it is");
  }
  if (given == nullptr) {
    values.Set(stored, *own);
  } else if (!given->is(item::Type::kString) || given->string() != *own) {
    return std::unexpected(Failure(Conflict{ConflictKind::kNotFound, &entity, {}, {}}));
  }
  return {};
}

Outcome<void> Session::MayWrite(const Entity& entity) const {
  if (caller_.is_system()) return {};
  if (entity.scope == Scope::kGlobal) {
    return Fail(Code::kAccessDenied, entity.name + " belongs to nobody and is written by the system only");
  }
  return {};
}

std::string StagedKey(const Model& model, const Entity& entity, const item::Item& key) {
  const Table& table = model.TableOf(entity);
  std::string text = std::to_string(entity.table) + '\0' + key.Find(table.pk_attribute)->string();
  if (!table.sk_attribute.empty()) text += '\0' + key.Find(table.sk_attribute)->string();
  return text;
}

Task<Outcome<std::optional<Record>>> Session::Get(const Entity& entity, item::Item key) {
  const Model& model = database_.model();
  if (entity.scope == Scope::kGlobal && !entity.public_read && !caller_.is_system()) co_return std::nullopt;
  if (auto own = Own(entity, key); !own) {
    if (own.error().error.code == Code::kResourceNotFound) co_return std::nullopt;
    co_return std::unexpected(std::move(own).error());
  }
  if (auto wrong = ValidatePart(entity, key); !wrong.empty())
    co_return std::unexpected(Failure(std::move(wrong)));
  CO_ASSIGN_OR_RETURN(item::Item primary, PrimaryKey(model, entity, key));
  auto record = co_await LoadRecord(*this, entity, primary);
  if (!record) co_return std::unexpected(std::move(record).error());
  if (*record) loaded_.insert_or_assign(StagedKey(model, entity, primary), **record);
  co_return *std::move(record);
}

Outcome<item::Item> Session::Create(const Entity& entity, item::Item values) {
  RETURN_IF_ERROR(MayWrite(entity));
  if (entity.mirror) {
    return std::unexpected(
        Failure({FieldError{"", entity.name + " is kept by " + entity.mirror->entity + "." +
                                    entity.mirror->attribute + ": change that list instead"}}));
  }
  RETURN_IF_ERROR(Own(entity, values));
  Complete(database_, entity, values);
  if (auto wrong = ValidateValues(entity, values); !wrong.empty())
    return std::unexpected(Failure(std::move(wrong)));
  staged_.push_back(
      {.op = Operation::kCreate, .entity = &entity, .values = values, .changes = {}, .expected = {}});
  return values;
}

Outcome<void> Session::Replace(const Entity& entity, item::Item values, ExpectedVersion expected) {
  RETURN_IF_ERROR(MayChange(entity));
  RETURN_IF_ERROR(Own(entity, values));
  if (auto wrong = ValidatePart(entity, values); !wrong.empty())
    return std::unexpected(Failure(std::move(wrong)));
  staged_.push_back({.op = Operation::kReplace,
                     .entity = &entity,
                     .values = std::move(values),
                     .changes = {},
                     .expected = std::move(expected)});
  return {};
}

Outcome<void> Session::MayChange(const Entity& entity) const {
  RETURN_IF_ERROR(MayWrite(entity));
  if (entity.write == WriteMode::kAppend || entity.write == WriteMode::kOnce) {
    return Fail(Invalid(entity.name + " is written once and never changed"));
  }
  if (entity.mirror) {
    return Fail(
        Invalid(entity.name + " is kept by " + entity.mirror->entity + "." + entity.mirror->attribute));
  }
  return {};
}

Outcome<void> Session::Update(const Entity& entity, item::Item key, Changes changes,
                              ExpectedVersion expected) {
  RETURN_IF_ERROR(MayChange(entity));
  RETURN_IF_ERROR(Own(entity, key));
  auto wrong = ValidatePart(entity, key);
  for (FieldError& error : ValidatePart(entity, changes.set)) wrong.push_back(std::move(error));
  for (const std::string& name : changes.remove) {
    const Attribute* attribute = entity.FindStored(name);
    if (attribute == nullptr)
      wrong.push_back({name, "is not an attribute of " + entity.name});
    else if (attribute->default_value && !attribute->in_key_only)
      changes.set.Set(name, *attribute->default_value);
    else if (attribute->required)
      wrong.push_back({attribute->name, "is required"});
  }
  std::erase_if(changes.remove, [&](const std::string& name) { return changes.set.Contains(name); });
  for (const auto& [name, amount] : changes.add) {
    const Attribute* attribute = entity.FindStored(name);
    if (attribute == nullptr)
      wrong.push_back({name, "is not an attribute of " + entity.name});
    else if (attribute->type.StoredType() != item::Type::kNumber)
      wrong.push_back({attribute->name, "is no number"});
  }
  if (!wrong.empty()) return std::unexpected(Failure(std::move(wrong)));
  staged_.push_back({.op = Operation::kUpdate,
                     .entity = &entity,
                     .values = std::move(key),
                     .changes = std::move(changes),
                     .expected = std::move(expected)});
  return {};
}

Outcome<void> Session::Delete(const Entity& entity, item::Item key, ExpectedVersion expected) {
  RETURN_IF_ERROR(MayWrite(entity));
  if (entity.tombstone) {
    Changes changes;
    for (const auto& [name, value] : entity.tombstone->set) {
      const Attribute* attribute = entity.Find(name);
      const bool now = value.is(item::Type::kString) && value.string() == "$now";
      changes.set.Set(attribute->stored_as, now ? TimeValue(attribute->type.kind, database_.Now()) : value);
    }
    return Update(entity, std::move(key), std::move(changes), std::move(expected));
  }
  if (!caller_.is_system()) {
    if (entity.write == WriteMode::kAppend ||
        database_.model().TableOf(entity).delete_policy == DeletePolicy::kForbid) {
      return Fail(Invalid(entity.name + " is never deleted"));
    }
    if (entity.mirror) {
      return Fail(
          Invalid(entity.name + " is kept by " + entity.mirror->entity + "." + entity.mirror->attribute));
    }
  }
  RETURN_IF_ERROR(Own(entity, key));
  if (auto wrong = ValidatePart(entity, key); !wrong.empty())
    return std::unexpected(Failure(std::move(wrong)));
  staged_.push_back({.op = Operation::kDelete,
                     .entity = &entity,
                     .values = std::move(key),
                     .changes = {},
                     .expected = std::move(expected)});
  return {};
}

Outcome<void> Session::Check(const Entity& entity, item::Item key, ExpectedVersion expected) {
  RETURN_IF_ERROR(Own(entity, key));
  if (auto wrong = ValidatePart(entity, key); !wrong.empty())
    return std::unexpected(Failure(std::move(wrong)));
  staged_.push_back({.op = Operation::kCheck,
                     .entity = &entity,
                     .values = std::move(key),
                     .changes = {},
                     .expected = std::move(expected)});
  return {};
}

Task<Outcome<Committed>> Session::Commit(std::string token) { return CommitAll(std::move(token), nullptr); }

Task<Outcome<Committed>> Session::CommitWith(Session& other) { return CommitAll("", &other); }

Task<Outcome<Committed>> Session::CommitAll(std::string token, Session* other) {
  CommitRun run(*this, std::exchange(staged_, {}), std::move(token));
  std::optional<CommitRun> along;
  if (other != nullptr) {
    CHECK(&other->database_.store() == &database_.store(), "a transaction happens in one store");
    along.emplace(*other, std::exchange(other->staged_, {}), "");
    run.TakeAlong(*along);
    other->loaded_.clear();
  }
  auto committed = co_await run.Run();
  loaded_.clear();  // what was read is no longer what is stored
  co_return committed;
}

// Defaults, generated ids and times of a new item.
void Complete(const Database& database, const Entity& entity, item::Item& values) {
  const Time now = database.Now();
  const std::string& expiry = database.model().TableOf(entity).ttl_attribute;
  const bool derived = entity.ttl.enabled() && entity.Find(entity.ttl.from)->stored_as != expiry;
  if (derived) values.Remove(expiry);
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.automatic != Auto::kNo) {
      values.Set(attribute.stored_as, TimeValue(attribute.type.kind, now));
    } else if (attribute.name == entity.lock.version_attribute) {
      values.Set(attribute.stored_as, item::Number(1));
    } else if (attribute.generate == Generate::kNo && !attribute.default_value) {
      continue;
    } else if (values.Find(attribute.stored_as) == nullptr) {
      values.Set(attribute.stored_as, attribute.generate == Generate::kNo
                                          ? *attribute.default_value
                                          : Generated(database, attribute, now));
    }
  }
}

}  // namespace cairn::model
