// A task as clients see it. Used in this folder only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/api/convert.h"
#include "domains/nexus/tags.h"

namespace cairn::nexus {

inline constexpr rest::Rule kNewTagList{
    .max = 50, .form = rest::Form::kTitle, .doc = "A set: in no order, none twice."};
inline constexpr rest::Rule kTagList{.max = 50, .doc = "A set: in no order, none twice."};
inline constexpr rest::Rule kPriority{.min = 1, .max = 4, .doc = "1 is the highest."};

struct TaskView {
  std::string task_id, title;
  std::optional<std::string> description;
  data::TaskStatus status{};
  int64_t priority = 0;
  std::string rank;
  std::optional<std::string> due_utc, completed_at;
  std::vector<std::string> tags;
  std::optional<std::string> master_id, date;
  std::optional<int64_t> skipped_before;
  int64_t version = 0;
  std::string created_at, updated_at;
};
template <class Fields>
void Describe(Fields& fields, TaskView& task) {
  fields.Name("Task");
  fields.Body("taskId", task.task_id, kId);
  fields.Body("title", task.title, kTitle);
  fields.Body("description", task.description, kLongText);
  fields.Body("status", task.status);
  fields.Body("priority", task.priority, kPriority);
  fields.Body("rank", task.rank,
              {.kind = Kind::kId, .doc = "Its place among those of its status and priority, in byte order."});
  fields.Body("dueUtc", task.due_utc, kInstant);
  fields.Body("completedAt", task.completed_at, {.kind = Kind::kInstant, .doc = "While it is DONE."});
  fields.Body("tags", task.tags, kTagList);
  fields.Body("masterId", task.master_id, {.kind = Kind::kId, .doc = "The series it is a copy of."});
  fields.Body("date", task.date, {.doc = "The day of the series that it stands for."});
  fields.Body("skippedBefore", task.skipped_before,
              {.min = 1,
               .max = 1'000,
               .doc = "So many days of the series were over when the copy before it was done, and were "
                      "skipped; 1,000: as many or more."});
  fields.Body("version", task.version);
  fields.Body("createdAt", task.created_at, kInstant);
  fields.Body("updatedAt", task.updated_at, kInstant);
}

TaskView ViewOf(const data::Task& task);

std::vector<std::string> ListOf(const Tags& tags);

}  // namespace cairn::nexus
