"""The models have the tables, keys, indexes, prefixes and times to live that the requirements list.

The tables below are written from the requirements, not from the models: <name> is a placeholder as the requirement spells
it. Where the model's attribute is called differently, or is padded, the last column says so.
"""

import re
import unittest

from exported_model import NAMES, exported

# Physical name, model, its name there, partition key, sort key, indexes, attribute of the time to live.
TABLES = [
    ("App", "values", "App", "PK", "SK", {}, None),
    ("ProductivityData", "nexus", "ProductivityData", "PK", "SK",
     {"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK"), "GSI3": ("GSI3PK", "GSI3SK")}, None),
    ("anw-core-{env}", "diatonic", "core", "PK", "SK",
     {"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK"), "GSI3": ("GSI3PK", "GSI3SK"),
      "GSI4": ("GSI4PK", "GSI4SK")}, "TTL"),
    ("anw-events-{env}", "diatonic", "events", "PK", "SK", {"GSI1": ("GSI1PK", "GSI1SK")}, "TTL"),
    ("anw-realtime-{env}", "diatonic", "realtime", "PK", "SK", {"GSI1": ("GSI1PK", None)}, "TTL"),
    ("anw-messages-{env}", "diatonic", "messages", "PK", "SK", {"GSI1": ("GSI1PK", "GSI1SK")}, "TTL"),
    ("anw-idempotency-{env}", "diatonic", "idempotency", "PK", "SK", {}, "TTL"),
    ("personal-os-{stage}", "personal-os", "main", "pk", "sk",
     {"GSI1": ("gsi1pk", "gsi1sk"), "GSI2": ("gsi2pk", "gsi2sk")}, "ttl"),
    ("CommitCollect", "commitcollect", "CommitCollect", "PK", "SK", {"GSI1": ("GSI1PK", "GSI1SK")}, None),
    ("CommitCollectSessions", "commitcollect", "Sessions", "PK", "SK", {}, "expiresAtUtc"),
    ("CommitCollectAudit", "commitcollect", "Audit", "PK", "SK",
     {"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK")}, "expiresAtUtc"),
    # The requirements state no time to live here; 30 days were added with OPEN-004-k.
    ("CommitCollectIdempotency", "commitcollect", "Idempotency", "IdempotencyKey", None, {}, "expiresAtUtc"),
]

