/** Implementation of `signalbox sip trunks`: the networks of trunks, which the provider confirms. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import * as Wake from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"
import { announceData } from "../Change.ts"
import { inStorage, most } from "../OperatorStorage.ts"
import { pendingNetworks } from "./Networks.ts"
import * as Trunks from "./Store.ts"

const view = (trunk: Trunks.Trunk) => ({
  id: trunk.id,
  tenant_id: trunk.tenant_id,
  name: trunk.name,
  host: trunk.host,
  networks: trunk.networks,
  networks_pending: pendingNetworks(trunk)
})

export const list = Effect.fnUntraced(function* (flags: { readonly pending: boolean; readonly json: boolean }) {
  const found = (yield* inStorage(Trunks.list(undefined, undefined, most))).map(view)
  const shown = flags.pending ? found.filter(({ networks_pending: pending }) => pending.length > 0) : found
  yield* print(flags.json, shown, () =>
    table("No matching trunks.", [
      ["id", "tenant", "name", "host", "networks", ""],
      ...shown.map(({ host, id, name, networks, networks_pending: pending, tenant_id: tenant }) => [
        String(id),
        String(tenant),
        name,
        host,
        networks.join(" "),
        pending.length === 0 ? "" : `not confirmed: ${pending.join(" ")}`
      ])
    ])
  )
})

export const confirm = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const trunk = yield* inStorage(
    Effect.gen(function* () {
      const { networks } = yield* Trunks.get(flags.id)
      return yield* Trunks.confirm(flags.id, networks, (row, detail) =>
        Effect.andThen(
          Audit.write({
            tenantId: row.tenant_id,
            actor: Audit.operator,
            action: "sip_trunk.networks_confirmed",
            entity: "sip_trunk",
            id: String(row.id),
            detail
          }),
          announceData
        )
      )
    }).pipe(Effect.provide(Wake.layer))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`there is no trunk ${flags.id}`)),
    Effect.catchTag("InvalidRequest", () => fail(`the networks of trunk ${flags.id} have just changed`))
  )
  yield* print(flags.json, view(trunk), () => [`${trunk.name}: calls come from ${trunk.networks.join(", ")}`])
})
