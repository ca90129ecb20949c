/**
 * World: the simulated enterprise. Typed tables of frozen rows, a simulated clock, seeded randomness and scheduled events.
 * Copy-on-write: forks share one immutable base and keep their own changes. The state hash is updated per changed row.
 * Rows are checked for shape (every declared field, nothing else) on write; full schema validation is `validate()`.
 */
import type { z } from "zod";
import { withBoundary } from "./fault.js";
import { deepFreeze } from "./freeze.js";
import { addWords, type HashWords, hashRecord, hashWords, toHex } from "./hash.js";
import { type IdWalk, numberAt, openIdWalk } from "./id-walk.js";
import { Random } from "./random.js";

export type Fields = Readonly<Record<string, z.ZodType>> & { readonly id: z.ZodType<string> };

/** One kind of record. `sealed` tables hold hidden truth: no tool can reach them. */
export interface Table<F extends Fields = Fields> {
  readonly fields: F;
  readonly prefix: string;
  readonly sealed: boolean;
}

/** Defines a table; `prefix` starts the ids the world mints ("CLM" gives "CLM-41007"). */
export function defineTable<F extends Fields>(prefix: string, fields: F, options: { sealed?: boolean } = {}): Table<F> {
  return { fields, prefix, sealed: options.sealed ?? false };
}

export type Tables = Readonly<Record<string, Table>>;
export type Row<T extends Table = Table> = { readonly [K in keyof T["fields"]]: z.output<T["fields"][K]> };
type NewRow<T extends Table> = Omit<Row<T>, "id"> & { readonly id?: string };

/** One row's change between two states. `before` is null for an insert, `after` for a removal. */
export interface Change {
  readonly table: string;
  readonly id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** What happens when a scheduled event is due. It sees every table, sealed ones included. */
export type Reaction<T extends Tables = Tables> = (world: World<T>, data: Readonly<Record<string, unknown>>) => void;

export interface WorldDefinition<T extends Tables = Tables> {
  readonly tables: T;
  readonly reactions: Readonly<Record<string, Reaction<T>>>;
}

/** Defines the tables and the reactions to scheduled events of a world. */
export function defineWorld<T extends Tables>(
  tables: T,
  reactions: Readonly<Record<string, Reaction<T>>> = {},
): WorldDefinition<T> {
  return { tables, reactions };
}

export interface FiredEvent {
  readonly kind: string;
  readonly at: number;
  readonly changes: readonly Change[];
}

type AnyRow = Readonly<Record<string, unknown>>;
type Rows = Map<string, AnyRow>;
interface ScheduledEvent {
  readonly order: number;
  readonly at: number;
  readonly kind: string;
  readonly data: AnyRow;
}

interface State {
  readonly definition: WorldDefinition;
  readonly names: readonly string[];
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly seed: string;
  base: ReadonlyMap<string, ReadonlyMap<string, AnyRow>>;
  own: Map<string, Map<string, AnyRow | null>>;
  lanes: HashWords;
  /** The row written last and its hash: the next write is often to the same row. */
  lastRow: AnyRow | null;
  lastWords: HashWords;
  now: number;
  minted: Map<string, IdWalk>;
  scheduled: readonly ScheduledEvent[];
  order: number;
  changes: Change[];
  fired: FiredEvent[];
}

const EMPTY: ReadonlyMap<string, AnyRow> = new Map();
const NOTHING: readonly never[] = Object.freeze([]);

/** Pending events as text, without the order they were scheduled in: equal agendas are equal states, whatever led to them. */
const agendas = new WeakMap<readonly ScheduledEvent[], string>();

function agendaOf(scheduled: readonly ScheduledEvent[]): string {
  let text = agendas.get(scheduled);
  if (text === undefined) {
    text = JSON.stringify(scheduled.map(({ at, kind, data }) => [at, kind, data]));
    agendas.set(scheduled, text);
  }
  return text;
}

const sameValue = (a: unknown, b: unknown) =>
  a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));

