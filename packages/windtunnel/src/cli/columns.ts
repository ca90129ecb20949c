/** Rows of cells as aligned text. Cells must be safe to print already; widths count characters, so wide scripts may stand out. */

export interface Column {
  readonly head: string;
  readonly align?: "left" | "right";
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colour codes take no room.
const COLOUR = /\u001b\[[0-9;]*m/g;
const widthOf = (cell: string) => [...cell.replace(COLOUR, "")].length;

/** Lines of text: the heads, then the rows, two spaces between columns. */
export function toColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ head }, i) => Math.max(widthOf(head), ...rows.map((row) => widthOf(row[i] ?? ""))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const room = " ".repeat(widths[i]! - widthOf(cell));
        return columns[i]!.align === "right" ? room + cell : cell + room;
      })
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ head }) => head)), ...rows.map((row) => line(columns.map((_, i) => row[i] ?? "")))].join(
    "\n",
  );
}

/** A line cut to `width` characters; one that had to be cut loses its colours. */
export function toWidth(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  return `${[...line.replace(COLOUR, "")].slice(0, width - 1).join("")}…`;
}
