import { useMe } from "../api";
import { useShortcut } from "../parts";
import { usePaletteSearch, type PageProps } from "../shell";
import { useOptimistic } from "../state";
import { ComparePage } from "./compare_page";
import { ConflictDialog } from "./conflict_dialog";
import { HistoryPage } from "./history_page";
import { showNode, valuesModel, type ValuesModel } from "./model";
import { matches, searchWords } from "./rows";
import { isLiving, typeNames } from "./tree";
import { TimePage } from "./time_page";
import { TreePage } from "./tree_page";
import "./values.css";

/** /values: the tree. /values/history[/rev]: what happened. /values/at/rev: the tree as it was. /values/compare/rev/rev. */
export default function ValuesPage({ rest, query }: PageProps) {
  const me = useMe();
  const values = valuesModel(me.userId);
  useOptimistic(values.store, `values:${me.userId}`);
  useShortcut("mod+z", () => values.undo(), { label: "Undo", group: "Values", icon: "undo" });
  useShortcut("mod+shift+z", () => values.redo(), { label: "Redo", group: "Values", icon: "redo" });
  useShortcut("mod+y", () => values.redo());
  usePaletteSearch((text) => findNodes(values, text));
  const resolving = values.resolving.value;
  return (
    <>
      <Room values={values} rest={rest} query={query} />
      {resolving && <ConflictDialog key={resolving.id} values={values} failed={resolving} />}
    </>
  );
}

function Room({ values, rest, query }: PageProps & { values: ValuesModel }) {
  const [room, first, second] = rest;
  if (room === "history") return <HistoryPage values={values} openRevId={first} />;
  if (room === "at") return <TimePage key={first ?? ""} values={values} revId={first} />;
  if (room === "compare" && first !== undefined) return <ComparePage values={values} from={first} to={second ?? "now"} />;
  return <TreePage values={values} nodeId={query.get("node")} />;
}

const kFoundMax = 8;

function findNodes(values: ValuesModel, text: string) {
  const words = searchWords(text);
  const found = [...values.tree.value.nodes.values()].filter((node) => isLiving(node) && matches(node, words));
  return found.slice(0, kFoundMax).map((node) => ({
    label: node.title,
    group: typeNames[node.nodeType],
    icon: node.nodeType === "DRIVER" ? ("driver" as const) : node.nodeType === "MILESTONE" ? ("milestone" as const) : ("action" as const),
    run: () => showNode(values, node.nodeId),
  }));
}
