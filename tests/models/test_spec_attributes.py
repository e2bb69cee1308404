"""The models have the attributes, embedded members and closed lists of values that the requirements name, exactly spelt.

Written from the requirements. A model may have more (marked as assumed), never less.
"""

import unittest

from exported_model import NAMES, exported

# Requirement, model, entity, stored attributes. What the requirement keeps in the key alone is not listed.
ATTRIBUTES = [
    ("REQ-000-5", "values", "ValuesHead", "headRevId headRevTs updatedAt"),
    ("REQ-000-6", "values", "ValuesRev", "revId revTs parentRevId message source"),
    ("REQ-000-12", "values", "ValuesNode",
     "nodeType title notes createdAt completedAt archived driverId parentMilestoneId rootDriverId deletedAt"),
    ("REQ-000-14", "values", "ValuesEdge", "childNodeId childNodeType"),
    ("REQ-000-27", "values", "PlanHead", "headRevId updatedAt"),
    ("REQ-000-28", "values", "PlanRev", "revId parentRevId reason"),
    ("REQ-000-31", "values", "PlanTodo", "actionId classification estimatedPomodoros notes"),
    ("REQ-000-34", "values", "PlanBlock", "blockType endTimeIso actionId pomodoroIndex"),

    ("REQ-001-19", "nexus", "Event", "eventId version createdAt updatedAt startUtc endUtc startTzid tags"),
    ("REQ-001-18", "nexus", "Master", "masterId version createdAt updatedAt rruleUntil"),
    ("REQ-001-19", "nexus", "Instance", "instanceId masterId version createdAt updatedAt"),
    ("REQ-001-21", "nexus", "Task", "taskId version createdAt updatedAt dueUtc status priority"),
    ("REQ-001-21", "nexus", "Reminder", "reminderId version createdAt updatedAt triggerUtc snoozeState"),
    ("REQ-001-10", "nexus", "Note", "noteId version createdAt updatedAt isPinned"),

    ("REQ-002-12", "diatonic", "UsageEvent", "EventName UserId SessionId Path Meta ClientInfo CreatedAt TTL"),
    ("REQ-002-13", "diatonic", "RoomConnection", "TenantId UserId TTL"),
    ("REQ-002-13", "diatonic", "UserConnection", "TenantId Rooms"),
    ("REQ-002-14", "diatonic", "Message", "TenantId AuthorId Content MessageType TTL"),
    ("REQ-002-15", "diatonic", "IdempotencyRecord", "Response TTL"),

    ("REQ-003-30", "personal-os", "UserProfile", "userId createdAt updatedAt email displayName preferences"),
    ("REQ-003-31", "personal-os", "Task",
     "id title description extendedDescription area subCategory priority status size dueDate scheduledDate "
     "completedDate isRecurring recurrenceRule pointValue pointsAwarded notes goalIds projectIds userId ttl"),
    ("REQ-003-35", "personal-os", "TaskDependency", "taskId dependsOnTaskId userId"),
    ("REQ-003-36", "personal-os", "Goal",
     "id title description area subCategory timeHorizon priority status targetDate completedDate successCriteria "
     "progressConfig cachedProgress parentGoalId lastActivityAt notes"),
    ("REQ-003-41", "personal-os", "GoalActivity", "type title description relatedEntityType relatedEntityId userId"),
    ("REQ-003-42", "personal-os", "Metric",
     "id name description area subCategory unit customUnit direction targetValue thresholdLow thresholdHigh source "
     "status cachedStreak cachedTrend"),
    ("REQ-003-43", "personal-os", "MetricLog", "id metricId value notes loggedAt userId"),
    ("REQ-003-44", "personal-os", "MetricMilestone", "id metricId type value achievedAt pointsAwarded"),
    ("REQ-003-45", "personal-os", "MetricInsight", "type content cachedAt expiresAt ttl"),
    ("REQ-003-46", "personal-os", "Habit",
     "id name description area subCategory habitType frequency trigger action reward frictionUp frictionDown status "
     "cachedStreak cachedLongestStreak goalIds"),
    ("REQ-003-47", "personal-os", "HabitLog", "habitId date completed notes"),
    ("REQ-003-48", "personal-os", "Project",
     "id name description area subCategory priority status impact startDate endDate completedDate notes cachedHealth "
     "cachedProgress goalIds"),
    ("REQ-003-50", "personal-os", "Logbook",
     "id date title notes mood energy linkedTaskIds linkedGoalIds linkedHabitIds linkedProjectIds"),
    ("REQ-003-51", "personal-os", "Reward",
     "id title description category pointCost icon imageUrl isAutomated automationInstructions cooldownHours "
     "maxRedemptionsPerDay status"),
    ("REQ-003-52", "personal-os", "Wallet", "balance lifetimeEarned lifetimeSpent"),
    ("REQ-003-53", "personal-os", "WalletTransaction", "id amount type reason taskId metricId rewardId"),

    ("REQ-004-7", "commitcollect", "Session", "userId createdAtUtc expiresAtUtc"),
    ("REQ-004-12", "commitcollect", "AuditEvent", "correlationId eventType"),
    ("REQ-004-19", "commitcollect", "Milestone", "version"),
    ("REQ-004-4", "commitcollect", "AthleteOwner", "userId"),
]

