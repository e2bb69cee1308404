#include "domains/values/tags.h"

namespace cairn::values {

namespace data = models::values;

Task<Decision<Tag>> Put(Values& values, model::Caller caller, PutTag request, Witness<Tag> witness) {
  model::Session session(values.database(), caller);
  model::Session platform = values.jobs().NewSession(*caller.Claim("sub"));
  auto revision = co_await values.trees().Find(session, {}, request.rev_id);
  if (!revision) co_return std::unexpected(std::move(revision).error());
  Tag tag;
  tag.name = request.name;
  tag.rev_id = revision->id;
  tag.rev_ts = revision->ts;
  auto staged = data::CreateValuesTag(session, tag);
  if (!staged) co_return std::unexpected(RefusalOf(std::move(staged).error()));
  if (auto kept = witness(platform, *staged); !kept)
    co_return std::unexpected(RefusalOf(std::move(kept).error()));
  auto committed = co_await session.CommitWith(platform);
  if (!committed) co_return std::unexpected(RefusalOf(std::move(committed).error()));
  co_return *std::move(staged);
}

Task<Decision<Tag>> RemoveTag(Values& values, model::Caller caller, std::string name, Witness<Tag> witness) {
  const std::string user_id = *caller.Claim("sub");
  // The table lets nobody but the system delete, for the sake of history. A name is none.
  model::Session session(values.database(), model::Caller::SystemFor({{"sub", user_id}}));
  model::Session platform = values.jobs().NewSession(user_id);
  const data::ValuesTagKey key{.name = name};
  auto tag = co_await data::GetValuesTag(session, key);
  if (!tag) co_return std::unexpected(RefusalOf(std::move(tag).error()));
  if (!*tag) co_return RefuseUnknown("There is no tag of this name");
  if (auto staged = data::DeleteValuesTag(session, key); !staged)
    co_return std::unexpected(RefusalOf(std::move(staged).error()));
  if (auto kept = witness(platform, **tag); !kept)
    co_return std::unexpected(RefusalOf(std::move(kept).error()));
  auto committed = co_await session.CommitWith(platform);
  if (!committed) co_return std::unexpected(RefusalOf(std::move(committed).error()));
  co_return **std::move(tag);
}

Task<Decision<TagPage>> ReadTags(model::Session& session, PageOf page) {
  const model::typed::PageOptions options{.limit = page.limit, .cursor = page.cursor};
  auto tags = co_await data::ReadValuesTags(session, options);
  if (!tags) co_return std::unexpected(RefusalOf(std::move(tags).error()));
  co_return TagPage{.tags = std::move(tags->items), .next_cursor = tags->next_cursor};
}

Task<Decision<std::string>> RevisionOfTag(model::Session& session, std::string name) {
  const data::ValuesTagKey key{.name = name};
  auto tag = co_await data::GetValuesTag(session, key);
  if (!tag) co_return std::unexpected(RefusalOf(std::move(tag).error()));
  if (!*tag) co_return RefuseUnknown("There is no tag of this name");
  co_return (*tag)->rev_id;
}

}  // namespace cairn::values
