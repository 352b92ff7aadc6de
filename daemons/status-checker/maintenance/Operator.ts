/** Implements `signalbox status maintenance …`. */
import { Effect, Option, Result } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { parseLifetime } from "#core/cli/Lifetime.ts"
import { decodeInput } from "#core/cli/Input.ts"
import { print, table } from "#core/cli/Output.ts"
import { NewMaintenance } from "./Api.ts"
import { declaredIds, idList, StatusFiles, withStatus } from "../status-files/Exports.ts"
import { operator } from "../status/AdminChange.ts"
import * as MaintenanceChanges from "./MaintenanceChanges.ts"
import { list as listed, type MaintenanceState, view } from "./MaintenanceList.ts"

interface ListFlags {
  readonly state: Option.Option<MaintenanceState>
  readonly limit: number
  readonly json: boolean
}

export const list = Effect.fnUntraced(function* ({ json, limit, state }: ListFlags) {
  const found = (yield* withStatus(listed(Option.getOrUndefined(state), undefined, limit))).map(view)
  yield* print(json, found, () =>
    table("No maintenance is announced.", [
      ["id", "state", "starts", "ends", "components", "title"],
      ...found.map(({ components, ends_at, id, starts_at, state, title_en }) => [
        id,
        state,
        minute(starts_at),
        minute(ends_at),
        components.join(" "),
        title_en
      ])
    ])
  )
})

interface PlanFlags {
  readonly title: string
  readonly titleEn: string
  readonly message: string
  readonly messageEn: string
  readonly components: string
  readonly starts: string
  readonly ends: Option.Option<string>
  readonly for: Option.Option<string>
  readonly id: Option.Option<string>
  readonly json: boolean
}

export const plan = Effect.fnUntraced(function* (flags: PlanFlags) {
  const window = yield* decodeInput(NewMaintenance, {
    title: flags.title,
    title_en: flags.titleEn,
    message: flags.message,
    message_en: flags.messageEn,
    components: idList(flags.components),
    starts_at: flags.starts,
    ends_at: yield* endOf(flags),
    ...(Option.isNone(flags.id) ? {} : { id: flags.id.value })
  })
  const row = yield* withStatus(
    Effect.flatMap(StatusFiles, (files) =>
      MaintenanceChanges.plan({ message: "", message_en: "", ...window }, declaredIds(files), operator)
    )
  )
  const made = view(row)
  yield* print(flags.json, made, ({ components, ends_at, id, starts_at }) => [
    `Planned ${id}: ${components.join(", ")} from ${minute(starts_at)} to ${minute(ends_at)}.`
  ])
})

const endOf = Effect.fnUntraced(function* ({ ends, for: length, starts }: PlanFlags) {
  if (Option.isSome(ends) === Option.isSome(length)) return yield* fail("give --ends or --for", exitUsage)
  if (Option.isSome(ends)) return ends.value
  const lasts = parseLifetime(Option.getOrThrow(length))
  if (Result.isFailure(lasts)) return yield* fail(`--for: ${lasts.failure}`, exitUsage)
  const start = Date.parse(starts)
  // An invalid start is passed on, so that its own check reports it.
  return Number.isNaN(start) ? starts : new Date(start + lasts.success).toISOString()
})

export const cancel = Effect.fnUntraced(function* ({
  json,
  which
}: {
  readonly which: string
  readonly json: boolean
}) {
  yield* withStatus(MaintenanceChanges.cancel(which, operator))
  yield* print(json, { id: which, cancelled: true }, () => [`Cancelled ${which}.`])
})
