import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf } from "../api";
import {
  Badge,
  Button,
  classNames,
  Dialog,
  Icon,
  mayDiscard,
  MenuButton,
  Notice,
  SkeletonRows,
  TextField,
  timeText,
  type IconName,
} from "../parts";
import { navigate, toast } from "../shell";
import { useForm, useResource } from "../state";
import { readChanges, summaryOf } from "./changes";
import { commitTitle, sourceNames } from "./commit_title";
import { ChangeChips, DiffView } from "./diff_view";
import type { Commit } from "./history_pages";
import type { ValuesModel } from "./model";
import { commitOf, compare, treeOf } from "./revisions";
import { putTag } from "./tags";

interface CommitEntryProps {
  commit: Commit;
  values: ValuesModel;
  isHead: boolean;
  isOpen: boolean;
  isFrom: boolean;
  tags: string[];
  onCompare: () => void;
  onRollback: () => void;
  onTagged: () => void;
}

/** One revision in the timeline: what it was and, opened, all it changed. */
export function CommitEntry(props: CommitEntryProps) {
  const { commit, values, isHead, isOpen, isFrom, tags, onCompare, onRollback } = props;
  const [naming, setNaming] = useState(false);
  const line = useRef<HTMLLIElement>(null);
  const tree = values.tree.value;

  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);

  return (
    <li ref={line} class={classNames("commit", isOpen && "commit-open", isFrom && "commit-from")}>
      <span class="commit-dot">
        <Icon name={iconOf(commit)} size={13} />
      </span>
      <div class="commit-head">
        <button
          type="button"
          class="commit-toggle"
          aria-expanded={isOpen}
          onClick={() => navigate(isOpen ? "/values/history" : `/values/history/${commit.revId}`, "replace")}
        >
          <span class="commit-title">{commitTitle(commit, tree)}</span>
          <span class="commit-facts small faint">
            <time dateTime={commit.revTs}>{timeText(commit.revTs)}</time>
            {sourceNames[commit.source] !== commitTitle(commit, tree) && <span>{sourceNames[commit.source]}</span>}
          </span>
        </button>
        <span class="row wrap commit-badges">
          {isHead && <Badge tone="accent">Now</Badge>}
          {tags.map((tag) => (
            <Badge key={tag} tone="info" icon="tag">
              {tag}
            </Badge>
          ))}
        </span>
        <MenuButton
          label={`More for ${commitTitle(commit, tree)}`}
          size="small"
          entries={[
            { label: "See the tree as it was", icon: "eye", onSelect: () => navigate(`/values/at/${commit.revId}`) },
            { label: isFrom ? "Compare with another…" : "Compare", icon: "filter", onSelect: onCompare },
            {
              label: "Compare with now",
              icon: "arrow-right",
              disabled: isHead,
              onSelect: () => navigate(`/values/compare/${commit.revId}/now`),
            },
            "line",
            { label: "Name this revision…", icon: "tag", onSelect: () => setNaming(true) },
            { label: "Roll back to this…", icon: "history", disabled: isHead, onSelect: onRollback },
          ]}
        />
      </div>
      {isOpen ? <Opened {...props} /> : <Summary commit={commit} values={values} />}
      {naming && <NameDialog {...props} onClose={() => setNaming(false)} />}
    </li>
  );
}

function iconOf(commit: Commit): IconName {
  if (commit.restoredBy === "undo") return "undo";
  if (commit.restoredBy === "redo") return "redo";
  if (commit.restoredBy === "rollback") return "history";
  return commit.source === "completion" ? "check" : commit.source === "weekly_review" ? "review" : "edit";
}

/** In words, read when the line comes into view. Names are those of now: old trees are not read for it. */
function Summary({ commit, values }: { commit: Commit; values: ValuesModel }) {
  const place = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<string | undefined>(undefined);
  useEffect(() => {
    let isHere = true;
    const read = async () => {
      try {
        const { diff } = await commitOf(commit.revId);
        const tree = values.tree.peek();
        if (isHere) setText(summaryOf(readChanges(diff, tree, tree), commit.message));
      } catch {
        if (isHere) setText(""); // opened, the line says what is wrong
      }
    };
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void read();
    });
    observer.observe(place.current!);
    return () => {
      isHere = false;
      observer.disconnect();
    };
  }, [commit.revId, commit.message, values]);
  return (
    <div ref={place} class="commit-summary small soft">
      {text ?? " "}
    </div>
  );
}

function Opened({ commit, isHead, onCompare, onRollback, isFrom }: CommitEntryProps) {
  const changes = useResource(commit.revId, async () => {
    if (commit.parentRevId !== undefined) {
      const { diff, before, after } = await compare(commit.parentRevId, commit.revId);
      return readChanges(diff, before, after);
    }
    const [{ diff }, tree] = await Promise.all([commitOf(commit.revId), treeOf(commit.revId)]);
    return readChanges(diff, tree, tree);
  });
  const groups = changes.data.value;
  return (
    <div class="commit-body">
      {changes.problem.value && !groups && (
        <Notice tone="danger" title="This could not be loaded." action={{ label: "Try again", run: () => void changes.refresh() }}>
          {changes.problem.value.message}
        </Notice>
      )}
      {!groups && !changes.problem.value && <SkeletonRows rows={2} label="Loading the changes" />}
      {groups && (
        <>
          {groups.length > 0 && <ChangeChips groups={groups} />}
          <DiffView groups={groups} />
        </>
      )}
      <div class="row wrap">
        <Button size="small" icon="eye" onClick={() => navigate(`/values/at/${commit.revId}`)}>
          See the tree as it was
        </Button>
        <Button size="small" icon="filter" aria-pressed={isFrom} onClick={onCompare}>
          Compare
        </Button>
        {!isHead && (
          <Button size="small" icon="history" onClick={onRollback}>
            Roll back to this
          </Button>
        )}
      </div>
    </div>
  );
}

function NameDialog({ commit, onTagged, onClose }: CommitEntryProps & { onClose: () => void }) {
  const form = useForm({
    initial: { name: "" },
    check: ({ name }) => (name.trim() === "" ? { name: "Enter a title." } : {}),
    send: async ({ name }) => {
      await putTag(name.trim(), commit.revId);
      onTagged();
      onClose();
      toast({ text: `This revision is now called “${name.trim()}”.`, tone: "success" });
    },
    explain: (problem) => problemOf(problem).message,
  });
  return (
    <Dialog
      title="Name this revision"
      size="small"
      onClose={() => void mayDiscard(form.fields.name.trim() !== "").then((sure) => sure && onClose())}
    >
      <form class="stack" onSubmit={form.submit}>
        <TextField
          label="Name"
          hint="For example “Before the move”. A name already in use moves to this revision."
          value={form.fields.name}
          onInput={form.set("name")}
          error={form.error("name") ?? form.problem}
          maxLength={100}
          autofocus
        />
        <div class="row">
          <span class="grow" />
          <Button type="submit" variant="primary" busy={form.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
