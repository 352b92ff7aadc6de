/** Implements `signalbox status incident …`. */
import { Effect, Option } from "effect"
import { decodeInput } from "#core/cli/Input.ts"
import { minute, moment } from "#core/cli/Moment.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { IncidentEdit, IncidentEnd, IncidentUpdate, NewIncident } from "./Api.ts"
import { declaredIds, idList, StatusFiles, withStatus } from "../status-files/Exports.ts"
import { invalid, operator } from "../status/AdminChange.ts"
import * as IncidentChanges from "./IncidentChanges.ts"
import { type IncidentState, list as listed, stateOf, view } from "./IncidentList.ts"
import type { StoredIncident } from "./Store.ts"
import { resolvedWords } from "./Transitions.ts"
import type { IncidentStatus, Severity } from "../status/Vocabulary.ts"

interface ListFlags {
  readonly state: Option.Option<IncidentState>
  readonly limit: number
  readonly json: boolean
}

interface Named {
  readonly which: string
  readonly json: boolean
}

export const list = Effect.fnUntraced(function* ({ json, limit, state }: ListFlags) {
  const found = yield* withStatus(listed(Option.getOrUndefined(state), undefined, limit))
  yield* print(json, found.map(view), () =>
    table("No incidents.", [
      ["id", "state", "status", "severity", "began", "components", "title"],
      ...found.map((row) => [
        row.id,
        stateOf(row),
        row.status,
        row.severity,
        minute(row.created_at),
        row.components.join(" "),
        row.title_en
      ])
    ])
  )
})

export const show = Effect.fnUntraced(function* ({ json, which }: Named) {
  yield* printed(json, yield* withStatus(IncidentChanges.get(which)))
})

interface DraftFlags {
  readonly title: string
  readonly titleEn: string
  readonly message: string
  readonly messageEn: string
  readonly severity: Severity
  readonly status: IncidentStatus
  readonly components: string
  readonly id: Option.Option<string>
  readonly began: Option.Option<string>
  readonly publish: boolean
  readonly json: boolean
}

export const draft = Effect.fnUntraced(function* ({
  began,
  components,
  id,
  json,
  message,
  messageEn,
  publish,
  severity,
  status,
  title,
  titleEn
}: DraftFlags) {
  const said = yield* decodeInput(NewIncident, {
    title,
    title_en: titleEn,
    message,
    message_en: messageEn,
    severity,
    status,
    components: idList(components),
    ...given("id", id)
  })
  const { began: at } = yield* moment("began", began)
  const made = yield* withStatus(
    Effect.gen(function* () {
      if (at !== undefined && at.getTime() > Date.now()) return yield* invalid("began", "must not lie in the future")
      const row = yield* IncidentChanges.create(
        { ...said, status, created_at: at },
        declaredIds(yield* StatusFiles),
        operator
      )
      return publish ? yield* IncidentChanges.publish(row.id, operator) : row
    })
  )
  yield* printed(json, made)
})

interface EditFlags extends Named {
  readonly title: Option.Option<string>
  readonly titleEn: Option.Option<string>
  readonly message: Option.Option<string>
  readonly messageEn: Option.Option<string>
  readonly severity: Option.Option<Severity>
  readonly components: Option.Option<string>
}

export const edit = Effect.fnUntraced(function* ({
  components,
  json,
  message,
  messageEn,
  severity,
  title,
  titleEn,
  which
}: EditFlags) {
  const to = yield* decodeInput(IncidentEdit, {
    ...given("title", title),
    ...given("title_en", titleEn),
    ...given("message", message),
    ...given("message_en", messageEn),
    ...given("severity", severity),
    ...given("components", Option.map(components, idList))
  })
  yield* printed(
    json,
    yield* withStatus(
      Effect.flatMap(StatusFiles, (files) => IncidentChanges.edit(which, to, declaredIds(files), operator))
    )
  )
})

interface UpdateFlags extends Named {
  readonly status: IncidentStatus
  readonly message: string
  readonly messageEn: string
}

export const update = Effect.fnUntraced(function* ({ json, message, messageEn, status, which }: UpdateFlags) {
  const said = yield* decodeInput(IncidentUpdate, { status, message, message_en: messageEn })
  yield* printed(json, yield* withStatus(IncidentChanges.update(which, said, operator)))
})

export const publish = Effect.fnUntraced(function* ({ json, which }: Named) {
  yield* printed(json, yield* withStatus(IncidentChanges.publish(which, operator)))
})

interface ResolveFlags extends Named {
  readonly message: Option.Option<string>
  readonly messageEn: Option.Option<string>
}

export const resolve = Effect.fnUntraced(function* ({ json, message, messageEn, which }: ResolveFlags) {
  const said = yield* decodeInput(IncidentEnd, { ...given("message", message), ...given("message_en", messageEn) })
  yield* printed(json, yield* withStatus(IncidentChanges.resolve(which, { ...resolvedWords(), ...said }, operator)))
})

export const remove = Effect.fnUntraced(function* ({ json, which }: Named) {
  yield* withStatus(IncidentChanges.remove(which, operator))
  yield* print(json, { id: which, deleted: true }, () => [`Deleted ${which}.`])
})

const printed = (json: boolean, row: StoredIncident) =>
  print(json, view(row), () => [
    ...columns([
      ["incident", row.id],
      ["state", stateOf(row) + (row.proposed_for === null ? "" : `, proposed for ${row.proposed_for}`)],
      ["status", row.status],
      ["severity", row.severity],
      ["title", row.title],
      ["", row.title_en],
      ["components", row.components.join(" ")],
      ["began", minute(row.created_at)],
      ...(row.resolved_at === null ? [] : [["over", minute(row.resolved_at)]])
    ]),
    ...row.updates.flatMap(({ message, message_en, status, timestamp }) => [
      "",
      `${minute(timestamp)}  ${status}`,
      message,
      message_en
    ])
  ])

const given = (name: string, value: Option.Option<unknown>) => (Option.isNone(value) ? {} : { [name]: value.value })
