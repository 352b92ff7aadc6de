// Profile of a test run, from its events and the processor time of its control groups. Pure.

import { groupOf } from "../TestGroups.ts"
import { type Cause, causes, type Mark, type ProfileEvent, type WorkerUsage } from "./Events.ts"

/** Processor time that was read when all processes of the run had ended. Unit: seconds. */
export interface Usage {
  /** By process id of the worker. */
  readonly workers: ReadonlyMap<number, WorkerUsage>
  /** Vitest's main process, with the start of each worker. */
  readonly main: number
  /** The shared Postgres, all its processes. */
  readonly postgres: number
  /** Part of `postgres` by database, as far as sampling saw it. */
  readonly databases: ReadonlyMap<string, number>
}

/** Figures of a file or of a sum of files. Times in seconds. */
export interface Figures {
  readonly wall: number
  readonly processor: number
  /** Wall time without processor time, at least 0 for each file. */
  readonly waiting: number
  /** Wall time that vitest measured for importing the file, without setup files. */
  readonly imports: number
  readonly suites: number
  readonly databases: number
  readonly migrations: number
  /** Started processes by cause and kind. */
  readonly started: Readonly<Partial<Record<Cause, Readonly<Record<string, number>>>>>
  /** Processor time by cause. */
  readonly causes: Readonly<Partial<Record<Cause, number>>>
}

export interface FileProfile extends Figures {
  readonly file: string
}

export interface Profile {
  /** Slowest file first. */
  readonly files: ReadonlyArray<FileProfile>
  /** By daemon or first folder; the largest wall time first. */
  readonly daemons: ReadonlyArray<Figures & { readonly daemon: string; readonly files: number }>
  /** Whole run, with processor time that belongs to no file. */
  readonly causes: Readonly<Record<Cause, number>>
  /** Part of the shared Postgres that belongs to no file: checkpoints, databases' creation, short connections. */
  readonly unattributedPostgres: number
}

/** `root`: path that file names start with. */
export const buildProfile = (events: ReadonlyArray<ProfileEvent>, usage: Usage | undefined, root: string): Profile => {
  const names = [...new Set(events.map(({ file }) => file))].filter((file) => file !== "")
  const marks = events.filter((event): event is Mark => "pid" in event)
  const files = names
    .map((file) =>
      fileProfile(
        file.replace(`${root}/`, ""),
        events.filter((event) => event.file === file),
        marks,
        usage
      )
    )
    .sort((a, b) => b.wall - a.wall)
  const groups = Map.groupBy(files, ({ file }) => groupOf(file))
  const attributed = sumOf(files, (file) => file.causes["shared Postgres"] ?? 0)
  const starts = sumOf(files, (file) => file.causes["worker start"] ?? 0)
  return {
    files,
    daemons: [...groups]
      .map(([daemon, members]) => ({ daemon, files: members.length, ...sumFigures(members) }))
      .sort((a, b) => b.wall - a.wall),
    causes: {
      ...(Object.fromEntries(causes.map((cause) => [cause, sumOf(files, (file) => file.causes[cause] ?? 0)])) as Record<
        Cause,
        number
      >),
      "transform and start of vitest": usage === undefined ? 0 : Math.max(0, usage.main - starts),
      "shared Postgres": usage?.postgres ?? attributed
    },
    unattributedPostgres: Math.max(0, (usage?.postgres ?? attributed) - attributed)
  }
}

