/** Implementation of `signalbox bank webhook-events`. */
import { Effect, Option } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import { reading } from "../bank-store/OperatorStore.ts"
import * as WebhookEvents from "./WebhookEvents.ts"

const cells = (row: WebhookEvents.StoredEvent) => [
  row.received_at.toISOString(),
  row.provider,
  row.type ?? "",
  row.state,
  row.signed ? "signed" : "unsigned",
  row.id,
  row.event_id,
  row.problem ?? ""
]

export const list = Effect.fnUntraced(function* (flags: {
  readonly state: Option.Option<"applied" | "unknown" | "failed">
  readonly provider: Option.Option<WebhookEvents.ProviderName>
  readonly unsigned: boolean
  readonly event: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}) {
  const filter: WebhookEvents.Filter = {
    ...(Option.isSome(flags.state) && { state: flags.state.value }),
    ...(Option.isSome(flags.provider) && { provider: flags.provider.value }),
    ...(flags.unsigned && { signed: "false" }),
    ...(Option.isSome(flags.event) && { event_id: flags.event.value })
  }
  const found = yield* reading(WebhookEvents.list(filter, undefined, flags.limit))
  yield* print(flags.json, found, () =>
    table("No matching events.", [
      ["received", "provider", "type", "state", "signature", "id", "event", "problem"],
      ...found.map(cells)
    ])
  )
})

export const show = Effect.fnUntraced(function* ({ id, json }: { readonly id: string; readonly json: boolean }) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return yield* fail(`${id} is not the id of an event.`)
  const row = yield* reading(WebhookEvents.get(id))
  yield* print(json, row, () => [
    ...columns([cells(row)]),
    ...(row.payment_id === null ? [] : [`payment ${row.payment_id}`]),
    row.body
  ])
})
