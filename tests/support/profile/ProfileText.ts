// Text form of a profile. Pure.

import { table } from "../TestGroups.ts"
import { causes, type Cause } from "./Events.ts"
import { type Figures, type Profile, sumFigures } from "./Profile.ts"

/** What the figures are, and what they leave out. `counted`: whether control groups were available. */
export const explain = (counted: boolean): ReadonlyArray<string> => [
  "wall: from the start of the worker process to the end of the file's last hook.",
  counted
    ? "processor: the worker and all processes that it started, also killed ones and those that nobody waited for," +
      " counted by control groups; and its connections to the shared Postgres, sampled every 0.25 s."
    : "processor: the worker and its awaited child processes. No control group could be made, so killed children" +
      " that nobody awaited and processes that left their parent are not counted, and children have no cause.",
  "waiting: wall minus processor, at least 0. It contains waiting for a busy core, and it is a lower bound when" +
    " several processes of a file run at once.",
  "import: wall time of importing the test file, without setup files; cause import: processor time, with setup files.",
  "Not counted for a file: transforming modules (vitest's main process), Postgres connections shorter than a sample," +
    " databases' creation and checkpoints; migrations and databases on servers that a test starts itself.",
  ...(counted ? ["A child process runs for about 0.1 ms before it is moved into its group: see `worker exit`."] : [])
]

export const formatProfile = (profile: Profile, counted: boolean, wall: number): string => {
  const total = sumFigures(profile.files)
  const spent = causes.reduce((sum, cause) => sum + profile.causes[cause], 0)
  return [
    ...explain(counted),
    "",
    table(
      [...heads, "file"],
      profile.files.map((file) => [...cells(file), file.file])
    ),
    "",
    table(
      [...heads, "files", "daemon"],
      profile.daemons.map((daemon) => [...cells(daemon), String(daemon.files), daemon.daemon])
    ),
    "",
    table(
      ["processor", "share", "cause"],
      causes.map((cause) => [
        profile.causes[cause].toFixed(1),
        `${((100 * profile.causes[cause]) / Math.max(spent, 0.001)).toFixed(0)} %`,
        cause
      ])
    ),
    "",
    table(
      ["started", "cause", "kind"],
      Object.entries(total.started).flatMap(([cause, kinds]) =>
        Object.entries(kinds)
          .sort(([, a], [, b]) => b - a)
          .map(([kind, n]) => [String(n), cause, kind])
      )
    ),
    "",
    `run: ${wall.toFixed(1)} s wall, ${spent.toFixed(1)} s processor, ${total.suites} suites, ` +
      `${total.databases} databases, ${total.migrations} migrations`
  ].join("\n")
}

const heads = ["wall s", "processor s", "waiting s", "import s", "suites", "databases", "migrations", "started"]

const cells = (figures: Figures): ReadonlyArray<string> => [
  figures.wall.toFixed(1),
  figures.processor.toFixed(1),
  figures.waiting.toFixed(1),
  figures.imports.toFixed(1),
  String(figures.suites),
  String(figures.databases),
  String(figures.migrations),
  startedText(figures)
]

/** Causes whose processes are counted in the column `started`. */
const shown: ReadonlyArray<Cause> = ["browsers", "servers", "own Postgres servers", "daemons as processes"]

const startedText = ({ started }: Figures): string => {
  const kinds = shown.flatMap((cause) => Object.entries(started[cause] ?? {}).map(([kind, n]) => `${n} ${kind}`))
  return kinds.length === 0 ? "-" : kinds.join(", ")
}