const fileProfile = (
  file: string,
  events: ReadonlyArray<ProfileEvent>,
  marks: ReadonlyArray<Mark>,
  usage: Usage | undefined
): FileProfile => {
  const spent: Partial<Record<Cause, number>> = {}
  const add = (cause: Cause, seconds: number) => {
    if (seconds > 0) spent[cause] = (spent[cause] ?? 0) + seconds
  }
  const started: Partial<Record<Cause, Record<string, number>>> = {}
  const counts = { suites: 0, databases: 0, migrations: 0, imports: 0 }
  let blocking = 0
  for (const event of events) {
    if (event.e === "count") counts[event.what] += event.n
    if (event.e === "module") counts.imports += event.imports
    if (event.e === "database") {
      counts.databases++
      add("shared Postgres", usage?.databases.get(event.name) ?? 0)
    }
    if (event.e === "spawn") {
      const kinds = (started[event.cause] ??= {})
      kinds[event.kind] = (kinds[event.kind] ?? 0) + 1
      blocking += event.seconds ?? 0
      add(event.cause, event.seconds ?? 0)
    }
  }
  const [setup, collected, tests, end] = (["setup", "collected", "tests", "end"] as const).map((e) =>
    events.find((event): event is Mark => event.e === e)
  )
  const last = end ?? tests ?? collected ?? setup
  if (setup !== undefined && last !== undefined) {
    const ofWorker = marks.filter(({ pid }) => pid === setup.pid)
    const before = ofWorker[ofWorker.indexOf(setup) - 1]
    add("worker start", setup.cpu - (before?.cpu ?? 0))
    add("import", (collected ?? last).cpu - setup.cpu)
    if (collected !== undefined) add("setup hooks", (tests ?? last).cpu - collected.cpu)
    if (tests !== undefined) add("tests", last.cpu - tests.cpu)
    const grown = end === undefined ? undefined : grownBetween(setup, end, ofWorker[0]!)
    if (grown !== undefined) {
      for (const cause of causes) add(cause, grown.children[cause] ?? 0)
      add("other programs", grown.own - blocking)
    }
    if (ofWorker.at(-1) === last) {
      const group = usage?.workers.get(setup.pid)
      if (group === undefined) add("other programs", last.children - blocking)
      else {
        // What no file has counted: the end of the worker, and processes between two files.
        const rest = restOf(group, ofWorker)
        for (const cause of causes) add(cause, rest.children[cause] ?? 0)
        add("worker exit", rest.own - (grown === undefined ? blocking : 0))
      }
    }
  }
  const processor = causes.reduce((sum, cause) => sum + (spent[cause] ?? 0), 0)
  const measured = events.find((event) => event.e === "module")
  const wall =
    setup !== undefined && end !== undefined
      ? (end.at - setup.at) / 1e3
      : (measured?.imports ?? 0) + (measured?.setup ?? 0) + (measured?.tests ?? 0)
  return { file, wall, processor, waiting: Math.max(0, wall - processor), ...counts, started, causes: spent }
}

const noUsage: WorkerUsage = { own: 0, children: {} }

/**
 * Growth of a worker's groups during a file, without the time of the worker itself. Undefined without control groups.
 * `first`: first mark of the worker, made before its group.
 */
const grownBetween = (setup: Mark, end: Mark, first: Mark): WorkerUsage | undefined => {
  const from = setup === first ? noUsage : setup.groups
  if (from === undefined || end.groups === undefined) return undefined
  return minus(end.groups, { ...from, own: from.own + end.cpu - setup.cpu })
}

/** Time of a worker's groups, without that of the worker itself and without the growth during its files. */
const restOf = (total: WorkerUsage, ofWorker: ReadonlyArray<Mark>): WorkerUsage => {
  const first = ofWorker[0]!
  const files = [...Map.groupBy(ofWorker, ({ file }) => file).values()]
  return files.reduce(
    (rest, marks) => {
      const end = marks.find(({ e }) => e === "end")
      return end === undefined ? rest : minus(rest, grownBetween(marks[0]!, end, first) ?? noUsage)
    },
    { ...total, own: total.own - (ofWorker.at(-1)!.cpu - first.cpu) }
  )
}

const minus = (all: WorkerUsage, part: WorkerUsage): WorkerUsage => ({
  own: all.own - part.own,
  children: Object.fromEntries(causes.map((cause) => [cause, (all.children[cause] ?? 0) - (part.children[cause] ?? 0)]))
})

/** Sums of figures, processes and causes included. */
export const sumFigures = (files: ReadonlyArray<Figures>): Figures => {
  const started: Partial<Record<Cause, Record<string, number>>> = {}
  const spent: Partial<Record<Cause, number>> = {}
  for (const file of files) {
    for (const cause of causes) {
      if (file.causes[cause] !== undefined) spent[cause] = (spent[cause] ?? 0) + file.causes[cause]
      for (const [kind, n] of Object.entries(file.started[cause] ?? {})) {
        const kinds = (started[cause] ??= {})
        kinds[kind] = (kinds[kind] ?? 0) + n
      }
    }
  }
  return {
    wall: sumOf(files, (file) => file.wall),
    processor: sumOf(files, (file) => file.processor),
    waiting: sumOf(files, (file) => file.waiting),
    imports: sumOf(files, (file) => file.imports),
    suites: sumOf(files, (file) => file.suites),
    databases: sumOf(files, (file) => file.databases),
    migrations: sumOf(files, (file) => file.migrations),
    started,
    causes: spent
  }
}

const sumOf = <A>(items: ReadonlyArray<A>, value: (item: A) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0)
