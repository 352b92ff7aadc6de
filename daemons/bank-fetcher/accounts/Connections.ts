/**
 * Everything that a download needs: ids, keys, order types, and the way to the bank. Call outside transactions, because
 * the keys are read from a file.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { KeyObject } from "node:crypto"
import { Caller } from "#core/auth/Caller.ts"
import type { Secrets } from "#core/config/Secrets.ts"
import type { Database } from "#core/sql/Database.ts"
import { transaction } from "#core/sql/Sql.ts"
import type { BankKeys, DigestKind, Subscriber } from "#protocols/ebics/Subscriber.ts"
import { type AccountRow, ebicsOf } from "./AccountRow.ts"
import * as AccountStore from "./AccountStore.ts"
import { BankClient, type BankUnreachable } from "./BankClient.ts"
import { type KeysLocked, NotReady, Stopped } from "./ConnectionError.ts"
import type { OrderChoice, Permitted } from "./FieldSchemas.ts"
import { note, systemCaller } from "./Note.ts"
import * as BankKeyStore from "./keys/BankKeyStore.ts"
import * as KeyStore from "./keys/KeyStore.ts"
import { Passphrases } from "./keys/Passphrases.ts"
import * as PrivateKeys from "./keys/PrivateKeys.ts"
import * as Steps from "./keys/Steps.ts"

export interface Connection {
  readonly accountId: string
  readonly tenantId: number
  readonly name: string
  readonly iban: string
  readonly currency: string
  /** Ids and protocol version (`subscriber.version`). */
  readonly subscriber: Subscriber
  /** Our private keys X002 and E002. */
  readonly authentication: KeyObject
  readonly encryption: KeyObject
  /** Accepted keys of the bank. */
  readonly bank: BankKeys
  readonly digestKind: DigestKind
  /** What a person chose to fetch; null: the usual order types. */
  readonly orderTypes: ReadonlyArray<OrderChoice> | null
  /** What the bank allows; null: it was not asked. */
  readonly permitted: Permitted | null
  /** Posts a message to the bank and returns the answer, at most `maxMessage` bytes. */
  readonly send: (xml: string) => Effect.Effect<Uint8Array, BankUnreachable>
  /**
   * After 091008, 061001 or a wrong signature of the bank: fetches the bank's keys again (HPB). `retry`: the keys are
   * unchanged, and the next connection uses the other kind of digest, which was not tried before. `stopped`: the keys
   * changed, and the account is stopped until a person accepts them. `unchanged`: the keys are the
   * same and nothing is left to try, so the fetch fails.
   */
  readonly bankKeysRefused: Effect.Effect<"retry" | "stopped" | "unchanged">
}

export class BankConnections extends Context.Service<
  BankConnections,
  {
    readonly connection: (
      accountId: string
    ) => Effect.Effect<Connection, NotReady | KeysLocked | Stopped | SqlError.SqlError>
  }
>()("signalbox/bank-fetcher/BankConnections") {}

/** The connection of an account. */
export const connection = (accountId: string) => Effect.flatMap(BankConnections, (one) => one.connection(accountId))

/** Without `Passphrases` and `BankClient`, which Layers.ts provides. */
export const layer = Layer.effect(
  BankConnections,
  Effect.gen(function* () {
    const services = yield* Effect.context<
      SqlClient.SqlClient | PgClient.PgClient | Database | Secrets | Passphrases | BankClient
    >()
    return BankConnections.of({ connection: (accountId) => Effect.provideContext(connect(accountId), services) })
  })
)

const connect = Effect.fn("BankConnections.connection")(function* (accountId: string) {
  const client = yield* BankClient
  const { bankRows, keys, row } = yield* transaction(
    Effect.all({
      row: AccountStore.get(accountId),
      keys: KeyStore.keysOf(accountId),
      bankRows: BankKeyStore.bankKeysOf(accountId)
    })
  ).pipe(Effect.catchTag("NotFound", () => Effect.fail(new NotReady({ reason: "missing", key_status: null }))))
  const unready = (reason: NotReady["reason"]) => new NotReady({ reason, key_status: row.key_status })
  if (!row.active) return yield* unready("inactive")
  const ebics = ebicsOf(row)
  if (ebics === undefined) return yield* unready("no_ebics")
  if (row.key_status !== "active" || row.ebics_version === null) return yield* unready("keys")
  const bank = BankKeyStore.acceptedKeys(bankRows)
  if (bank === undefined) return yield* unready("bank_keys")
  if (row.stopped !== null) return yield* new Stopped({ reason: row.stopped })
  const { find } = yield* Passphrases
  const passphrase = row.key_salt === null ? undefined : find(row.id, row.key_salt)
  const open = (purpose: PrivateKeys.Purpose) =>
    PrivateKeys.open(
      keys.find((key) => key.purpose === purpose)!,
      passphrase
    )
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof bankKeysRefused>>>()
  const { hostId, partnerId, serverUrl, userId } = ebics
  const made: Connection = {
    accountId,
    tenantId: row.tenant_id,
    name: row.name,
    iban: row.iban,
    currency: row.currency,
    subscriber: { version: row.ebics_version, hostId, partnerId, userId },
    authentication: yield* open("X"),
    encryption: yield* open("E"),
    bank,
    digestKind: row.digest_kind,
    orderTypes: row.order_types,
    permitted: row.permitted,
    send: (xml) => client.post(serverUrl, xml),
    bankKeysRefused: Effect.provideContext(bankKeysRefused(row), services)
  }
  return made
})

const bankKeysRefused = Effect.fn("BankConnections.bankKeysRefused")(
  function* ({ id }: AccountRow) {
    yield* Effect.provideService(Steps.refresh(id), Caller, systemCaller)
    return yield* transaction(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const row = yield* AccountStore.held(id)
        if (row.stopped !== null) return "stopped" as const
        const bank = BankKeyStore.acceptedKeys(yield* BankKeyStore.bankKeysOf(id))
        // Without certificates both kinds of digest are the same.
        if (row.digest_tried || bank?.authentication.certificate === undefined) return "unchanged" as const
        const kind = row.digest_kind === "key" ? "certificate" : "key"
        yield* sql`update bank_fetcher.account set digest_kind = ${kind}, digest_tried = true, updated_at = now()
          where id = ${id}`
        yield* note(row, "digest_kind_changed", { from: row.digest_kind, to: kind })
        return "retry" as const
      })
    )
  },
  // The refusal stands when the bank does not answer now; the next fetch asks again.
  (effect) => Effect.catch(effect, () => Effect.succeed("unchanged" as const))
)
