// The routes of /api/values.
#include "domains/values/api/api.h"

namespace cairn::values {
namespace {

constexpr size_t kImportBytesMax = 16 * 1024 * 1024;

}  // namespace

// clang-format off
std::vector<rest::Endpoint> ValuesApi::TreeEndpoints() {
  using rest::EndpointInfo;
  const auto get = [](std::string path, std::string id, std::string summary) {
    return EndpointInfo{.method = "GET", .path = path, .id = id, .summary = summary, .tag = "values"};
  };
  const auto tagged = [&](std::string path, std::string id, std::string summary) {
    EndpointInfo info = get(path, id, summary);
    info.has_etag = true;
    return info;
  };
  const auto change = [](std::string method, std::string path, std::string id, std::string summary, int status = 200) {
    return EndpointInfo{.method = method, .path = path, .id = id, .summary = summary, .tag = "values",
                        .status = status, .has_etag = true, .takes_if_match = true};
  };
  // Of a large tree, the answer takes many milliseconds to write.
  const auto at_length = [](EndpointInfo info) {
    info.answer_length = Length::kLong;
    return info;
  };
  EndpointInfo export_info = get("/api/values/export", "exportValues", "The whole history of the tree, its tags and all plans as JSON lines");
  export_info.media_type = "application/x-ndjson";
  export_info.cost = 20;  // goes over all there is
  EndpointInfo import_info = change("POST", "/api/values/import", "importValues", "Whole histories into an empty tree and days without a plan");
  import_info.body_bytes_max = kImportBytesMax;
  EndpointInfo tag_info = change("PUT", "/api/values/tags/{name}", "putTag", "Name a revision");
  EndpointInfo demo_info = change("POST", "/api/values/demo", "fillDemo", "Some weeks of demo data into an empty account");
  import_info.cost = demo_info.cost = 20;
  EndpointInfo untag_info = change("DELETE", "/api/values/tags/{name}", "deleteTag", "The revision loses its name", 204);
  for (EndpointInfo* info : {&import_info, &tag_info, &untag_info, &demo_info}) info->has_etag = info->takes_if_match = false;

  return {
    Route(tagged("/api/values", "readTree", "The tree: current, of a revision, of a moment or of a tag"), &ValuesApi::GetTree),
    Route(tagged("/api/values/head", "readHead", "Where the tree stands"), &ValuesApi::GetHead),
    Route(change("POST", "/api/values/commits", "commitTree", "Several operations as one revision"), &ValuesApi::PostCommit),
    Route(get("/api/values/commits", "listCommits", "The log, newest first"), &ValuesApi::GetHistory),
    Route(at_length(get("/api/values/commits/{revId}", "readCommit", "A commit and what it changed")), &ValuesApi::GetCommit),
    Route(at_length(get("/api/values/diff", "diffTrees", "What differs between two revisions")), &ValuesApi::GetDiff),
    Route(change("POST", "/api/values/rollback", "rollbackTree", "An old revision as the newest one"), &ValuesApi::PostRollback),
    Route(change("POST", "/api/values/undo", "undoTree", "Back to the revision before"), &ValuesApi::PostUndo),
    Route(change("POST", "/api/values/redo", "redoTree", "What was undone, again"), &ValuesApi::PostRedo),
    Route(tagged("/api/values/nodes/{nodeId}", "readNode", "A node"), &ValuesApi::GetNode),
    Route(at_length(tagged("/api/values/nodes/{nodeId}/children", "readChildren", "Its children in order")), &ValuesApi::GetChildren),
    Route(get("/api/values/nodes/{nodeId}/history", "readNodeHistory", "Revisions that touched it"), &ValuesApi::GetNodeHistory),
    Route(change("POST", "/api/values/nodes", "createNode", "A new node", 201), &ValuesApi::PostNode),
    Route(change("PATCH", "/api/values/nodes/{nodeId}", "editNode", "Another title, other notes"), &ValuesApi::PatchNode),
    Route(change("POST", "/api/values/nodes/{nodeId}/move", "moveNode", "Another parent or place"), &ValuesApi::PostMove),
    Route(change("POST", "/api/values/nodes/{nodeId}/reorder", "reorderChildren", "Its children in another order"), &ValuesApi::PostReorder),
    Route(change("POST", "/api/values/nodes/{nodeId}/complete", "completeNode", "Done"), &ValuesApi::PostComplete),
    Route(change("POST", "/api/values/nodes/{nodeId}/uncomplete", "uncompleteNode", "Not done after all"), &ValuesApi::PostUncomplete),
    Route(change("POST", "/api/values/nodes/{nodeId}/archive", "archiveNode", "Put away"), &ValuesApi::PostArchive),
    Route(change("DELETE", "/api/values/nodes/{nodeId}", "deleteNode", "Deleted; it stays in history, and can be restored"), &ValuesApi::DeleteOne),
    Route(change("POST", "/api/values/nodes/{nodeId}/restore", "restoreNode", "Brought back"), &ValuesApi::PostRestore),
    Route(change("POST", "/api/values/pack", "packTree", "What is done, archived or deleted leaves the tree; history keeps it"), &ValuesApi::PostPack),
    Route(get("/api/values/packs", "listPacks", "What was packed away"), &ValuesApi::GetPacks),
    Route(at_length(get("/api/values/packs/{packRevId}", "readPack", "Nodes that were packed away together")), &ValuesApi::GetPack),
    Route(change("POST", "/api/values/packs/{packRevId}/unpack", "unpack", "Some or all of them in the tree again"), &ValuesApi::PostUnpack),
    Route(at_length(get("/api/values/review", "reviewWeek", "What a week did")), &ValuesApi::GetReview),
    Route(tag_info, &ValuesApi::PutOneTag),
    Route(untag_info, &ValuesApi::DeleteTag),
    Route(get("/api/values/tags", "listTags", "Names of revisions"), &ValuesApi::GetTags),
    Route(export_info, &ValuesApi::GetExport),
    Route(import_info, &ValuesApi::PostImport),
    Route(demo_info, &ValuesApi::PostDemo),
  };
}
// clang-format on

}  // namespace cairn::values
