import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { ownerOf } from "#core/customers/CustomerTenants.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { defaultPage, paged } from "#core/http/Paging.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { ownershipOf } from "#core/ownership/Challenge.ts"
import { mayAssert } from "#core/ownership/NameClaims.ts"
import { transaction } from "#core/sql/Sql.ts"
import { DomainsApi } from "./Api.ts"
import { DomainView } from "./Api.ts"
import { note } from "./AuditNote.ts"
import { DkimKeys } from "./DkimKeys.ts"
import * as DomainChanges from "./DomainChanges.ts"
import * as Domains from "./Domains.ts"
import { DomainTaken } from "./Errors.ts"
import { MailServer } from "./MailServer.ts"
import { domainName } from "./Names.ts"

/** API representation of a domain. `missing`: settings that every domain waits for. */
const viewOf =
  (missing: ReadonlyArray<string>) =>
  ({
    created_at,
    customer_id,
    domain,
    id,
    keys,
    proven,
    records,
    tenant_id,
    token,
    updated_at
  }: Domains.Domain): typeof DomainView.Type => ({
    id,
    tenant_id,
    customer_id,
    domain,
    ownership: ownershipOf(domain, proven ? "proven" : "pending", token),
    dkim_selector: keys.find(({ state }) => state === "active")!.selector,
    dkim_keys: keys.map(({ selector, state }) => ({ selector, state })),
    records: records.map(({ checked_at, content, name, priority, status, type }) => ({
      type,
      name,
      content,
      priority,
      status,
      checked_at: checked_at === null ? null : new Date(checked_at).toISOString()
    })),
    ...(missing.length === 0 ? {} : { waiting_for: missing }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString()
  })

/** Audit entry of an asserted domain. */
const assertion = (domain: Domains.Domain) =>
  note("mail_domain", domain, "proven", { domain: domain.domain, by: "assertion" })

export const domains = Handlers.group(
  DomainsApi,
  "domains",
  Effect.fn(function* (handlers) {
    const keys = yield* DkimKeys
    const server = yield* MailServer
    const view = (domain: Domains.Domain) => viewOf(server.missing)(domain)
    // An unreadable key file is a fault of the installation, so the request dies with a 500.
    const newKey = orUnavailable(Effect.catchTag(keys.make, "SecretError", Effect.die))
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { before, limit = defaultPage } }) {
        return paged((yield* orUnavailable(inScope(Domains.list(before, limit + 1)))).map(view), limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Domains.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf("mail_admin", payload.tenant_id, payload.customer_id)
        const key = yield* newKey
        const domain = {
          tenantId,
          customerId: payload.customer_id,
          domain: domainName(payload.domain)!,
          isAsserted: mayAssert(yield* Caller)
        }
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "mail.domains.create",
            body: payload,
            response: DomainView,
            // `create` reads a row of the same transaction, so `NotFound` would be a defect.
            create: Effect.map(
              DomainChanges.create(domain, key, server.records).pipe(
                Effect.catchTag("NotFound", Effect.die),
                Effect.catchTag("NameHeld", () =>
                  Effect.fail(new DomainTaken({ detail: "Another tenant holds the domain." }))
                )
              ),
              view
            )
          })
        )
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        yield* orUnavailable(inScope(DomainChanges.remove(params.id, query.force === "true")))
      }),
      checkOwnership: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(DomainChanges.checkOwnership(params.id))))
      }),
      assert: Effect.fnUntraced(function* ({ params }) {
        if (!mayAssert(yield* Caller))
          return yield* new Forbidden({ detail: "Only the provider may assert the ownership of a domain." })
        // The provider asserts domains of every tenant.
        return view(yield* orUnavailable(transaction(DomainChanges.assert(params.id, assertion))))
      }),
      rotate: Effect.fnUntraced(function* ({ params }) {
        // Checks first that the domain exists, because generating a key is expensive.
        yield* orUnavailable(inScope(Domains.get(params.id)))
        const key = yield* newKey
        return view(yield* orUnavailable(inScope(DomainChanges.rotate(params.id, key, server.records))))
      }),
      activate: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(DomainChanges.activate(params.id, params.selector))))
      })
    })
  })
)