# Requirement | model | entity | table or index | partition key | sort key | how the model spells the placeholders
KEYS = """
REQ-000-5   | values | ValuesHead | table | U#<userId> | HEAD#VALUES
REQ-000-6   | values | ValuesRev  | table | U#<userId> | REV#VALUES#<timestamp>#<revId> | timestamp=revTs
REQ-000-12  | values | ValuesNode | table | U#<userId>#VALUES#<revId> | NODE#<nodeId>
REQ-000-14  | values | ValuesEdge | table | U#<userId>#VALUES#<revId> | EDGE#<parentNodeId>#<order>#<childNodeId> | order=order:06d
REQ-000-27  | values | PlanHead   | table | U#<userId>#PLAN#<YYYY-MM-DD> | HEAD | YYYY-MM-DD=day
REQ-000-28  | values | PlanRev    | table | U#<userId>#PLAN#<YYYY-MM-DD> | REV#<timestamp>#<revId> | YYYY-MM-DD=day timestamp=revTs
REQ-000-31  | values | PlanTodo   | table | U#<userId>#PLAN#<YYYY-MM-DD>#<revId> | TODO#<order>#A#<actionId> | YYYY-MM-DD=day order=order:06d
REQ-000-33  | values | PlanBlock  | table | U#<userId>#PLAN#<YYYY-MM-DD>#<revId> | BLOCK#<startTimeIso>#<blockId> | YYYY-MM-DD=day
OPEN-000-e  | values | ValuesTag  | table | U#<userId> | TAG#VALUES#<name>

REQ-001-4   | nexus | Event    | table | USER#<userId> | EVENT#<eventId>
REQ-001-4   | nexus | Task     | table | USER#<userId> | TASK#<taskId>
REQ-001-4   | nexus | Reminder | table | USER#<userId> | REMINDER#<reminderId>
REQ-001-4   | nexus | Note     | table | USER#<userId> | NOTE#<noteId>
OPEN-001-b  | nexus | Master   | table | USER#<userId> | MASTER#<masterId>
OPEN-001-b  | nexus | Instance | table | USER#<userId> | INSTANCE#<instanceId>
REQ-001-5   | nexus | Event    | GSI1  | USER#<userId>#<YYYY> | <ISO_TIMESTAMP> | YYYY=startUtc:yyyy ISO_TIMESTAMP=startUtc
REQ-001-5   | nexus | Instance | GSI1  | USER#<userId>#<YYYY> | <ISO_TIMESTAMP> | YYYY=startUtc:yyyy ISO_TIMESTAMP=startUtc
REQ-001-5   | nexus | Task     | GSI1  | USER#<userId>#<YYYY> | <ISO_TIMESTAMP> | YYYY=dueUtc:yyyy ISO_TIMESTAMP=dueUtc
REQ-001-5   | nexus | Reminder | GSI1  | USER#<userId>#<YYYY> | <ISO_TIMESTAMP> | YYYY=triggerUtc:yyyy ISO_TIMESTAMP=triggerUtc
REQ-001-6   | nexus | Instance | GSI2  | MASTER#<masterId> | INSTANCE#<date>
OPEN-001-b  | nexus | Master   | GSI2  | MASTER#<masterId> | MASTER#<masterId>
OPEN-001-o  | nexus | Task     | GSI3  | USER#<userId> | TASK#<STATUS>#<PRIORITY>#<rank> | STATUS=status PRIORITY=priority:01d
REQ-001-7   | nexus | Note     | GSI3  | USER#<userId> | NOTE#<PINNED>#<UPDATED> | PINNED=isPinned:01 UPDATED=updatedAt

REQ-002-16  | diatonic | Project         | table | T#<tenantId>#PROJ#<projectId> | META
REQ-002-17  | diatonic | Activity        | table | T#<tenantId>#ACT#<activityId> | META
REQ-002-18  | diatonic | Notification    | table | T#<tenantId>#USER#<userId> | NOTIF#<activityId>
REQ-002-19  | diatonic | Course          | table | T#<tenantId>#COURSE#<courseId> | META
REQ-002-20  | diatonic | Module          | table | T#<tenantId>#COURSE#<courseId> | MOD#<moduleId>
REQ-002-20  | diatonic | Module          | GSI3  | T#<tenantId>#P#course#<courseId> | TYPE#module#C#<createdAt> | createdAt=CreatedAt
REQ-002-21  | diatonic | Lesson          | table | T#<tenantId>#COURSE#<courseId> | LES#<lessonId>
REQ-002-22  | diatonic | Enrollment      | table | T#<tenantId>#USER#<userId> | ENR#<courseId>
REQ-002-23  | diatonic | Progress        | table | T#<tenantId>#USER#<userId> | PROG#<courseId>#LES#<lessonId>
REQ-002-24  | diatonic | StudioProject   | table | T#<tenantId>#STUDIO#<studioProjectId> | META
REQ-002-25  | diatonic | Flow            | table | T#<tenantId>#STUDIO#<studioProjectId> | FLOW#<flowId>
REQ-002-25  | diatonic | Flow            | GSI3  | T#<tenantId>#P#studio_project#<studioProjectId> | TYPE#flow#C#<createdAt> | createdAt=CreatedAt
REQ-002-26  | diatonic | FlowNode        | table | T#<tenantId>#FLOW#<flowId> | NODE#<nodeId>
REQ-002-26  | diatonic | FlowNode        | GSI3  | T#<tenantId>#P#flow#<flowId> | TYPE#node#C#<createdAt> | createdAt=CreatedAt
REQ-002-27  | diatonic | FlowEdge        | table | T#<tenantId>#FLOW#<flowId> | EDGE#<edgeId>
REQ-002-28  | diatonic | Snapshot        | table | T#<tenantId>#FLOW#<flowId> | SNAP#<timestamp>#<snapId> | timestamp=timestamp:epoch_ms
REQ-002-107 | diatonic | Snapshot        | GSI3  | T#<tenantId>#P#flow#<flowId> | TYPE#snapshot#C#<createdAt> | createdAt=CreatedAt
REQ-002-29  | diatonic | Experiment      | table | T#<tenantId>#PROJ#<projectId> | EXP#<expId>
REQ-002-29  | diatonic | Experiment      | GSI3  | T#<tenantId>#P#project#<projectId> | TYPE#experiment#C#<createdAt> | createdAt=CreatedAt
REQ-002-30  | diatonic | Run             | table | T#<tenantId>#EXP#<expId> | RUN#<runId>
REQ-002-30  | diatonic | Run             | GSI3  | T#<tenantId>#P#experiment#<expId> | TYPE#run#C#<createdAt> | createdAt=CreatedAt
REQ-002-31  | diatonic | Model           | table | T#<tenantId>#PROJ#<projectId> | MODEL#<modelId>
REQ-002-32  | diatonic | Dataset         | table | T#<tenantId>#DS#<datasetId> | META
REQ-002-33  | diatonic | Dashboard       | table | T#<tenantId>#OBS#<dashboardId> | META
REQ-002-34  | diatonic | Panel           | table | T#<tenantId>#OBS#<dashboardId> | PANEL#<panelId>
REQ-002-34  | diatonic | Panel           | GSI3  | T#<tenantId>#P#dashboard#<dashboardId> | TYPE#panel#C#<createdAt> | createdAt=CreatedAt
REQ-002-35  | diatonic | DataSource      | table | T#<tenantId>#DSRC#<datasourceId> | META
REQ-002-36  | diatonic | Group           | table | T#<tenantId>#GROUP#<groupId> | META
REQ-002-37  | diatonic | Post            | table | T#<tenantId>#GROUP#<groupId> | POST#<postId>
REQ-002-37  | diatonic | Post            | GSI3  | T#<tenantId>#P#group#<groupId> | TYPE#post#C#<createdAt> | createdAt=CreatedAt
REQ-002-38  | diatonic | Comment         | table | T#<tenantId>#POST#<postId> | COMM#<commentId>
REQ-002-38  | diatonic | Comment         | GSI3  | T#<tenantId>#P#post#<postId> | TYPE#comment#C#<createdAt> | createdAt=CreatedAt
REQ-002-39  | diatonic | Reaction        | table | T#<tenantId>#POST#<postId> | LIKE#<userId>
REQ-002-40  | diatonic | GroupMembership | table | T#<tenantId>#USER#<userId> | GRPMEM#<groupId>
REQ-002-41  | diatonic | Page            | table | T#<tenantId>#PAGE#<slug> | META | slug=Slug
REQ-002-41  | diatonic | Page            | GSI4  | T#<tenantId>#SLUG#<slug> | TYPE#page | slug=Slug
REQ-002-42  | diatonic | BlogPost        | table | T#<tenantId>#BLOG#<postId> | META
REQ-002-42  | diatonic | BlogPost        | GSI4  | T#<tenantId>#SLUG#<slug> | TYPE#blog_post | slug=Slug
REQ-002-43  | diatonic | Job             | table | T#<tenantId>#JOB#<jobId> | META
REQ-002-44  | diatonic | Application     | table | T#<tenantId>#JOB#<jobId> | APP#<appId>
REQ-002-44  | diatonic | Application     | GSI3  | T#<tenantId>#P#job#<jobId> | TYPE#application#C#<createdAt> | createdAt=CreatedAt
REQ-002-45  | diatonic | ContactMessage  | table | T#<tenantId>#CONTACT#<msgId> | META
REQ-002-46  | diatonic | Org             | table | T#<tenantId>#ORG#<orgId> | META
REQ-002-47  | diatonic | User            | table | T#<tenantId>#USER#<userId> | PROFILE
REQ-002-48  | diatonic | Membership      | table | T#<tenantId>#USER#<userId> | MEM#<orgId>
REQ-002-48  | diatonic | Membership      | GSI1  | T#<tenantId>#TYPE#membership | ORG#<orgId>#USER#<userId>
REQ-002-49  | diatonic | RoleDefinition  | table | T#<tenantId>#ROLE#<roleId> | META
OPEN-002-b  | diatonic | Flow            | GSI4  | T#<tenantId>#SLUG#<entityId> | TYPE#flow | entityId=flowId
OPEN-002-b  | diatonic | Post            | GSI4  | T#<tenantId>#SLUG#<entityId> | TYPE#post | entityId=postId
OPEN-002-b  | diatonic | Experiment      | GSI4  | T#<tenantId>#SLUG#<entityId> | TYPE#experiment | entityId=expId
OPEN-002-r  | diatonic | Invite          | table | T#<tenantId>#ORG#<orgId> | INV#<id> | id=inviteId
REQ-002-12  | diatonic | UsageEvent      | table | T#<tenantId>#D#<YYYYMMDD> | TS#<epochMillis>#UID#<ulid> | YYYYMMDD=at:yyyyMMdd epochMillis=at:epoch_ms ulid=eventId
REQ-002-12  | diatonic | UsageEvent      | GSI1  | T#<tenantId>#USER#<userId> | TS#<epochMillis> | epochMillis=at:epoch_ms
REQ-002-13  | diatonic | RoomConnection  | table | ROOM#<roomId> | CONN#<connectionId>
REQ-002-13  | diatonic | RoomConnection  | GSI1  | T#<tenantId>#ROOM#<roomId> |
REQ-002-13  | diatonic | UserConnection  | table | USER#<userId> | CONN#<connectionId>
REQ-002-14  | diatonic | Message         | table | CHAN#<channelId> | TS#<epochMillis>#MID#<ulid> | epochMillis=at:epoch_ms ulid=messageId
REQ-002-14  | diatonic | Message         | GSI1  | T#<tenantId>#USER#<userId> | TS#<epochMillis> | userId=authorId epochMillis=at:epoch_ms
REQ-002-15  | diatonic | IdempotencyRecord | table | IDKEY#<hashOfRequest> | OP#<operationName>

REQ-003-30  | personal-os | UserProfile     | table | USER#<userId> | PROFILE
REQ-003-31  | personal-os | Task            | table | USER#<userId> | TASK#<taskId> | taskId=id
REQ-003-31  | personal-os | Task            | GSI1  | TASK | <status>#<createdAt>
REQ-003-31  | personal-os | Task            | GSI2  | <area> | TASK#<createdAt>
REQ-003-35  | personal-os | TaskDependency  | table | TASK#<taskId> | DEP#<dependsOnTaskId>
OPEN-003-h  | personal-os | TaskBlocks      | table | TASK#<dependsOn> | BLOCKS#<task> | dependsOn=dependsOnTaskId task=taskId
REQ-003-36  | personal-os | Goal            | table | USER#<userId> | GOAL#<goalId> | goalId=id
REQ-003-27  | personal-os | Goal            | GSI1  | GOAL | <status>#<createdAt>
REQ-003-28  | personal-os | Goal            | GSI2  | <area> | GOAL#<createdAt>
REQ-003-40  | personal-os | GoalTask        | table | GOAL#<goalId> | TASK#<taskId>
REQ-003-40  | personal-os | GoalMetric      | table | GOAL#<goalId> | METRIC#<metricId>
REQ-003-40  | personal-os | GoalHabit       | table | GOAL#<goalId> | HABIT#<habitId>
REQ-003-41  | personal-os | GoalActivity    | table | GOAL#<goalId> | ACTIVITY#<timestamp>
REQ-003-42  | personal-os | Metric          | table | USER#<userId> | METRIC#<metricId> | metricId=id
REQ-003-28  | personal-os | Metric          | GSI2  | <area> | METRIC#<createdAt>
REQ-003-43  | personal-os | MetricLog       | table | METRIC#<metricId> | LOG#<timestamp> | timestamp=loggedAt
REQ-003-44  | personal-os | MetricMilestone | table | METRIC#<metricId> | MILESTONE#<id>
REQ-003-45  | personal-os | MetricInsight   | table | METRIC#<metricId> | INSIGHT#<type>#<timestamp>
REQ-003-46  | personal-os | Habit           | table | USER#<userId> | HABIT#<habitId> | habitId=id
REQ-003-28  | personal-os | Habit           | GSI2  | <area> | HABIT#<createdAt>
REQ-003-47  | personal-os | HabitLog        | table | HABIT#<habitId> | LOG#<date>
REQ-003-48  | personal-os | Project         | table | USER#<userId> | PROJECT#<projectId> | projectId=id
REQ-003-28  | personal-os | Project         | GSI2  | <area> | PROJECT#<createdAt>
REQ-003-49  | personal-os | ProjectTask     | table | PROJECT#<projectId> | TASK#<taskId>
REQ-003-50  | personal-os | Logbook         | table | USER#<userId> | LOGBOOK#<date>
REQ-003-51  | personal-os | Reward          | table | USER#<userId> | REWARD#<rewardId> | rewardId=id
REQ-003-52  | personal-os | Wallet          | table | USER#<userId> | WALLET
REQ-003-53  | personal-os | WalletTransaction | table | USER#<userId> | WALLET_TXN#<timestamp>

REQ-004-2   | commitcollect | Profile          | table | USER#<userId> | PROFILE
REQ-004-2   | commitcollect | StravaConnection | table | USER#<userId> | STRAVA#CONNECTION
REQ-004-2   | commitcollect | Workout          | table | USER#<userId> | WORKOUT#STRAVA#<activityId>
REQ-004-2   | commitcollect | Milestone        | table | USER#<userId> | MILESTONE#<milestoneId>
REQ-004-2   | commitcollect | Award            | table | USER#<userId> | MILESTONE#<milestoneId>#AWARD#<partIndex> | partIndex=partIndex:04d
REQ-004-3   | commitcollect | Model            | table | MODEL#<modelId> | META
REQ-004-3   | commitcollect | ModelPart        | table | MODEL#<modelId> | PART#<index> | index=index:04d
REQ-004-3   | commitcollect | AthleteOwner     | table | STRAVA#ATHLETE#<athleteId> | OWNER
OPEN-004-g  | commitcollect | StravaConnection | GSI1  | STRAVA#ATHLETE#<athleteId> | USER#<userId>
REQ-004-7   | commitcollect | Session          | table | SESSION#<sessionId> | META
OPEN-004-n  | commitcollect | UserSession      | table | USER#<u> | SESSION#<id> | u=userId id=sessionId
REQ-004-11  | commitcollect | AuditEvent       | table | USER#<userId> | AUDIT#<unixEpoch>#<requestId> | unixEpoch=unixEpoch:010d
REQ-004-12  | commitcollect | AuditEvent       | GSI1  | CORR#<correlationId> | AUDIT#<unixEpoch>#<requestId> | unixEpoch=unixEpoch:010d
REQ-004-12  | commitcollect | AuditEvent       | GSI2  | EVENT#<eventType>#<yyyyMM> | AUDIT#<unixEpoch>#<requestId> | yyyyMM=unixEpoch:yyyyMM unixEpoch=unixEpoch:010d
OPEN-004-k  | commitcollect | WebhookEvent     | table | STRAVA#<subscription_id>#<object_type>#<object_id>#<aspect_type>#<event_time> | | subscription_id=subscriptionId object_type=objectType object_id=objectId aspect_type=aspectType event_time=eventTime:010d
"""

