/** Implementation of `signalbox sip domains` and `assert-domain`. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { announcing, inStorage, most } from "../OperatorStorage.ts"
import { view } from "./Handlers.ts"
import * as SipDomains from "./Store.ts"

export const list = Effect.fnUntraced(function* (flags: { readonly pending: boolean; readonly json: boolean }) {
  const found = yield* inStorage(SipDomains.list(flags.pending ? { proven: false } : {}, undefined, most))
  const shown = found.map(view)
  yield* print(flags.json, shown, () =>
    table("No matching SIP domains.", [
      ["id", "domain", "ownership", "tenant", "record that proves it"],
      ...shown.map(({ domain, id, ownership: { challenge, state }, tenant_id: tenant }) => [
        String(id),
        domain,
        state,
        String(tenant),
        challenge === null ? "" : `${challenge.name} ${challenge.type} ${challenge.content}`
      ])
    ])
  )
})

export const assert = Effect.fnUntraced(function* (flags: { readonly id: number; readonly json: boolean }) {
  const row = yield* inStorage(
    SipDomains.assert(flags.id, ({ domain, id, tenant_id: tenantId }) =>
      Audit.write({
        tenantId,
        actor: Audit.operator,
        action: "sip_domain.proven",
        entity: "sip_domain",
        id: String(id),
        detail: { domain, by: "assertion" }
      })
    ).pipe(Effect.provide(announcing))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`there is no SIP domain ${flags.id}`)),
    Effect.catchTag("DomainTaken", ({ detail }) => fail(`SIP domain ${flags.id}: ${detail}`))
  )
  yield* print(flags.json, view(row), () => [`${row.domain} belongs to tenant ${row.tenant_id}.`])
})
