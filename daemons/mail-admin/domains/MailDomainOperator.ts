/** Implementation of `signalbox mail-domain`. The commands use the database, so no daemon needs to run. */
import { Effect } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { columns, print, table } from "#core/cli/Output.ts"
import * as Audit from "#core/log/Audit.ts"
import { ownershipOf } from "#core/ownership/Challenge.ts"
import { meant } from "../operator/MeantDomain.ts"
import { announcing, inStorage } from "../operator/OperatorStorage.ts"
import * as DomainChanges from "./DomainChanges.ts"
import * as Domains from "./Domains.ts"

const view = (domain: Domains.Domain) => ({
  id: domain.id,
  tenant_id: domain.tenant_id,
  customer_id: domain.customer_id,
  domain: domain.domain,
  ownership: ownershipOf(domain.domain, domain.proven ? "proven" : "pending", domain.token),
  dkim_keys: domain.keys.map(({ selector, state }) => ({ selector, state })),
  records: domain.records,
  created_at: domain.created_at
})

export const list = Effect.fnUntraced(function* (flags: {
  readonly pending: boolean
  readonly limit: number
  readonly json: boolean
}) {
  const found = (yield* inStorage(Domains.list(undefined, flags.limit, flags.pending ? false : undefined))).map(view)
  yield* print(flags.json, found, () =>
    table("No matching mail domains.", [
      ["id", "domain", "ownership", "tenant", "customer"],
      ...found.map(({ customer_id, domain, id, ownership, tenant_id }) => [
        String(id),
        domain,
        ownership.state,
        String(tenant_id),
        String(customer_id)
      ])
    ])
  )
})

/** Prints a domain with its challenge and its records. */
export const printed = Effect.fnUntraced(function* (json: boolean, domain: Domains.Domain) {
  const found = view(domain)
  const { challenge, state } = found.ownership
  yield* print(json, found, () => [
    ...columns([
      ["domain", `${found.domain} (${found.id})`],
      ["ownership", state],
      ...(challenge === null ? [] : [["challenge", `${challenge.name} ${challenge.type} ${challenge.content}`]]),
      ["dkim", found.dkim_keys.map((key) => `${key.selector} ${key.state}`).join(", ")],
      ["tenant", String(found.tenant_id)],
      ["customer", String(found.customer_id)]
    ]),
    "",
    ...table("No records yet.", [
      ["type", "name", "status", "content"],
      ...found.records.map(({ content, name, priority, status, type }) => [
        type,
        name,
        status,
        priority === null ? content : `${priority} ${content}`
      ])
    ])
  ])
})

export const show = Effect.fnUntraced(function* (flags: { readonly which: string; readonly json: boolean }) {
  yield* printed(flags.json, yield* inStorage(meant(flags.which)))
})

export const assert = Effect.fnUntraced(function* (flags: { readonly which: string; readonly json: boolean }) {
  const domain = yield* inStorage(
    Effect.gen(function* () {
      const { id } = yield* meant(flags.which)
      return yield* DomainChanges.assert(id, ({ domain, tenant_id: tenantId }) =>
        Audit.write({
          tenantId,
          actor: Audit.operator,
          action: "mail_domain.proven",
          entity: "mail_domain",
          id: String(id),
          detail: { domain, by: "assertion" }
        })
      )
    }).pipe(Effect.provide(announcing))
  ).pipe(
    Effect.catchTag("NotFound", () => fail(`the mail domain ${flags.which} does not exist`)),
    Effect.catchTag("DomainTaken", ({ detail }) => fail(`${flags.which}: ${detail}`))
  )
  yield* print(flags.json, view(domain), () => [`${domain.domain} belongs to tenant ${domain.tenant_id}.`])
})