# The envelope of everything in diatonic's core table (REQ-002-5); Type is written by itself.
ENVELOPE = "TenantId EntityId Status OwnerId Name Slug CreatedAt UpdatedAt Version Tags TTL".split()
NO_ATTRS = {"Login", "UserTenant"}

# Requirement, model, shape, members.
SHAPES = [
    ("REQ-001-10", "nexus", "SnoozeState", "count until originalTriggerUtc"),
    ("REQ-002-16", "diatonic", "ProjectAttrs", "description lastModified type"),
    ("REQ-002-17", "diatonic", "ActivityAttrs", "message activityType resourceType resourceId"),
    ("REQ-002-19", "diatonic", "CourseAttrs", "title description level duration rating category"),
    ("REQ-002-21", "diatonic", "LessonAttrs", "contentPath videoPath duration moduleId order"),
    ("OPEN-002-e", "diatonic", "ModuleAttrs", "order"),
    ("REQ-002-22", "diatonic", "EnrollmentAttrs", "enrolledAt completionPercent"),
    ("REQ-002-23", "diatonic", "ProgressAttrs", "percent completedAt timeSpent"),
    ("REQ-002-24", "diatonic", "StudioProjectAttrs", "collaborators settings"),
    ("REQ-002-25", "diatonic", "FlowAttrs", "currentSnapshot version"),
    ("REQ-002-26", "diatonic", "NodeAttrs", "nodeType position data"),
    ("REQ-002-26", "diatonic", "Position", "x y"),
    ("REQ-002-26", "diatonic", "NodeData", "label prompt"),
    ("REQ-002-27", "diatonic", "EdgeAttrs", "source target sourceHandle targetHandle"),
    ("REQ-002-28", "diatonic", "SnapshotAttrs", "nodes edges createdBy"),
    ("REQ-002-29", "diatonic", "ExperimentAttrs", "hypothesis metricsSchema status"),
    ("REQ-002-30", "diatonic", "RunAttrs", "status startedAt endedAt logsPath artifactsPath metrics"),
    ("REQ-002-31", "diatonic", "ModelAttrs", "version metrics registryPath parentRunId"),
    ("REQ-002-32", "diatonic", "DatasetAttrs", "s3Path schema size format tags"),
    ("REQ-002-33", "diatonic", "DashboardAttrs", "visibility title description"),
    ("REQ-002-34", "diatonic", "PanelAttrs", "title panelType position querySpec"),
    ("REQ-002-34", "diatonic", "PanelPosition", "x y w h"),
    ("REQ-002-34", "diatonic", "QuerySpec", "dataSource aggregation metric groupBy"),
    ("REQ-002-35", "diatonic", "DataSourceAttrs", "sourceType connectionConfig"),
    ("REQ-002-36", "diatonic", "GroupAttrs", "privacy description memberCount"),
    ("REQ-002-37", "diatonic", "PostAttrs", "content status likes comments"),
    ("REQ-002-38", "diatonic", "CommentAttrs", "content parentCommentId"),
    ("REQ-002-39", "diatonic", "ReactionAttrs", "reactionType createdAt"),
    ("REQ-002-40", "diatonic", "GroupMembershipAttrs", "role joinedAt"),
    ("REQ-002-41", "diatonic", "PageAttrs", "title contentPath status"),
    ("REQ-002-42", "diatonic", "BlogPostAttrs", "title tags publishedAt contentPath"),
    ("REQ-002-43", "diatonic", "JobAttrs", "title location department status"),
    ("REQ-002-44", "diatonic", "ApplicationAttrs", "applicantEmail applicantName resumeS3Path coverLetter status"),
    ("REQ-002-45", "diatonic", "ContactAttrs", "fromEmail subject message status"),
    ("REQ-002-46", "diatonic", "OrgAttrs", "plan settings billingEmail"),
    ("REQ-002-46", "diatonic", "OrgSettings", "maxUsers maxStorage features"),
    ("REQ-002-47", "diatonic", "UserAttrs", "email name avatar preferences lastLoginAt"),
    ("REQ-002-48", "diatonic", "MembershipAttrs", "role permissions joinedAt status"),
    ("REQ-002-49", "diatonic", "RoleAttrs", "permissions description"),
    ("REQ-003-30", "personal-os", "Preferences", "theme notifications defaultArea"),
    ("REQ-003-31", "personal-os", "RecurrenceRule", "frequency interval endDate"),
    ("REQ-003-38", "personal-os", "SuccessCriterion",
     "id text isCompleted completedAt linkedMetricId linkedTaskId targetDate order"),
    ("REQ-003-39", "personal-os", "ProgressConfig",
     "criteriaWeight tasksWeight metricsWeight habitsWeight manualOverride"),
]

