// The route of /api/nexus/demo.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/demo.h"

namespace cairn::nexus {
namespace {

struct DemoAnswer {
  int64_t events = 0, tasks = 0, notes = 0;
};
template <class Fields>
void Describe(Fields& fields, DemoAnswer& answer) {
  fields.Name("NexusDemo");
  fields.Body("events", answer.events, {.doc = "Events and series."});
  fields.Body("tasks", answer.tasks);
  fields.Body("notes", answer.notes);
}

rest::Answered<DemoAnswer> AnswerTo(const DemoFilled& filled) {
  return rest::Answer(DemoAnswer{.events = filled.events, .tasks = filled.tasks, .notes = filled.notes});
}

Task<rest::Reply<DemoAnswer>> PostDemo(Nexus& nexus, rest::Call& call, NoFields) {
  auto filled =
      co_await FillDemo(nexus, call.caller(), [&](model::Session& platform, const DemoFilled& made) {
        return rest::StageAnswer(call, platform, AnswerTo(made));
      });
  if (!filled) co_return Refused(filled.error(), call);
  co_return AnswerTo(*filled);
}

}  // namespace

std::vector<rest::Endpoint> DemoEndpoints(Nexus& nexus) {
  rest::EndpointInfo filling = Doing("/api/nexus/demo", "fillNexusDemo",
                                     "A calendar, a board and notes into an account that has none");
  filling.has_etag = filling.takes_if_match = false;
  filling.cost = 20;
  return {Route(nexus, filling, &PostDemo)};
}

}  // namespace cairn::nexus
