/** Changes of mail domains and their rules. Each runs in the surrounding transaction and writes the audit log. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { MailServer } from "./DnsRecords.ts"
import * as NameClaims from "#core/ownership/NameClaims.ts"
import { DomainNotEmpty, DomainTaken, RotationUnderWay } from "./Errors.ts"
import { removeAll } from "./mailboxes/MailboxChanges.ts"
import { note } from "./AuditNote.ts"
import { announceKeys, firstSelector, type NewKey, nextSelector } from "./DkimKeys.ts"
import * as Domains from "./Domains.ts"

/** Fields of a new domain; `domain` is normalised. */
export interface NewDomain {
  readonly tenantId: number
  readonly customerId: number
  readonly domain: string
  /** Whether the caller asserts that the tenant owns the name. */
  readonly isAsserted: boolean
}

export const create = Effect.fnUntraced(function* (
  { customerId, domain, isAsserted, tenantId }: NewDomain,
  key: NewKey,
  server: MailServer
) {
  const claim = yield* NameClaims.open("mail", tenantId, domain, isAsserted)
  const isProven = claim.state === "proven"
  const id = yield* Domains.insert(tenantId, customerId, domain, isProven)
  if (id === undefined)
    return yield* new DomainTaken({ detail: "Choose another domain, or delete the existing mail domain." })
  yield* Domains.insertKey({ id, tenant_id: tenantId }, firstSelector, "active", key)
  yield* Domains.writeRecords(id, server)
  const made = yield* Domains.get(id)
  yield* note("mail_domain", made, "created", { domain, customer_id: customerId, proven: isProven })
  yield* announceKeys
  if (isProven) yield* Domains.tellCreated(made)
  return made
})

/** Deletes a domain. A domain with mailboxes is deleted only with `force`, together with its mailboxes. */
export const remove = Effect.fnUntraced(function* (id: number, force: boolean) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(id)
  const [found] = yield* sql<{
    count: number
  }>`select count(*)::int as count from mail_admin.mailbox where domain_id = ${id}`
  const mailboxes = found!.count
  if (mailboxes > 0 && !force) {
    return yield* new DomainNotEmpty({
      mailboxes,
      detail: "Delete the mailboxes of the domain first, or send force=true to delete them, too."
    })
  }
  yield* removeAll(id)
  yield* Domains.remove(domain)
  yield* NameClaims.release("mail", domain.tenant_id, domain.domain)
  yield* note("mail_domain", domain, "deleted", { domain: domain.domain, mailboxes })
  yield* announceKeys
})

/** Has DNS asked soon for the challenge of a pending domain. */
export const checkOwnership = Effect.fnUntraced(function* (id: number) {
  const domain = yield* Domains.get(id)
  if (!domain.proven) yield* NameClaims.hasten("mail", domain.tenant_id, domain.domain)
  return domain
})

/**
 * The provider asserts that the tenant owns the domain. Fails when another tenant holds the name. `noted` writes the
 * audit entry of a change.
 */
export const assert = Effect.fnUntraced(function* <R>(
  id: number,
  noted: (domain: Domains.Domain) => Effect.Effect<void, SqlError.SqlError, R>
) {
  const domain = yield* Domains.held(id)
  if (domain.proven) return domain
  if (!(yield* NameClaims.prove("mail", domain.tenant_id, domain.domain, "asserted")))
    return yield* new DomainTaken({ detail: "Another tenant holds the domain. Delete its mail domain first." })
  yield* Domains.setProven(domain.tenant_id, domain.domain)
  yield* noted(domain)
  yield* announceKeys
  return yield* Domains.get(id)
})

/**
 * Adds a key with state `next` and publishes its record. Deletes keys retired by an earlier rotation, with their
 * records.
 */
export const rotate = Effect.fnUntraced(function* (id: number, key: NewKey, server: MailServer) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(id)
  const waiting = domain.keys.find(({ state }) => state === "next")
  if (waiting !== undefined) {
    return yield* new RotationUnderWay({
      selector: waiting.selector,
      detail: `Activate the key ${waiting.selector} first.`
    })
  }
  yield* sql`delete from mail_admin.dkim_key where domain_id = ${id} and state = 'retired'`
  const selector = nextSelector(domain.keys.map((held) => held.selector))
  yield* Domains.insertKey(domain, selector, "next", key)
  yield* Domains.writeRecords(id, server)
  yield* note("mail_domain", domain, "dkim_rotated", { selector })
  yield* announceKeys
  return yield* Domains.touched(id)
})

/**
 * Makes the next key sign. The previous key stays published until the next rotation, because mail signed with it is
 * still in transit.
 */
export const activate = Effect.fnUntraced(function* (id: number, selector: string) {
  const sql = yield* SqlClient.SqlClient
  const domain = yield* Domains.held(id)
  const key = domain.keys.find((held) => held.selector === selector && held.state !== "retired")
  if (key === undefined)
    return yield* new NotFound({ detail: "The domain has no active or next key with this selector." })
  if (key.state === "active") return domain
  yield* sql`update mail_admin.dkim_key set state = 'retired' where domain_id = ${id} and state = 'active'`
  yield* sql`update mail_admin.dkim_key set state = 'active' where domain_id = ${id} and selector = ${selector}`
  yield* note("mail_domain", domain, "dkim_activated", { selector })
  yield* announceKeys
  return yield* Domains.touched(id)
})
