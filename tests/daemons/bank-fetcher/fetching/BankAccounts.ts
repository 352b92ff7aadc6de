/**
 * Accounts that can fetch, without the steps of the key setup: rows with the keys of the tests, known to a bank
 * double.
 */
import { Effect, Redacted } from "effect"
import type { PgClient } from "@effect/sql-pg"
import { createPublicKey, type KeyObject, randomUUID } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Secrets from "#core/config/Secrets.ts"
import { Result } from "effect"
import * as Keys from "#protocols/ebics/Keys.ts"
import type { BankDouble } from "#support/bank/BankDouble.ts"
import { testKeys } from "#support/bank/TestKeys.ts"

export interface AccountOptions {
  /** Default 1. */
  readonly tenant?: number
  readonly version?: "H004" | "H005"
  /** Age of the account. Unit: hours. Default: none, so no firing was missed. */
  readonly age?: number
  readonly fetchEnabled?: boolean
  readonly daily?: string
  readonly intraday?: string
  /** The keys are marked as under a passphrase that no process has. */
  readonly locked?: boolean
  readonly orderTypes?: ReadonlyArray<object>
  readonly permitted?: object
}

let made = 0

/** Creates an active account at the bank. Default: its schedules are off, so that only requests fetch. */
export const activeAccount = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  dataDir: string,
  bank: BankDouble,
  url: string,
  options: AccountOptions = {}
) {
  const id = randomUUID()
  const number = ++made
  const { tenant = 1 } = options
  const [partner, userId] = [`PARTNER${number}`, `USER${number}`]
  const user = bank.agree(partner, userId)
  user.state = "Ready"
  const publicOf = (key: KeyObject) => createPublicKey(key)
  Object.assign(user.keys, {
    authentication: publicOf(testKeys.authentication),
    encryption: publicOf(testKeys.encryption)
  })
  const iban = `DE${String(10 + (number % 80))}${String(number).padStart(18, "0")}`
  yield* sql`insert into bank_fetcher.account (id, tenant_id, name, iban, host_id, partner_id, user_id, server_url,
      ebics_version, key_status, key_salt, daily_schedule, intraday_schedule, fetch_enabled, order_types, permitted,
      created_at)
    values (${id}, ${tenant}, ${`Account ${number}`}, ${iban}, ${bank.hostId}, ${partner}, ${userId}, ${url},
      ${options.version ?? "H005"}, 'active', ${options.locked === true ? "c2FsdA==" : null},
      ${options.daily ?? "off"}, ${options.intraday ?? "off"}, ${options.fetchEnabled ?? true},
      ${options.orderTypes === undefined ? null : sql.json(options.orderTypes)},
      ${options.permitted === undefined ? null : sql.json(options.permitted)},
      now() - make_interval(hours => ${options.age ?? 0}))`
  const sealer = keysOf(dataDir)
  for (const [purpose, key] of [
    ["X", testKeys.authentication],
    ["E", testKeys.encryption],
    ["A", testKeys.signature]
  ] as const) {
    const keyId = randomUUID()
    const text = key.export({ type: "pkcs8", format: "der" }).toString("base64")
    const context = Secrets.contextOf({ table: "bank_fetcher.account_key", id: "id", column: "private_key" }, keyId)
    yield* sql`insert into bank_fetcher.account_key (id, tenant_id, account_id, purpose, private_key, public_key,
        certificate, under_passphrase)
      values (${keyId}, ${tenant}, ${id}, ${purpose}, ${Secrets.seal(sealer, Redacted.make(text), context)},
        ${spki(publicOf(key))}, '', ${options.locked ?? false})`
  }
  for (const [purpose, key] of [
    ["X", bank.keys.authentication],
    ["E", bank.keys.encryption]
  ] as const) {
    const theirs = publicOf(key)
    yield* sql`insert into bank_fetcher.bank_key
        (account_id, tenant_id, purpose, state, public_key, fingerprint, accepted_at, accepted_by)
      values (${id}, ${tenant}, ${purpose}, 'accepted', ${spki(theirs)}, ${Keys.digest(theirs).toString("hex")}, now(),
        'user:1')`
  }
  return { id, iban, tenant, user, name: `Account ${number}` }
})

const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64")

/** Keys of the data directory's key file, which is made when it is missing. */
const keysOf = (dataDir: string) => {
  const path = join(dataDir, "keys")
  if (!existsSync(path)) writeFileSync(path, `${Secrets.newKeyLine()}\n`, { mode: 0o600 })
  return Result.getOrThrow(Secrets.parseKeys(readFileSync(path, "utf8")))
}