# The 34 types of diatonic's core table: how GSI1 sorts them (OPEN-002-c) and who their user is in GSI2.
CATALOGUE_TYPES = {"Course", "Group", "Page", "Job", "RoleDefinition", "Dataset", "Model"}
TYPES_OF_A_USER = {"Notification", "Enrollment", "Progress", "Reaction", "GroupMembership", "User", "Membership"}
CORE_TYPES = {
    "Project": "project", "Activity": "activity", "Notification": "notification", "Course": "course",
    "Module": "module", "Lesson": "lesson", "Enrollment": "enrollment", "Progress": "progress",
    "StudioProject": "studio_project", "Flow": "flow", "FlowNode": "node", "FlowEdge": "edge",
    "Snapshot": "snapshot", "Experiment": "experiment", "Run": "run", "Model": "model", "Dataset": "dataset",
    "Dashboard": "dashboard", "Panel": "panel", "DataSource": "datasource", "Group": "group", "Post": "post",
    "Comment": "comment", "Reaction": "reaction", "GroupMembership": "group_membership", "Page": "page",
    "BlogPost": "blog_post", "Job": "job", "Application": "application", "ContactMessage": "contact_message",
    "Org": "org", "User": "user", "Membership": "membership", "RoleDefinition": "role_definition",
}

