/** The commands `signalbox backup`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { backupTypes, jobStates, works } from "./BackupWords.ts"

const operator = () => import("./Operator.ts")
const restoring = () => import("./RestoreOperator.ts")
const immediate = () => import("./NowOperator.ts")

const type = Flag.Literals("type", backupTypes).pipe(Flag.withDescription("What a backup contains"))
const scheduleName = Argument.String("schedule").pipe(Argument.withDescription("Name or number of the schedule"))
const wait = Flag.Boolean("wait").pipe(
  Flag.withDescription("Wait for the end and show the progress; exit code 1 when it fails"),
  Flag.withDefault(false)
)

const init = Command.make("init", { json }, (flags) => lazily(operator, (module) => module.init(flags))).pipe(
  Command.withDescription("Creates the repository that the settings name. Needed once.")
)

const list = Command.make("list", { type: Flag.optional(type), limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the backups in the repository, newest first."))

const jobs = Command.make(
  "jobs",
  {
    work: Flag.Literals("work", works).pipe(Flag.withDescription("Only jobs of this kind"), Flag.optional),
    state: Flag.Literals("state", jobStates).pipe(Flag.withDescription("Only jobs in this state"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.jobs(flags))
).pipe(Command.withDescription("Lists backups, drills and restores that ran or wait, newest first."))

const run = Command.make("run", { schedule: scheduleName, wait, json }, (flags) =>
  lazily(operator, (module) => module.run(flags))
).pipe(
  Command.withDescription("Runs a schedule now. The running daemon does the work."),
  Command.withExamples([{ command: "signalbox backup run nightly --wait", description: "Makes a backup now" }])
)

const now = Command.make("now", { type: Flag.optional(type), json }, (flags) =>
  lazily(immediate, (module) => module.now(flags))
).pipe(
  Command.withDescription(
    "Makes a backup in this process; default: everything. Needs no running daemon and changes nothing in the database."
  ),
  Command.withExamples([{ command: "signalbox backup now", description: "Makes a backup before an upgrade" }])
)

const drill = Command.make("drill", { wait, json }, (flags) => lazily(operator, (module) => module.drill(flags))).pipe(
  Command.withDescription(
    "Restores the newest backup into a throw-away place and proves it. The running daemon does the work."
  )
)

const schedules = Command.make("schedules", { json }, (flags) =>
  lazily(operator, (module) => module.schedules(flags))
).pipe(Command.withDescription("Lists the schedules."))

const enabled = Flag.Boolean("enabled").pipe(Flag.withDescription("Whether it runs"), Flag.optional)
const cron = Flag.String("cron").pipe(Flag.withDescription("Five fields, such as 0 3 * * *"))

const schedule = Command.make("schedule").pipe(
  Command.withDescription("Adds, changes and removes schedules."),
  Command.withSubcommands([
    Command.make(
      "add",
      { name: Argument.String("name").pipe(Argument.withDescription("Name of the schedule")), cron, type, json },
      (flags) => lazily(operator, (module) => module.addSchedule(flags))
    ).pipe(
      Command.withDescription("Adds a schedule."),
      Command.withExamples([
        {
          command: "signalbox backup schedule add hourly --cron '0 * * * *' --type databases",
          description: "Saves the databases every hour"
        }
      ])
    ),
    Command.make(
      "change",
      { schedule: scheduleName, cron: Flag.optional(cron), type: Flag.optional(type), enabled, json },
      (flags) => lazily(operator, (module) => module.changeSchedule(flags))
    ).pipe(Command.withDescription("Changes a schedule, or switches it on or off.")),
    Command.make("remove", { schedule: scheduleName, json }, (flags) =>
      lazily(operator, (module) => module.removeSchedule(flags))
    ).pipe(Command.withDescription("Removes a schedule. Its backups stay."))
  ])
)

const prune = Command.make(
  "prune",
  {
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Only show what would be deleted"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.prune(flags))
).pipe(Command.withDescription("Deletes backups that are older than the retention. Each backup does so by itself."))

const restore = Command.make(
  "restore",
  {
    snapshot: Flag.String("snapshot").pipe(
      Flag.withDescription("Id of the backup; default: latest"),
      Flag.withDefault("latest")
    ),
    target: Flag.String("target").pipe(Flag.withDescription("New or empty folder; nothing that lives is overwritten")),
    only: Flag.Literals("only", ["databases", "files"]).pipe(
      Flag.withDescription("Only this part; default: everything"),
      Flag.optional
    ),
    path: Flag.String("path").pipe(Flag.withDescription("Only this file or folder of the backup"), Flag.optional),
    into: Flag.String("into-database").pipe(
      Flag.withDescription("Environment variable with the URL of an empty database, which the dump is loaded into"),
      Flag.optional
    ),
    database: Flag.String("database").pipe(
      Flag.withDescription("Further database of the backup whose dump is loaded; default: that of the suite"),
      Flag.optional
    ),
    table: Flag.String("table").pipe(
      Flag.withDescription("Only this table (schema.table) is loaded into the database"),
      Flag.optional
    ),
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Carry out the plan; without it the plan is only shown"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(restoring, (module) => module.restore(flags))
).pipe(
  Command.withDescription("Restores a backup into a folder. Shows the plan first."),
  Command.withExamples([
    {
      command: "signalbox backup restore --target /srv/restored --yes",
      description: "Restores the newest backup; the embedded Postgres then starts with that folder as data directory"
    }
  ])
)

export const backup = Command.make("backup").pipe(
  Command.withDescription("Backups: schedules, runs, restore drills and restores."),
  Command.withSubcommands([init, list, jobs, run, now, drill, schedules, schedule, prune, restore])
)