# Requirement, model, enum, values. A closed list is exact; of an open one these are among the values.
ENUMS = [
    ("REQ-000-13", "values", "NodeType", "DRIVER MILESTONE ACTION"),
    ("REQ-000-7", "values", "RevSource", "weekly_review daily_update completion"),
    ("REQ-000-29", "values", "PlanReason", "morning_plan midday_replan rollover completion"),
    ("REQ-000-32", "values", "Classification", "urgent important other"),
    ("REQ-000-34", "values", "BlockType", "MEETING POMODORO BREAK BUFFER"),
    ("OPEN-001-n", "nexus", "TaskStatus", "BACKLOG TODO IN_PROGRESS BLOCKED DONE ARCHIVED"),
    ("OPEN-001-r", "nexus", "ReminderState", "SCHEDULED FIRED SNOOZED DISMISSED"),
    ("REQ-002-50", "diatonic", "Role", "owner admin editor member viewer"),
    ("REQ-002-46", "diatonic", "Plan", "free pro enterprise"),
    ("REQ-002-33", "diatonic", "Visibility", "org private"),
    ("REQ-002-36", "diatonic", "Privacy", "public private"),
    ("REQ-002-40", "diatonic", "GroupRole", "member admin moderator"),
    ("REQ-002-35", "diatonic", "SourceType", "experiments events external"),
    ("REQ-002-45", "diatonic", "ContactStatus", "new triaged resolved"),
    ("REQ-002-18", "diatonic", "NotificationStatus", "unread read"),
    ("OPEN-002-i", "diatonic", "RunStatus", "queued running completed failed cancelled"),
    ("REQ-002-5", "diatonic", "Status", "active inactive draft published"),
    ("REQ-003-32", "personal-os", "TaskStatus", "NotStarted InProgress Blocked OnHold Done Cancelled"),
    ("REQ-003-32", "personal-os", "Priority", "P1 P2 P3 P4"),
    ("REQ-003-37", "personal-os", "TimeHorizon", "Yearly Quarterly Monthly Weekly Daily"),
    ("REQ-003-37", "personal-os", "GoalStatus", "Planning Active OnTrack AtRisk Achieved Abandoned"),
    ("REQ-003-42", "personal-os", "Direction", "Higher Lower Target"),
    ("REQ-003-42", "personal-os", "MetricSource", "Manual App Device"),
    ("REQ-003-42", "personal-os", "Lifecycle", "Active Paused Archived"),
    ("REQ-003-42", "personal-os", "Trend", "Improving Declining Stable"),
    ("REQ-003-44", "personal-os", "MilestoneType", "target_reached streak improvement consistency"),
    ("REQ-003-45", "personal-os", "InsightType", "pattern anomaly correlation prediction"),
    ("REQ-003-46", "personal-os", "HabitType", "Build Maintain Reduce Quit"),
    ("REQ-003-46", "personal-os", "HabitFrequency", "Daily Weekly Monthly Custom"),
    ("REQ-003-48", "personal-os", "ProjectStatus", "Planning Active OnHold Completed Cancelled"),
    ("REQ-003-48", "personal-os", "Health", "green yellow red"),
    ("REQ-003-50", "personal-os", "Mood", "Low Steady High"),
    ("REQ-003-51", "personal-os", "RewardStatus", "Active Archived"),
    ("REQ-003-53", "personal-os", "TransactionType", "earned spent manual"),
    ("OPEN-003-w", "personal-os", "Area", "Health Wealth Relationships Career Growth Fun Environment Spirit"),
    ("OPEN-004-e", "commitcollect", "MilestoneState", "ACTIVE COMPLETED ABANDONED"),
    ("REQ-004-27", "commitcollect", "WebhookObject", "activity athlete"),
    ("REQ-004-27", "commitcollect", "WebhookAspect", "create update delete"),
]