function sameRow(a: AnyRow | null, b: AnyRow | null, keys: readonly string[]): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  for (const key of keys) if (!sameValue(a[key], b[key])) return false;
  return true;
}

type Reach = "all" | "visible";

export class World<T extends Tables = Tables> {
  readonly #state: State;
  readonly #reach: Reach;
  readonly #writable: boolean;

  private constructor(state: State, reach: Reach, writable: boolean) {
    this.#state = state;
    this.#reach = reach;
    this.#writable = writable;
  }

  /** An empty world at `now` (ms since the Unix epoch, UTC). */
  static open<T extends Tables>(definition: WorldDefinition<T>, options: { seed: string; now: number }): World<T> {
    const names = Object.keys(definition.tables);
    return new World<T>(
      {
        definition: definition as unknown as WorldDefinition,
        names,
        keys: keysOf(definition as unknown as WorldDefinition),
        seed: options.seed,
        base: new Map(),
        own: new Map(),
        lanes: [0, 0, 0, 0],
        lastRow: null,
        lastWords: [0, 0, 0, 0],
        now: options.now,
        minted: new Map(),
        scheduled: [],
        order: 0,
        changes: [],
        fired: [],
      },
      "all",
      true,
    );
  }

  /** The clock: ms since the Unix epoch, UTC. */
  get now(): number {
    return this.#state.now;
  }

  get seed(): string {
    return this.#state.seed;
  }

