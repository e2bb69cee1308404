#include "domains/nexus/api/task_view.h"

namespace cairn::nexus {

TaskView ViewOf(const data::Task& task) {
  return {.task_id = task.task_id.value_or(""),
          .title = task.title,
          .description = task.description,
          .status = task.status.value_or(data::TaskStatus::kBacklog),
          .priority = task.priority.value_or(0),
          .rank = task.rank.value_or(""),
          .due_utc = task.due_utc,
          .completed_at = task.completed_at,
          .tags = ListOf(task.tags),
          .master_id = task.master_id,
          .date = task.date,
          .skipped_before = task.skipped_before,
          .version = task.version.value_or(0),
          .created_at = task.created_at.value_or(""),
          .updated_at = task.updated_at.value_or("")};
}

std::vector<std::string> ListOf(const Tags& tags) {
  return tags ? std::vector<std::string>(tags->begin(), tags->end()) : std::vector<std::string>();
}

}  // namespace cairn::nexus
