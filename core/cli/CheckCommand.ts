/** `signalbox check`: reports problems of this deployment before the suite is started. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { exitConfig } from "../config/Environment.ts"
import { Ended } from "./Ending.ts"
import { all, lazily } from "./Fleet.ts"
import { colour, columns, json, print } from "./Output.ts"
import type { Section } from "./SettingsCatalogue.ts"

const shades = { ok: "green", warn: "yellow", bad: "red" } as const

export const check = Command.make(
  "check",
  {
    list: Flag.Boolean("list").pipe(
      Flag.withDescription("Print every variable with default and unit as an environment file, without any check"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (flags) {
    const daemons = yield* all
    if (flags.list) {
      return yield* lazily(
        () => import("./SettingsCatalogue.ts"),
        ({ catalogue, environmentFile }) =>
          print(flags.json, listed(catalogue(daemons)), () => environmentFile(daemons).trimEnd().split("\n"))
      )
    }
    const findings = yield* lazily(
      () => import("./Checks.ts"),
      ({ checkAll }) => checkAll(daemons)
    )
    const bad = findings.some((finding) => finding.status === "bad")
    const sql = findings.flatMap((finding) => finding.sql ?? [])
    yield* print(flags.json, { ok: !bad, findings }, () => [
      ...columns(
        findings.map((finding) => [colour(shades[finding.status], finding.status), finding.check, finding.detail])
      ),
      ...(sql.length === 0 ? [] : ["", "As an administrator run in this database:", ...sql.map((one) => `  ${one}`)])
    ])
    if (bad) return yield* new Ended({ code: exitConfig })
  })
).pipe(
  Command.withDescription(
    "Checks settings, database, roles, migrations, connections, key file and data directory; changes nothing. " +
      "Prints the SQL that mends the database. " +
      "Exit status 78: a start would fail."
  ),
  Command.withShortDescription("Check the configuration and the database")
)

const listed = (sections: ReadonlyArray<Section>) =>
  sections.flatMap((section) =>
    section.settings.map((setting) => ({
      name: setting.name,
      section: section.title,
      doc: setting.doc,
      unit: setting.unit ?? null,
      default: setting.fallback?.shown ?? null,
      required: setting.fallback === undefined,
      secret: setting.secret
    }))
  )
