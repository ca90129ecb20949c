/**
 * HL levels of one transaction: read into nodes, written from records. Owns numbering (from 1, local to the
 * transaction), parents and the child flag. Knows the levels only by the codes a format passes in.
 */

import { sameRecord } from "./loop.js";
import type { ProblemList } from "./problem.js";
import { elementOf, positionOf, type Segment } from "./segment.js";

/** Level codes, each with the level it hangs under ("" for the top) and what HL04 may say when nothing hangs below. */
export type Levels = Readonly<Record<string, { readonly above: string; readonly childless: readonly string[] }>>;

export interface HierarchyNode {
  readonly level: string;
  readonly parent: HierarchyNode | undefined;
  readonly start: Segment;
  /** HL04 as written. */
  readonly childCode: string;
  /** The segments after HL, up to the next HL. */
  readonly segments: Segment[];
  children: number;
}

/** Splits a transaction at its HLs; a faulty HL is reported and its node kept, so that reading can go on. */
export function readHierarchy(
  segments: readonly Segment[],
  levels: Levels,
  problems: ProblemList,
): { head: readonly Segment[]; nodes: readonly HierarchyNode[] } {
  const head: Segment[] = [];
  const nodes: HierarchyNode[] = [];
  const byId = new Map<string, HierarchyNode>();
  for (const segment of segments) {
    if (problems.full) break;
    if (segment.id === "HL") {
      const node = openNode(segment, nodes.length + 1, byId, levels, problems);
      nodes.push(node);
      byId.set(elementOf(segment, 1), node);
    } else (nodes.at(-1)?.segments ?? head).push(segment);
  }
  for (const { level, start, childCode, children } of nodes) {
    const allowed = children > 0 ? ["1"] : (levels[level]?.childless ?? ["0"]);
    if (!allowed.includes(childCode))
      problems.add("hierarchy", positionOf(start, 4), expectedChildCode(allowed, children), childCode);
  }
  return { head, nodes };
}

function expectedChildCode(allowed: readonly string[], children: number): string {
  if (allowed.length === 0) return "1, and a level below";
  const codes = allowed.map((code) => (code === "" ? "nothing" : code)).join(" or ");
  return `${codes}, since ${children} levels are below`;
}

function openNode(
  start: Segment,
  number: number,
  byId: ReadonlyMap<string, HierarchyNode>,
  levels: Levels,
  problems: ProblemList,
): HierarchyNode {
  const [, id = "", parentId = "", level = "", childCode = ""] = start.elements;
  if (id !== String(number)) problems.add("hierarchy", positionOf(start, 1), String(number), id);
  if (start.elements.length > 5)
    problems.add("too-many-elements", positionOf(start, 5), "at most 4 elements", elementOf(start, 5));
  const above = levels[level]?.above;
  if (above === undefined)
    problems.add("hierarchy", positionOf(start, 3), `level ${Object.keys(levels).join(" or ")}`, level);
  const parent = parentId === "" ? undefined : byId.get(parentId);
  const expected = above === "" ? "no parent" : `an earlier level ${above}`;
  if (above !== undefined && (above === "" ? parentId !== "" : parent?.level !== above))
    problems.add("hierarchy", positionOf(start, 2), expected, parentId);
  if (parent !== undefined) parent.children++;
  return { level, parent, start, childCode, segments: [], children: 0 };
}

/** One level above an item: the record that it shares with its neighbours, and how that record is written. */
export interface Branch {
  readonly level: string;
  readonly record: unknown;
  /** HL04 when nothing hangs below. */
  readonly childless: string;
  readonly render: () => readonly Segment[];
}

/** Writes items under their branches; neighbours whose records are the same share a level. */
export function renderHierarchy<T>(
  items: readonly T[],
  branchesOf: (item: T) => readonly Branch[],
  renderItem: (item: T) => readonly Segment[],
): Segment[] {
  const nodes: { branch: Branch; parent: number; children: number; segments: Segment[] }[] = [];
  let open: number[] = [];
  for (const item of items) {
    const branches = branchesOf(item);
    let shared = 0;
    while (shared < branches.length && shared < open.length) {
      const node = nodes[(open[shared] ?? 0) - 1];
      const branch = branches[shared];
      if (node === undefined || branch?.level !== node.branch.level || !sameRecord(branch.record, node.branch.record))
        break;
      shared++;
    }
    // An item that hangs higher than the level last written needs that level anew, or it would fall under the wrong one.
    if (shared === branches.length && shared < open.length) shared--;
    open = open.slice(0, shared);
    for (const branch of branches.slice(shared)) {
      const parent = open.at(-1) ?? 0;
      const above = nodes[parent - 1];
      if (above !== undefined) above.children++;
      open.push(nodes.push({ branch, parent, children: 0, segments: [...branch.render()] }));
    }
    nodes[(open.at(-1) ?? 0) - 1]?.segments.push(...renderItem(item));
  }
  return nodes.flatMap(({ branch, parent, children, segments }, n) => {
    const elements = ["HL", String(n + 1), parent === 0 ? "" : String(parent), branch.level];
    const childCode = children > 0 ? "1" : branch.childless;
    if (childCode !== "") elements.push(childCode);
    return [{ id: "HL", elements, index: 0, offset: 0 }, ...segments];
  });
}
