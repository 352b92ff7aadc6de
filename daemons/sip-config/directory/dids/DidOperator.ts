/** Implementation of `signalbox sip dids` and `assign-did`. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { announceData } from "../Change.ts"
import { announcing, inStorage, most } from "../OperatorStorage.ts"
import { view } from "./Handlers.ts"
import * as Dids from "./Store.ts"

export const list = Effect.fnUntraced(function* (flags: { readonly pending: boolean; readonly json: boolean }) {
  const found = yield* inStorage(Dids.list(flags.pending ? { assigned: false } : {}, undefined, most))
  const shown = found.map(view)
  yield* print(flags.json, shown, () =>
    table("No matching DIDs.", [
      ["id", "number", "state", "leads to", "tenant", "name"],
      ...shown.map(({ destination_id, destination_type, id, name, number, state, tenant_id }) => [
        String(id),
        number,
        state,
        `${destination_type} ${destination_id}`,
        String(tenant_id),
        name
      ])
    ])
  )
})

export const assign = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const row = yield* inStorage(
    Dids.assign(flags.id, ({ id, number, tenant_id: tenantId }) =>
      Effect.andThen(
        Audit.write({
          tenantId,
          actor: Audit.operator,
          action: "sip_did.assigned",
          entity: "sip_did",
          id: String(id),
          detail: { number }
        }),
        announceData
      )
    ).pipe(Effect.provide(announcing))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`there is no DID ${flags.id}`)),
    Effect.catchTag("NumberTaken", () => fail(`another tenant holds the number of DID ${flags.id}`))
  )
  yield* print(flags.json, view(row), () => [`${row.number} belongs to tenant ${row.tenant_id}.`])
})
