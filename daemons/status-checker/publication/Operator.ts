/** The body of `signalbox status show`. */
import { Effect } from "effect"
import { columns, print } from "#core/cli/Output.ts"
import { minute } from "#core/cli/Moment.ts"
import { settings } from "#core/config/Environment.ts"
import { fileProblems, StatusFiles, withStatus } from "../status-files/Exports.ts"
import { historyDays } from "../status/Model.ts"
import type { Language } from "#core/words/Language.ts"
import { intervalSettings } from "../status/Settings.ts"
import { assemble } from "./Assemble.ts"
import { freshFor } from "./Staleness.ts"
import { readNow } from "./Store.ts"
import * as Shapes from "./Shapes.ts"
import { noComponents, painted } from "../status/Terminal.ts"
import { uptimeBar } from "./UptimeBar.ts"

interface ShowFlags {
  readonly lang: Language
  readonly json: boolean
}

export const show = Effect.fnUntraced(function* ({ json, lang }: ShowFlags) {
  const { checkInterval } = yield* settings(intervalSettings)
  const { files, known } = yield* withStatus(Effect.all({ files: StatusFiles, known: readNow }))
  const snapshot = assemble(
    {
      components: files.components(),
      incidents: files.incidents(),
      known,
      latest: new Map(),
      freshFor: freshFor(checkInterval)
    },
    Date.now()
  )
  const shown = {
    ...Shapes.status(snapshot, lang),
    uptime: Shapes.uptime(snapshot, lang).components.map(({ id, uptime }) => ({ id, uptime })),
    problems: fileProblems(files)
  }
  const open = shown.incidents.filter(({ status }) => status !== "resolved")
  yield* print(json, shown, () => [
    painted(shown.status),
    "",
    ...columns(
      Shapes.uptime(snapshot, lang, historyDays).components.map(({ days, id, name, status, uptime }, at) => [
        name,
        `(${id})`,
        painted(status),
        since(shown.components[at]!.since),
        uptime === null ? "not measured" : `${uptime} %`,
        uptimeBar(days)
      ])
    ),
    ...(shown.components.length === 0 ? [noComponents] : []),
    ...(open.length === 0
      ? []
      : [
          "",
          "Open incidents:",
          ...columns(
            open.map(({ created_at, id, severity, status, title }) => [id, severity, status, since(created_at), title])
          )
        ]),
    ...(shown.maintenance.length === 0
      ? []
      : [
          "",
          "Maintenance:",
          ...columns(
            shown.maintenance.map(({ ends_at, id, starts_at, status, title }) => [
              id,
              status,
              `${minute(starts_at)} to ${minute(ends_at)}`,
              title
            ])
          )
        ]),
    ...(shown.problems.length === 0 ? [] : ["", ...shown.problems])
  ])
})

const since = (at: string | null) => (at === null ? "" : `since ${minute(at)}`)