  /** Names of the tables within reach. */
  get tableNames(): readonly (keyof T & string)[] {
    const { definition, names } = this.#state;
    return names.filter((name) => this.#reach === "all" || !definition.tables[name]!.sealed);
  }

  /** A stream named by `label`: the same label gives the same draws, so nothing hidden moves. */
  random(label: string): Random {
    return new Random(`${this.#state.seed}/${label}`);
  }

  get<N extends keyof T & string>(table: N, id: string): Row<T[N]> | undefined {
    this.#check(table);
    return this.#find(table, id) as Row<T[N]> | undefined;
  }

  /** The row, which must exist: for references the world itself made. Throws when absent. */
  need<N extends keyof T & string>(table: N, id: string): Row<T[N]> {
    const row = this.get(table, id);
    if (row === undefined) throw new Error(`no row "${id}" in table "${table}"`);
    return row;
  }

  /** All rows in order of insertion. */
  all<N extends keyof T & string>(table: N): readonly Row<T[N]>[] {
    const rows: AnyRow[] = [];
    this.#each(table, (row) => rows.push(row));
    return rows as unknown as Row<T[N]>[];
  }

  where<N extends keyof T & string>(table: N, match: Partial<Row<T[N]>>): readonly Row<T[N]>[] {
    const keys = Object.keys(match);
    const wanted = keys.map((key) => (match as AnyRow)[key]);
    const found: AnyRow[] = [];
    this.#each(table, (row) => {
      let at = 0;
      while (at < keys.length && row[keys[at]!] === wanted[at]) at++;
      if (at === keys.length) found.push(row);
    });
    return found as unknown as Row<T[N]>[];
  }

  /** Adds a row; mints an id when none is given. Throws on a duplicate id, a missing or an undeclared field. */
  insert<N extends keyof T & string>(table: N, row: NewRow<T[N]>): Row<T[N]> {
    this.#check(table);
    this.#mayWrite();
    const given = row.id as string | undefined;
    const id = given ?? this.mint(table);
    if (given !== undefined && this.#find(table, id) !== undefined)
      throw new Error(`table "${table}" already has a row "${id}"`);
    if (this.#state.own.get(table)?.has(id)) this.#forget(table, id);
    return this.#write(table, id, null, this.#shaped(table, row as AnyRow, id)) as unknown as Row<T[N]>;
  }

  /** Changes fields of a row; a patch that changes nothing leaves the row, the hash and the log as they are. */
  update<N extends keyof T & string>(table: N, id: string, patch: Partial<Omit<Row<T[N]>, "id">>): Row<T[N]> {
    this.#check(table);
    this.#mayWrite();
    const before = this.#find(table, id);
    if (before === undefined) throw new Error(`no row "${id}" in table "${table}" to update`);
    const changed: Record<string, unknown> = {};
    let any = false;
    for (const key in patch) {
      if (!Object.hasOwn(before, key)) throw new Error(`table "${table}" has no field "${key}"`);
      const value = (patch as AnyRow)[key];
      if (sameValue(value, before[key])) continue;
      if (value === undefined)
        throw new Error(`row "${id}" of table "${table}" cannot lose the field "${key}"; use null for none`);
      if (key === "id") throw new Error(`row "${id}" of table "${table}" cannot change its id`);
      changed[key] = value;
      any = true;
    }
    if (!any) return before as unknown as Row<T[N]>;
    return this.#write(table, id, before, { ...before, ...changed }) as unknown as Row<T[N]>;
  }

  remove<N extends keyof T & string>(table: N, id: string): void {
    this.#check(table);
    const before = this.#find(table, id);
    if (before === undefined) throw new Error(`no row "${id}" in table "${table}" to remove`);
    this.#write(table, id, before, null);
  }

  /** A new id for a row of `table`. Ids start at a seeded offset, so they differ from one task to the next. */
  mint<N extends keyof T & string>(table: N): string {
    this.#check(table);
    this.#mayWrite();
    const { minted, definition, seed } = this.#state;
    const { prefix } = definition.tables[table]!;
    let walk = minted.get(table) ?? openIdWalk(`${seed}/mint/${table}`);
    let id: string;
    do {
      id = `${prefix}-${numberAt(walk)}`;
      walk = { ...walk, count: walk.count + 1 };
    } while (this.#find(table, id) !== undefined);
    minted.set(table, walk);
    return id;
  }

  /** Runs the reaction `kind` when the clock reaches `at` (ms); at once, on the next advance, when that is past. */
  schedule(at: number, kind: string, data: Readonly<Record<string, unknown>>): void {
    this.#mayWrite();
    if (!Number.isFinite(at)) throw new Error(`"${kind}" was scheduled at ${at}, which is no instant`);
    const state = this.#state;
    if (state.definition.reactions[kind] === undefined)
      throw new Error(`no reaction "${kind}" is defined in this world`);
    const event = deepFreeze({ order: state.order++, at, kind, data });
    state.scheduled = [...state.scheduled, event].sort((a, b) => a.at - b.at || a.order - b.order);
  }

  /** When the next scheduled event is due (ms), or undefined when nothing is pending. */
  get nextEventAt(): number | undefined {
    return this.#state.scheduled[0]?.at;
  }

  /** Moves the clock to `to` (ms), running what falls due on the way, in order of time then of scheduling. Never moves back. Throws a Fault of the world when a reaction throws. */
  advanceTo(to: number): void {
    this.#mayWrite();
    if (!Number.isFinite(to)) throw new Error(`the clock cannot advance to ${to}, which is no instant`);
    const state = this.#state;
    for (let due = state.scheduled[0]; due !== undefined && due.at <= to; due = state.scheduled[0]) {
      state.scheduled = state.scheduled.slice(1);
      if (due.at > state.now) state.now = due.at;
      const direct = state.changes;
      state.changes = [];
      withBoundary("world", `reaction_threw:${due.kind}`, () =>
        state.definition.reactions[due.kind]!(new World(state, "all", true), due.data),
      );
      state.fired.push({ kind: due.kind, at: state.now, changes: state.changes });
      state.changes = direct;
    }
    if (to > state.now) state.now = to;
  }

  /** What changed since the last call: direct writes, and the scheduled events that fired. */
  takeChanges(): { changes: readonly Change[]; fired: readonly FiredEvent[] } {
    this.#mayWrite();
    if (this.#reach !== "all") throw new Error("only the owner of a world may take its changes");
    const { changes, fired } = this.#state;
    if (changes.length > 0) this.#state.changes = [];
    if (fired.length > 0) this.#state.fired = [];
    return { changes: changes.length > 0 ? changes : NOTHING, fired: fired.length > 0 ? fired : NOTHING };
  }

  /** An independent, writable copy with the same state and the same reach; rows are shared, changes are not. */
  fork(): World<T> {
    const state = this.#state;
    if (state.base.size === 0 && state.own.size > 0) this.#settle();
    const own = new Map<string, Map<string, AnyRow | null>>();
    for (const [name, rows] of state.own) own.set(name, new Map(rows));
    return new World<T>(
      { ...state, own, lanes: [...state.lanes], minted: new Map(state.minted), changes: [], fired: [] },
      this.#reach,
      true,
    );
  }

  /** The same live state as a tool sees it: sealed tables are out of reach. */
  visible(): World<T> {
    return new World<T>(this.#state, "visible", this.#writable);
  }

  /** The same live state, for looking only. */
  readOnly(): World<T> {
    return new World<T>(this.#state, this.#reach, false);
  }

  /** 128-bit hash of rows, clock and scheduled events, as 32 hex digits. */
  hash(): string {
    const { lanes, now, scheduled } = this.#state;
    if (scheduled.length === 0) {
      const clock = hashWords(`${now}`);
      return toHex([lanes[0] ^ clock[0], lanes[1] ^ clock[1], lanes[2] ^ clock[2], lanes[3] ^ clock[3]]);
    }
    const rest = hashWords(`${now}${agendaOf(scheduled)}`);
    return toHex([lanes[0] ^ rest[0], lanes[1] ^ rest[1], lanes[2] ^ rest[2], lanes[3] ^ rest[3]]);
  }

  /** Changes that lead from `earlier` to this state, tables within reach only, in table then insertion order. */
  diff(earlier: World<T>): readonly Change[] {
    const changes: Change[] = [];
    for (const name of this.tableNames) {
      const mine = this.#state;
      const theirs = earlier.#state;
      const sameBase = mine.base === theirs.base;
      const ids = new Set<string>([
        ...(sameBase ? [] : [...(theirs.base.get(name)?.keys() ?? []), ...(mine.base.get(name)?.keys() ?? [])]),
        ...(theirs.own.get(name)?.keys() ?? []),
        ...(mine.own.get(name)?.keys() ?? []),
      ]);
      for (const id of ids) {
        const before = earlier.#find(name, id) ?? null;
        const after = this.#find(name, id) ?? null;
        if (!sameRow(before, after, mine.keys.get(name)!)) changes.push({ table: name, id, before, after });
      }
    }
    return changes;
  }

  /** Every row against its schema: one line per problem, empty when all rows conform. */
  validate(): string[] {
    const problems: string[] = [];
    const { definition, names } = this.#state;
    for (const name of names) {
      const { fields } = definition.tables[name]!;
      for (const row of new World(this.#state, "all", false).all(name)) {
        for (const key in fields) {
          const parsed = fields[key]!.safeParse((row as AnyRow)[key]);
          if (!parsed.success) problems.push(`${name}/${row.id}.${key}: ${parsed.error.issues[0]?.message}`);
        }
      }
    }
    return problems;
  }

  /** Every row of every table within reach, for saving a world as data. */
  toRows(): Record<string, readonly AnyRow[]> {
    return Object.fromEntries(this.tableNames.map((name) => [name, this.all(name) as readonly AnyRow[]]));
  }

  /** Visits rows in order of insertion, copying nothing. */
  #each(table: string, visit: (row: AnyRow) => void): void {
    this.#check(table);
    const base = this.#state.base.get(table) ?? EMPTY;
    const own = this.#state.own.get(table);
    if (own === undefined || own.size === 0) {
      for (const row of base.values()) visit(row);
      return;
    }
    for (const [id, row] of base) {
      const mine = own.get(id);
      if (mine === undefined) visit(row);
      else if (mine !== null) visit(mine);
    }
    for (const [id, row] of own) if (row !== null && !base.has(id)) visit(row);
  }

  #find(table: string, id: string): AnyRow | undefined {
    const mine = this.#state.own.get(table)?.get(id);
    if (mine !== undefined) return mine ?? undefined;
    return this.#state.base.get(table)?.get(id);
  }

  #check(table: string): void {
    const definition = this.#state.definition.tables[table];
    if (definition === undefined) throw new Error(`no table "${table}" in this world`);
    if (definition.sealed && this.#reach !== "all")
      throw new Error(`table "${table}" is sealed: tools and rubrics cannot reach it`);
  }

  #mayWrite(): void {
    if (!this.#writable) throw new Error("this view of the world is read-only");
  }

  /** The row with its id, its fields in the schema's order. */
  #shaped(table: string, row: AnyRow, id: string): AnyRow {
    const keys = this.#state.keys.get(table)!;
    if (inOrder(row, id, keys)) return { id, ...row };
    const shaped: Record<string, unknown> = {};
    for (const key of keys) {
      const value = key === "id" ? id : row[key];
      if (value === undefined) throw new Error(`row "${id}" of table "${table}" lacks the field "${key}"`);
      shaped[key] = value;
    }
    for (const key in row) if (!(key in shaped)) throw new Error(`table "${table}" has no field "${key}"`);
    return shaped;
  }

  #write(table: string, id: string, before: AnyRow | null, after: AnyRow | null): AnyRow | null {
    this.#mayWrite();
    const state = this.#state;
    if (after !== null) deepFreeze(after);
    let own = state.own.get(table);
    if (own === undefined) {
      own = new Map();
      state.own.set(table, own);
    }
    own.set(id, after);
    const keys = state.keys.get(table)!;
    if (before !== null)
      addWords(state.lanes, before === state.lastRow ? state.lastWords : hashRecord(table, before, keys), -1);
    if (after !== null) {
      state.lastRow = after;
      state.lastWords = hashRecord(table, after, keys);
      addWords(state.lanes, state.lastWords, 1);
    }
    state.changes.push({ table, id, before, after });
    return after;
  }

  /** Drops the place a removed id held, so that a row inserted under it again stands last. */
  #forget(table: string, id: string): void {
    const state = this.#state;
    state.own.get(table)!.delete(id);
    const rows = state.base.get(table);
    if (rows?.has(id) !== true) return;
    const kept = new Map(rows);
    kept.delete(id);
    state.base = new Map(state.base).set(table, kept);
  }

  /** Turns own rows into the immutable base that forks share. */
  #settle(): void {
    const state = this.#state;
    const base = new Map<string, Rows>();
    for (const [name, rows] of state.own) {
      for (const [id, row] of rows) if (row === null) rows.delete(id);
      base.set(name, rows as Rows);
    }
    state.base = base;
    state.own = new Map();
  }
}

/** Does `row`, its id set aside, have exactly the fields of a schema that begins with the id, in the schema's order? Most do. */
function inOrder(row: AnyRow, id: string, keys: readonly string[]): boolean {
  if (keys[0] !== "id") return false;
  let at = 1;
  for (const key of Object.keys(row)) {
    const value = row[key];
    if (key === "id" ? value !== id : value === undefined || keys[at++] !== key) return false;
  }
  return at === keys.length;
}

const keyCache = new WeakMap<WorldDefinition, ReadonlyMap<string, readonly string[]>>();

function keysOf(definition: WorldDefinition): ReadonlyMap<string, readonly string[]> {
  let keys = keyCache.get(definition);
  if (keys === undefined) {
    keys = new Map(Object.entries(definition.tables).map(([name, table]) => [name, Object.keys(table.fields)]));
    keyCache.set(definition, keys);
  }
  return keys;
}
