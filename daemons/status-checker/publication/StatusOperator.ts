/** The bodies of `signalbox status show`, `check` and `subscribers`. */
import { Effect, Option } from "effect"
import { colour, columns, print } from "#core/cli/Output.ts"
import { StatusFiles } from "../status-files/StatusFiles.ts"
import * as Overview from "../incidents/overview/Overview.ts"
import { historyDays } from "../status-files/Model.ts"
import type { Language } from "../status-files/Language.ts"
import { assemble } from "./Assemble.ts"
import { readNow } from "./Reading.ts"
import * as Shapes from "./Shapes.ts"
import type { ComponentStatus } from "../status-files/Vocabulary.ts"
import { withStatus } from "../status-files/StatusStorage.ts"
import { uptimeBar } from "./UptimeBar.ts"

interface ShowFlags {
  readonly lang: Language
  readonly json: boolean
}

export const show = Effect.fnUntraced(function* ({ json, lang }: ShowFlags) {
  const { files, known } = yield* withStatus(Effect.all({ files: StatusFiles, known: readNow }))
  const snapshot = assemble(
    { components: files.components(), incidents: files.incidents(), known, latest: new Map(), freshFor: 0 },
    Date.now()
  )
  const shown = {
    ...Shapes.status(snapshot, lang),
    uptime: Shapes.uptime(snapshot, lang).components.map(({ id, uptime }) => ({ id, uptime })),
    problems: problems(files)
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
    ...(shown.components.length === 0
      ? ["There are no components: set SERVICES_FILE, for this command as for the daemon."]
      : []),
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

export const check = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { checks, files } = yield* withStatus(
    Effect.flatMap(StatusFiles, (files) =>
      Effect.map(Overview.checks(files.components()), (checks) => ({ files, checks }))
    )
  )
  yield* print(json, checks, () => [
    ...checks.flatMap(({ checked_at, component_id, results, seen, status, streak }) => [
      `${component_id}: ${status === null ? "never measured" : `${painted(status)}, looked at ${minute(checked_at!)}`}` +
        (seen === null || seen === status
          ? ""
          : `; ${painted(seen)} found ${streak} ${streak === 1 ? "time" : "times"} in a row`),
      ...columns(results.map(({ detail, kind, outcome }) => ["", kind, outcome, printable(detail)]))
    ]),
    ...(checks.length === 0 ? ["There are no components: set SERVICES_FILE, for this command as for the daemon."] : []),
    ...problems(files)
  ])
})

export const countSubscribers = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const counts = yield* withStatus(Overview.subscriberCounts)
  yield* print(json, counts, ({ confirmed, pending }) => [`${confirmed} confirmed, ${pending} not yet`])
})

interface ListFlags {
  readonly status: Option.Option<"pending" | "confirmed">
  readonly limit: number
  readonly json: boolean
}

export const listSubscribers = Effect.fnUntraced(function* ({ json, limit, status }: ListFlags) {
  const found = yield* withStatus(Overview.subscribers(Option.getOrUndefined(status), undefined, limit))
  yield* print(json, found, () =>
    columns([
      ["id", "address", "language", "status", "since", "components"],
      ...found.map(({ components, created_at, email, id, lang, status }) => [
        String(id),
        email,
        lang,
        status,
        minute(created_at),
        components?.join(" ") ?? "all"
      ])
    ])
  )
})

const colours: Readonly<Record<ComponentStatus, "green" | "yellow" | "red" | "dim">> = {
  operational: "green",
  degraded_performance: "yellow",
  under_maintenance: "dim",
  partial_outage: "red",
  major_outage: "red"
}

const painted = (status: ComponentStatus) => colour(colours[status], status)
const minute = (at: string) => `${at.slice(0, 16)}Z`
const since = (at: string | null) => (at === null ? "" : `since ${minute(at)}`)

/** Others wrote it: a terminal obeys control characters. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, " ")

/** What is the matter with the files of this machine. */
const problems = (files: StatusFiles["Service"]): ReadonlyArray<string> =>
  Object.values(files.health()).flatMap(({ detail, status }) =>
    status === "ok" || status === "unconfigured" || detail === undefined ? [] : [detail]
  )