# Requirement | model | pattern (or pattern/step) | table or index | partition key | condition | sort key | spelling
READS = """
REQ-000-36  | values | currentValuesTree/0 | table | U#<userId> | eq | HEAD#VALUES
REQ-000-36  | values | currentValuesTree/1 | table | U#<userId>#VALUES#<revId> | | | revId=head.headRevId
REQ-000-37  | values | valuesHistory | table | U#<userId> | begins | REV#VALUES#
REQ-000-38  | values | currentPlan/0 | table | U#<userId>#PLAN#<YYYY-MM-DD> | eq | HEAD | YYYY-MM-DD=day
REQ-000-38  | values | currentPlan/1 | table | U#<userId>#PLAN#<YYYY-MM-DD>#<revId> | | | YYYY-MM-DD=day revId=head.headRevId
REQ-000-39  | values | children | table | U#<userId>#VALUES#<revId> | begins | EDGE#<parentNodeId>#
REQ-000-10  | values | valuesTree | table | U#<userId>#VALUES#<revId> | |
OPEN-000-e  | values | valuesTags | table | U#<userId> | begins | TAG#VALUES#

REQ-001-25  | nexus | agenda | GSI1 | USER#<userId>#<YYYY> | between | <from> .. <to> | YYYY=window:yyyy
REQ-001-8   | nexus | kanbanColumn | GSI3 | USER#<userId> | begins | TASK#<STATUS># | STATUS=status
REQ-001-27  | nexus | kanbanBoard | GSI3 | USER#<userId> | begins | TASK#
REQ-001-27  | nexus | notesGrid | GSI3 | USER#<userId> | begins | NOTE#
REQ-001-7   | nexus | pinnedNotes | GSI3 | USER#<userId> | begins | NOTE#1#
REQ-001-7   | nexus | recentNotes | GSI3 | USER#<userId> | begins | NOTE#0#
REQ-001-28  | nexus | series | GSI2 | MASTER#<masterId> | |
REQ-001-29  | nexus | event | table | USER#<userId> | eq | EVENT#<eventId>
REQ-001-29  | nexus | master | table | USER#<userId> | eq | MASTER#<masterId>
REQ-001-29  | nexus | instance | table | USER#<userId> | eq | INSTANCE#<instanceId>
REQ-001-29  | nexus | task | table | USER#<userId> | eq | TASK#<taskId>
REQ-001-29  | nexus | reminder | table | USER#<userId> | eq | REMINDER#<reminderId>
REQ-001-29  | nexus | note | table | USER#<userId> | eq | NOTE#<noteId>

REQ-002-61  | diatonic | recentProjects | GSI2 | T#<tenantId>#USER#<userId> | begins | TYPE#project#C#
REQ-002-62  | diatonic | activityFeed | GSI1 | T#<tenantId>#TYPE#activity | begins | C#
REQ-002-62  | diatonic | notifications | table | T#<tenantId>#USER#<userId> | begins | NOTIF#
REQ-002-64  | diatonic | courseCatalog | GSI1 | T#<tenantId>#TYPE#course | begins | N#
REQ-002-65  | diatonic | course | table | T#<tenantId>#COURSE#<courseId> | eq | META
REQ-002-66  | diatonic | courseWithContents | table | T#<tenantId>#COURSE#<courseId> | |
REQ-002-66  | diatonic | modulesOfCourse | GSI3 | T#<tenantId>#P#course#<courseId> | begins | TYPE#module#C#
REQ-002-23  | diatonic | courseProgress | table | T#<tenantId>#USER#<userId> | begins | PROG#<courseId>#
REQ-002-107 | diatonic | progressOfUser | GSI2 | T#<tenantId>#USER#<userId> | begins | TYPE#progress#C#
REQ-002-107 | diatonic | enrollmentsOfUser | table | T#<tenantId>#USER#<userId> | begins | ENR#
REQ-002-72  | diatonic | flowsOfProject | GSI3 | T#<tenantId>#P#studio_project#<studioProjectId> | begins | TYPE#flow#C#
REQ-002-107 | diatonic | studioProjectsOfUser | GSI2 | T#<tenantId>#USER#<userId> | begins | TYPE#studio_project#C#
REQ-002-107 | diatonic | snapshotsOfFlow | GSI3 | T#<tenantId>#P#flow#<flowId> | begins | TYPE#snapshot#C#
REQ-002-74  | diatonic | nodesOfFlow | table | T#<tenantId>#FLOW#<flowId> | begins | NODE#
REQ-002-74  | diatonic | edgesOfFlow | table | T#<tenantId>#FLOW#<flowId> | begins | EDGE#
OPEN-002-b  | diatonic | flowById | GSI4 | T#<tenantId>#SLUG#<entityId> | eq | TYPE#flow | entityId=flowId
REQ-002-76  | diatonic | experimentsOfProject | GSI3 | T#<tenantId>#P#project#<projectId> | begins | TYPE#experiment#C#
REQ-002-76  | diatonic | experiments | GSI1 | T#<tenantId>#TYPE#experiment | begins | C#
OPEN-002-b  | diatonic | experimentById | GSI4 | T#<tenantId>#SLUG#<entityId> | eq | TYPE#experiment | entityId=expId
REQ-002-78  | diatonic | runsOfExperiment | GSI3 | T#<tenantId>#P#experiment#<expId> | begins | TYPE#run#C#
OPEN-002-j  | diatonic | runs | GSI1 | T#<tenantId>#TYPE#run | begins | C#
REQ-002-80  | diatonic | datasets | GSI1 | T#<tenantId>#TYPE#dataset | begins | N#
REQ-002-82  | diatonic | models | GSI1 | T#<tenantId>#TYPE#model | begins | N#
REQ-002-83  | diatonic | dashboards | GSI1 | T#<tenantId>#TYPE#dashboard | begins | C#
REQ-002-85  | diatonic | panelsOfDashboard | GSI3 | T#<tenantId>#P#dashboard#<dashboardId> | begins | TYPE#panel#C#
REQ-002-87  | diatonic | groups | GSI1 | T#<tenantId>#TYPE#group | begins | N#
REQ-002-89  | diatonic | postsOfGroup | GSI3 | T#<tenantId>#P#group#<groupId> | begins | TYPE#post#C#
REQ-002-107 | diatonic | postsOfUser | GSI2 | T#<tenantId>#USER#<userId> | begins | TYPE#post#C#
OPEN-002-b  | diatonic | postById | GSI4 | T#<tenantId>#SLUG#<entityId> | eq | TYPE#post | entityId=postId
REQ-002-90  | diatonic | commentsOfPost | GSI3 | T#<tenantId>#P#post#<postId> | begins | TYPE#comment#C#
REQ-002-107 | diatonic | reactionsOfPost | table | T#<tenantId>#POST#<postId> | begins | LIKE#
REQ-002-94  | diatonic | pageBySlug | GSI4 | T#<tenantId>#SLUG#<slug> | eq | TYPE#page | slug=Slug
REQ-002-95  | diatonic | blogPosts | GSI1 | T#<tenantId>#TYPE#blog_post | begins | C#
REQ-002-96  | diatonic | jobs | GSI1 | T#<tenantId>#TYPE#job | begins | N#
REQ-002-97  | diatonic | applicationsOfJob | GSI3 | T#<tenantId>#P#job#<jobId> | begins | TYPE#application#C#
REQ-002-48  | diatonic | membersOfOrg | GSI1 | T#<tenantId>#TYPE#membership | begins | ORG#<orgId>#
REQ-002-58  | diatonic | membershipsOfUser | table | T#<tenantId>#USER#<userId> | begins | MEM#
REQ-002-12  | diatonic | eventsOfUser | GSI1 | T#<tenantId>#USER#<userId> | begins | TS#
OPEN-002-u  | diatonic | connectionsInRoom | GSI1 | T#<tenantId>#ROOM#<roomId> | |
OPEN-002-y  | diatonic | messagesOfChannel | table | CHAN#<channelId> | begins | TS#

REQ-003-5   | personal-os | profile | table | USER#<userId> | eq | PROFILE
REQ-003-6   | personal-os | tasks | table | USER#<userId> | begins | TASK#
REQ-003-7   | personal-os | task | table | USER#<userId> | eq | TASK#<taskId> | taskId=id
REQ-003-8   | personal-os | goals | table | USER#<userId> | begins | GOAL#
REQ-003-9   | personal-os | goal | table | USER#<userId> | eq | GOAL#<goalId> | goalId=id
REQ-003-10  | personal-os | metrics | table | USER#<userId> | begins | METRIC#
REQ-003-11  | personal-os | habits | table | USER#<userId> | begins | HABIT#
REQ-003-12  | personal-os | projects | table | USER#<userId> | begins | PROJECT#
REQ-003-13  | personal-os | logbook | table | USER#<userId> | begins | LOGBOOK#
REQ-003-14  | personal-os | wallet | table | USER#<userId> | eq | WALLET
REQ-003-15  | personal-os | rewards | table | USER#<userId> | begins | REWARD#
REQ-003-16  | personal-os | metricLogs | table | METRIC#<metricId> | begins | LOG#
REQ-003-17  | personal-os | habitLogs | table | HABIT#<habitId> | begins | LOG#
REQ-003-18  | personal-os | goalTasks | table | GOAL#<goalId> | begins | TASK#
REQ-003-19  | personal-os | goalMetrics | table | GOAL#<goalId> | begins | METRIC#
REQ-003-20  | personal-os | goalHabits | table | GOAL#<goalId> | begins | HABIT#
REQ-003-21  | personal-os | taskDependencies | table | TASK#<taskId> | begins | DEP#
REQ-003-22  | personal-os | projectTasks | table | PROJECT#<projectId> | begins | TASK#
REQ-003-23  | personal-os | milestones | table | METRIC#<metricId> | begins | MILESTONE#
REQ-003-24  | personal-os | insights | table | METRIC#<metricId> | begins | INSIGHT#
REQ-003-25  | personal-os | goalActivities | table | GOAL#<goalId> | begins | ACTIVITY#
REQ-003-26  | personal-os | tasksByStatus | GSI1 | TASK | begins | <status>#
REQ-003-27  | personal-os | goalsByStatus | GSI1 | GOAL | begins | <status>#
REQ-003-28  | personal-os | byArea | GSI2 | <area> | |
REQ-003-29  | personal-os | metricLogRange | table | METRIC#<metricId> | between | LOG#<start> .. LOG#<end> | start=from end=to:end_of_day
OPEN-003-h  | personal-os | tasksBlockedBy | table | TASK#<dependsOn> | begins | BLOCKS# | dependsOn=dependsOnTaskId

REQ-004-4   | commitcollect | athleteToUser | table | STRAVA#ATHLETE#<athleteId> | eq | OWNER
OPEN-004-g  | commitcollect | connectionOfAthlete | GSI1 | STRAVA#ATHLETE#<athleteId> | |
REQ-004-18  | commitcollect | workoutsForProgress | table | USER#<userId> | begins | WORKOUT#STRAVA#
OPEN-004-f  | commitcollect | shelf | table | USER#<userId> | begins | MILESTONE#
OPEN-004-f  | commitcollect | awards | table | USER#<userId> | begins | MILESTONE#<id>#AWARD# | id=milestoneId
REQ-004-3   | commitcollect | modelParts | table | MODEL#<modelId> | begins | PART#
REQ-004-7   | commitcollect | session | table | SESSION#<sessionId> | eq | META
REQ-004-11  | commitcollect | auditTrail | table | USER#<userId> | begins | AUDIT#
REQ-004-12  | commitcollect | auditByCorrelation | GSI1 | CORR#<correlationId> | |
REQ-004-12  | commitcollect | auditByEvent | GSI2 | EVENT#<eventType>#<yyyyMM> | | | yyyyMM=month:yyyyMM
"""

