// Runs the measuring of `npm test -- --profile`: makes the control groups, samples the shared Postgres, reads
// everything when vitest has ended, writes the JSON file and returns the text.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  allProcessesOf,
  groupsIn,
  makeGroup,
  moveInto,
  processesOf,
  readUsage,
  readWorker,
  removeGroup
} from "./Cgroups.ts"
import { cgroupVariable, postgresGroup, type ProfileEvent, profileVariable } from "./Events.ts"
import { buildProfile, type Usage } from "./Profile.ts"
import { formatProfile } from "./ProfileText.ts"

/** Group of vitest's main process, below the group of the run. */
const mainGroup = "main"

/** Time between two samples of the shared Postgres. Unit: milliseconds. Reason: a sample takes about 2 ms. */
const sampleEvery = 250

export interface ProfileRun {
  /** Variables for vitest. */
  readonly env: Readonly<Record<string, string>>
  /** Arguments for vitest. */
  readonly args: ReadonlyArray<string>
  /** Counts a process that has just started as vitest's main process. */
  readonly started: (pid: number) => void
  /** Reads all figures, writes them to `file` as JSON and returns the text. */
  readonly finish: (file: string) => string
}

/** Starts measuring. `folder`: temporary folder for the events. `root`: the project. */
export const startProfile = (folder: string, root: string): ProfileRun => {
  const events = join(folder, "events.jsonl")
  const group = makeGroup(`signalbox-profile-${process.pid}`)
  const backends: Backends = { running: new Map(), all: [] }
  const began = performance.now()
  const timer = setInterval(() => {
    if (group !== undefined) sample(processesOf(join(group, postgresGroup)), backends)
  }, sampleEvery)
  timer.unref()
  return {
    env: { [profileVariable]: events, ...(group === undefined ? {} : { [cgroupVariable]: group }) },
    args: [`--reporter=${join(root, "tests/support/profile/Reporter.ts")}`],
    started: (pid) => {
      if (group !== undefined) moveInto(join(group, mainGroup), pid)
    },
    finish: (file) => {
      clearInterval(timer)
      const wall = (performance.now() - began) / 1e3
      const usage = group === undefined ? undefined : readAll(group, backends)
      const profile = buildProfile(readEvents(events), usage, root)
      const left = group === undefined ? [] : allProcessesOf(group).map(commandOf)
      if (group !== undefined) removeGroup(group)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify({ wall, counted: group !== undefined, left, ...profile }, null, 1)}\n`)
      const running = left.length === 0 ? "" : `\nstill running after the run: ${left.join("; ")}`
      return `${formatProfile(profile, group !== undefined, wall)}${running}`
    }
  }
}

interface Backend {
  readonly database: string
  seconds: number
}

/** Connections seen so far. A process id can be reused. */
interface Backends {
  readonly running: Map<number, Backend>
  readonly all: Array<Backend>
}

/** Title of a Postgres process that serves a connection: `postgres: role database address state`. */
const connection = /^postgres: \S+ (test_\w+) /

const sample = (pids: ReadonlyArray<number>, { all, running }: Backends): void => {
  for (const pid of running.keys()) if (!pids.includes(pid)) running.delete(pid)
  for (const pid of pids) {
    const backend = running.get(pid) ?? begin(pid)
    // First field: nanoseconds on a processor.
    const seconds = Number(readText(`/proc/${pid}/schedstat`).split(" ")[0]) / 1e9
    if (backend === undefined || !(seconds > 0)) continue
    backend.seconds = Math.max(backend.seconds, seconds)
    if (running.has(pid)) continue
    running.set(pid, backend)
    all.push(backend)
  }
}

const begin = (pid: number): Backend | undefined => {
  const database = connection.exec(commandOf(pid))?.[1]
  return database === undefined ? undefined : { database, seconds: 0 }
}

const readAll = (group: string, backends: Backends): Usage => {
  const databases = new Map<string, number>()
  for (const { database, seconds } of backends.all) databases.set(database, (databases.get(database) ?? 0) + seconds)
  return {
    workers: new Map(
      groupsIn(group)
        .filter((name) => name.startsWith("worker-"))
        .map((name) => [Number(name.slice("worker-".length)), readWorker(join(group, name))])
    ),
    main: readUsage(join(group, mainGroup)) ?? 0,
    postgres: readUsage(join(group, postgresGroup)) ?? 0,
    databases
  }
}

const readEvents = (path: string): ReadonlyArray<ProfileEvent> =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as ProfileEvent)
    : []

const commandOf = (pid: number): string => readText(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim()

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