ID_PREFIXES = {"Event": "evt_", "Master": "mst_", "Instance": "inst_", "Task": "task_", "Reminder": "rem_",
               "Note": "note_"}


def stored_names(model, entity):
    return {form.get("as", name) for name, form in model.attributes(entity).items() if form.get("stored", True)}


class Attributes(unittest.TestCase):
    def test_entities_store_what_the_requirements_list(self):
        for requirement, model, entity, names in ATTRIBUTES:
            with self.subTest(requirement, entity=entity):
                self.assertEqual(set(names.split()) - stored_names(exported(model), entity), set())

    def test_everything_in_core_has_the_envelope(self):
        model = exported("diatonic")
        for entity, definition in model.entities.items():
            if definition["table"] != "core":
                continue
            with self.subTest(entity=entity):
                expected = set(ENVELOPE if entity in NO_ATTRS else [*ENVELOPE, "Attrs"])
                self.assertEqual(expected - stored_names(model, entity), set())
                ids = [form for name, form in model.attributes(entity).items() if form.get("as", name) == "EntityId"]
                self.assertEqual([form["type"] for form in ids], ["ulid"])

    def test_shapes_have_the_members_of_the_requirements(self):
        for requirement, model, shape, names in SHAPES:
            with self.subTest(requirement, shape=shape):
                self.assertEqual(set(names.split()) - set(exported(model).shape(shape)), set())

    def test_ids_of_nexus_have_their_prefixes(self):  # REQ-001-12
        model = exported("nexus")
        for entity, prefix in ID_PREFIXES.items():
            with self.subTest(entity=entity):
                own = model.attributes(entity)[entity.lower() + "Id"]
                self.assertEqual((own["type"], own["prefix"]), ("uuid", prefix))

    def test_times_in_keys_have_one_width_per_table(self):  # the timestamp rules common to all documents
        kinds = {"values": "instant_ms", "nexus": "instant", "personal-os": "instant_ms"}
        for name, kind in kinds.items():
            model = exported(name)
            for entity in model.entities:
                for attribute, form in model.attributes(entity).items():
                    with self.subTest(model=name, entity=entity, attribute=attribute):
                        self.assertNotIn(form["type"], {"instant", "instant_ms"} - {kind})

    def test_texts_and_collections_are_bounded(self):
        for name in NAMES:
            model = exported(name)
            for entity in model.entities:
                for attribute, form in model.attributes(entity).items():
                    with self.subTest(model=name, entity=entity, attribute=attribute):
                        grows = form["type"] in ("string", "map") or form["type"].startswith(("list<", "set<"))
                        self.assertTrue(not grows or "max_length" in form)


class Enums(unittest.TestCase):
    def test_values(self):
        for requirement, model, enum, names in ENUMS:
            with self.subTest(requirement, enum=enum):
                values, is_open = exported(model).enum(enum)
                wanted = names.split()
                self.assertEqual([value for value in values if value in wanted] if is_open else values, wanted)

    def test_lists_that_end_with_etc_are_open(self):
        for model, enum in (("personal-os", "Unit"), ("personal-os", "RewardCategory"), ("personal-os", "ActivityType"),
                            ("personal-os", "Area"), ("diatonic", "Status")):
            self.assertTrue(exported(model).enum(enum)[1], enum)


if __name__ == "__main__":
    unittest.main()