# Requirement, model, entity, the attribute that time counts from, how long.
TIMES_TO_LIVE = [
    ("REQ-002-12", "diatonic", "UsageEvent", "at", "P180D"),
    ("REQ-002-13", "diatonic", "RoomConnection", "lastSeenAt", "PT45M"),
    ("REQ-002-13", "diatonic", "UserConnection", "lastSeenAt", "PT45M"),
    ("REQ-002-14", "diatonic", "Message", "at", "$retention:P30D"),
    ("REQ-002-15", "diatonic", "IdempotencyRecord", "createdAt", "P1D"),
    ("OPEN-002-r", "diatonic", "Invite", "CreatedAt", "P7D"),
    ("REQ-003-45", "personal-os", "MetricInsight", "expiresAt", None),
    ("REQ-004-13", "commitcollect", "AuditEvent", "unixEpoch", "P90D"),
    ("OPEN-004-k", "commitcollect", "WebhookEvent", "receivedAtUtc", "P30D"),
]

TEMPLATES_AT_LEAST = 144


def rows(text, columns):
    for line in text.splitlines():
        if line.strip():
            cells = [cell.strip() for cell in line.split("|")]
            yield cells + [""] * (columns - len(cells))


def spelt(template, names):
    """The requirement's template in the model's notation: <order> is {order:06d} when names say order=order:06d."""
    aliases = dict(pair.split("=", 1) for pair in names.split())
    return re.sub(r"<([^<>]+)>", lambda match: "{" + aliases.get(match.group(1), match.group(1)) + "}", template)


