/**
 * SQL of recent recipients: how often and when an account wrote to an address. Keeps the latest `maxRecent` per
 * account.
 */
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { atomically } from "#core/sql/Sql.ts"
import { normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import type { Account } from "../../accounts/Exports.ts"
import { foldPerson } from "./Folding.ts"

/**
 * Maximum number of recent recipients per account. Unit: addresses. Reason: years of a busy mailbox, and few enough to
 * search all of them.
 */
export const maxRecent = 2000

/** Maximum number of addresses recorded per mail. Reason: a mail to more is a newsletter. */
export const maxNoted = 100

/** Longest stored name. Unit: characters. */
const maxName = 200

export interface Recipient {
  readonly address: string
  /** Display name in the mail. Without one the stored name stays. */
  readonly name?: string
}

/**
 * Records one more use of each recipient. Invalid addresses are skipped, duplicates count once. Runs in the surrounding
 * transaction or in its own.
 */
export const note = Effect.fnUntraced(function* (
  account: Pick<Account, "id" | "tenant_id">,
  recipients: ReadonlyArray<Recipient>
) {
  const people = cleaned(recipients)
  if (!Arr.isReadonlyArrayNonEmpty(people)) return
  const sql = yield* SqlClient.SqlClient
  yield* atomically(
    Effect.gen(function* () {
      // Prevents deadlocks between two mails that update the same rows in different order.
      yield* sql`select pg_advisory_xact_lock(hashtext('mail_watcher.recent_recipient'), ${account.id})`
      yield* sql`insert into mail_watcher.recent_recipient as r ${sql.insert(
        Arr.map(people, ({ address, name }) => ({
          tenant_id: account.tenant_id,
          account_id: account.id,
          address,
          name,
          folded: foldPerson(name, address)
        }))
      )}
      on conflict (account_id, address) do update set uses = least(r.uses, 2147483646) + 1, last_used_at = now(),
        name = case when excluded.name = '' then r.name else excluded.name end,
        folded = case when excluded.name = '' then r.folded else excluded.folded end`
      yield* sql`delete from mail_watcher.recent_recipient where account_id = ${account.id} and address in (
      select address from mail_watcher.recent_recipient where account_id = ${account.id}
        order by last_used_at desc, address offset ${maxRecent})`
    })
  )
})

/** Normalises the addresses and keeps the first name of each, at most `maxNoted`. */
const cleaned = (recipients: ReadonlyArray<Recipient>): ReadonlyArray<Required<Recipient>> => {
  const found = new Map<string, string>()
  for (const { address: given, name = "" } of recipients) {
    const address = normaliseEmail(given)
    if (address === undefined || (found.size >= maxNoted && !found.has(address))) continue
    if ((found.get(address) ?? "") === "") found.set(address, shownName(name, address))
  }
  return Array.from(found, ([address, name]) => ({ address, name }))
}

/** Name as one line. Empty when it only repeats the address. */
const shownName = (name: string, address: string): string => {
  const line = Array.from(
    name
      .toWellFormed()
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
  )
    .slice(0, maxName)
    .join("")
    .trim()
  return line.toLowerCase() === address ? "" : line
}