class Tables(unittest.TestCase):
    def test_there_are_twelve(self):
        self.assertEqual(len(TABLES), 12)
        self.assertEqual(sum(len(exported(name).tables) for name in NAMES), 12)

    def test_names_keys_indexes_and_time_to_live(self):
        for physical, model, name, pk, sk, indexes, ttl in TABLES:
            with self.subTest(table=physical):
                table = exported(model).tables[name]
                self.assertEqual(table["name"], physical)
                self.assertEqual((table["pk"], table.get("sk")), (pk, sk))
                self.assertEqual({index: (keys["pk"], keys.get("sk")) for index, keys in table.get("index", {}).items()},
                                 indexes)
                self.assertEqual(table.get("ttl"), ttl)


class Keys(unittest.TestCase):
    def test_enough_of_them(self):
        templates = sum(bool(cell) for row in rows(KEYS, 7) for cell in row[4:6])
        templates += sum(bool(cell) for row in rows(READS, 8) for cell in (row[4], row[6]))
        self.assertGreaterEqual(templates, TEMPLATES_AT_LEAST)

    def test_entities_have_the_keys_of_the_requirements(self):
        for requirement, model, entity, where, pk, sk, names in rows(KEYS, 7):
            with self.subTest(requirement, model=model, entity=entity, where=where):
                self.assertEqual(exported(model).keys(entity, where), (spelt(pk, names), spelt(sk, names)))

    def test_every_core_type_is_listed_by_type_and_by_user(self):
        model = exported("diatonic")
        for entity, kind in CORE_TYPES.items():
            with self.subTest(entity=entity):
                self.assertEqual(model.entities[entity]["type"], kind)
                by_type = "N#{nameKey}" if entity in CATALOGUE_TYPES else "C#{CreatedAt}"
                if entity != "Membership":
                    self.assertEqual(model.keys(entity, "GSI1"), ("T#{tenantId}#TYPE#" + kind, by_type))
                user = "userId" if entity in TYPES_OF_A_USER else "OwnerId"
                self.assertEqual(model.keys(entity, "GSI2"),
                                 ("T#{tenantId}#USER#{%s}" % user, f"TYPE#{kind}#C#{{CreatedAt}}"))
        self.assertEqual(len(CORE_TYPES), 34)

    def test_what_no_requirement_lists_is_marked_as_assumed(self):
        listed = {(model, entity) for _, model, entity, *_ in rows(KEYS, 7)}
        for name in NAMES:
            for entity, definition in exported(name).entities.items():
                with self.subTest(model=name, entity=entity):
                    self.assertTrue((name, entity) in listed or definition.get("assumed"))

    def test_indexes_no_requirement_lists_are_marked_as_assumed(self):
        listed = {(model, entity, where) for _, model, entity, where, *_ in rows(KEYS, 7)}
        general = {("diatonic", entity, "GSI2") for entity in TYPES_OF_A_USER}
        for name in NAMES:
            for entity, definition in exported(name).entities.items():
                for index, keys in definition.get("index", {}).items():
                    with self.subTest(model=name, entity=entity, index=index):
                        known = (name, entity, index) in listed | general
                        self.assertTrue(known or keys is False or keys.get("assumed"))


class Reads(unittest.TestCase):
    def test_patterns_read_what_the_requirements_ask_for(self):
        for requirement, model, pattern, where, pk, condition, sk, names in rows(READS, 8):
            with self.subTest(requirement, model=model, pattern=pattern):
                name, _, step = pattern.partition("/")
                read = exported(model).read(name, int(step) if step else None)
                self.assertEqual(read.get("on", "table"), where)
                self.assertEqual(read["pk"], spelt(pk, names))
                self.assertEqual(self.sort_condition(read), self.wanted(condition, spelt(sk, names)))

    @staticmethod
    def sort_condition(read):
        condition = read.get("sk")
        return {"eq": condition} if isinstance(condition, str) else condition

    @staticmethod
    def wanted(condition, sk):
        if condition == "between":
            return {"between": [bound.strip() for bound in sk.split("..")]}
        return {condition: sk} if condition else None


class Behaviour(unittest.TestCase):
    def test_times_to_live(self):
        for requirement, model, entity, start, after in TIMES_TO_LIVE:
            with self.subTest(requirement, entity=entity):
                ttl = exported(model).entities[entity]["ttl"]
                self.assertEqual((ttl["from"], ttl.get("after")), (start, after))

    def test_sparse_rules(self):
        index = exported("nexus").entities
        self.assertEqual(index["Task"]["index"]["GSI1"]["when"],
                         "exists(dueUtc) and status not in ['BACKLOG', 'ARCHIVED']")  # REQ-001-21, 22
        self.assertEqual(index["Reminder"]["index"]["GSI1"]["when"], "exists(triggerUtc)")
        self.assertNotIn("GSI1", index["Note"]["index"])
        self.assertNotIn("GSI1", index["Master"]["index"])  # OPEN-001-c

    def test_locks(self):
        self.assertEqual(exported("nexus").tables["ProductivityData"]["lock"], {"version": "version"})  # REQ-001-20
        self.assertEqual(exported("diatonic").tables["core"]["lock"], {"version": "Version"})           # REQ-002-5
        self.assertEqual(exported("commitcollect").entities["Milestone"]["lock"], {"version": "version"})  # REQ-004-19
        for head in ("ValuesHead", "PlanHead"):                                                         # REQ-000-23
            self.assertEqual(exported("values").entities[head]["lock"], {"on": "headRevId"})

    def test_writing(self):
        modes = [("values", "ValuesRev", "append"), ("values", "PlanRev", "append"), ("values", "ValuesNode", "once"),
                 ("values", "ValuesEdge", "once"), ("values", "PlanTodo", "once"), ("values", "PlanBlock", "once"),
                 ("personal-os", "WalletTransaction", "append"), ("personal-os", "GoalActivity", "append"),
                 ("personal-os", "HabitLog", "upsert"), ("personal-os", "Logbook", "upsert"),
                 ("commitcollect", "Award", "once"), ("commitcollect", "AthleteOwner", "once"),
                 ("commitcollect", "AuditEvent", "append"), ("commitcollect", "Workout", "idempotent")]
        for model, entity, mode in modes:
            with self.subTest(model=model, entity=entity):
                self.assertEqual(exported(model).entities[entity]["write"], mode)
        self.assertEqual(exported("values").tables["App"]["delete"], "forbid")        # REQ-000-40
        self.assertTrue(exported("commitcollect").tables["Audit"]["best_effort"])     # REQ-004-14

    def test_guards(self):
        nexus, collect = exported("nexus").tree["guard"], exported("commitcollect").tree["guard"]
        self.assertEqual((nexus["scan"], nexus["page_over"], nexus["filter"]), ("forbid", 100, {"max_scanned": 1000}))
        self.assertEqual(collect, {"scan": "forbid", "project": "required", "unbounded_pages": "forbid",
                                   "batch_write_chunk": 25})
        self.assertEqual(exported("commitcollect").patterns["workoutsForProgress"]["max_items"], 3000)  # REQ-004-18
        self.assertEqual(exported("nexus").patterns["agenda"]["slo"], {"p99_ms": 10})                   # REQ-001-31

    def test_slugs_are_kept_unique_by_a_guard_item(self):  # OPEN-002-d
        self.assertEqual(exported("diatonic").entities["BlogPost"]["unique"],
                         [{"attrs": ["tenantId", "Slug"], "pk": "T#{tenantId}#SLUG#{Slug}", "sk": "TYPE#blog_post"}])


if __name__ == "__main__":
    unittest.main()
