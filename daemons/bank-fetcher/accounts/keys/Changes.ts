/** Changes of an account's keys that need no bank: acceptance, suspension, reset, passphrase. */
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Caller, inScope, nameOf } from "#core/auth/Caller.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import * as AccountStore from "../AccountStore.ts"
import { AccountUnfit, HashesDiffer, StepUnderWay, WrongStep } from "../Errors.ts"
import { ibanOf } from "../../bank-store/Iban.ts"
import { note } from "../Note.ts"
import * as BankKeyStore from "./BankKeyStore.ts"
import * as KeySteps from "./KeySteps.ts"
import * as KeyStore from "./KeyStore.ts"
import * as Passphrase from "./Passphrases.ts"
import * as PrivateKeys from "./PrivateKeys.ts"

const { Passphrases } = Passphrase

const setStatus = Effect.fnUntraced(function* (id: string, status: string, before: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update bank_fetcher.account set key_status = ${status}, state_before = ${before}, updated_at = now()
    where id = ${id}`
})

const clearStop = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update bank_fetcher.account set stopped = null, updated_at = now() where id = ${id}`
  )

/** A typed hash without blanks, colons and hyphens, in upper case. */
const digitsOf = (typed: string): string => typed.replace(/[\s:.-]/g, "").toUpperCase()

/** A person has compared the bank's keys with the bank's letter. Repeating it with the same hashes changes nothing. */
export const accept = (id: string, hashes: { readonly authentication: string; readonly encryption: string }) =>
  inScope(
    Effect.gen(function* () {
      const row = yield* AccountStore.held(id)
      if (!row.active) return yield* new AccountUnfit({ reason: "inactive", detail: "Reactivate the account first." })
      const rows = yield* BankKeyStore.bankKeysOf(id)
      const offered = BankKeyStore.pairOf(rows, "offered")
      const pair = offered ?? BankKeyStore.pairOf(rows, "accepted")
      if (pair === undefined)
        return yield* new WrongStep({
          key_status: row.key_status,
          next: KeySteps.next(row, false),
          detail: "The bank's keys are not known yet. POST keys/activate first."
        })
      const differing = (["authentication", "encryption"] as const).filter(
        (name) => !BankKeyStore.hashesOf(pair[name]).includes(digitsOf(hashes[name]))
      )
      if (differing.length > 0)
        return yield* new HashesDiffer({
          differing,
          detail: "Compare the hashes with the bank's letter. Do not accept keys that differ from it; ask the bank."
        })
      if (offered === undefined) return
      const sql = yield* SqlClient.SqlClient
      yield* BankKeyStore.accept(id, nameOf(yield* Caller))
      yield* sql`update bank_fetcher.account set digest_tried = false, stopped = null, updated_at = now()
        where id = ${id}`
      yield* note(row, "bank_keys_accepted", {
        authentication: offered.authentication.fingerprint,
        encryption: offered.encryption.fingerprint
      })
    })
  )

export const suspend = (id: string) =>
  inScope(
    Effect.gen(function* () {
      const row = yield* AccountStore.held(id)
      if (row.key_status === "suspended") return
      if (row.key_status !== "active")
        return yield* new WrongStep({
          key_status: row.key_status,
          next: KeySteps.next(row, false),
          detail: "Only an active account can be suspended."
        })
      yield* setStatus(id, "suspended", row.key_status)
      yield* note(row, "suspended")
    })
  )

/** Ends a suspension and a stop. */
export const resume = (id: string) =>
  inScope(
    Effect.gen(function* () {
      const row = yield* AccountStore.held(id)
      if (row.stopped !== null && row.bank_offered)
        return yield* new AccountUnfit({
          reason: "stopped",
          detail: "The bank has new keys. Compare their hashes and POST keys/bank/accept."
        })
      if (row.key_status !== "suspended" && row.key_status !== "active")
        return yield* new WrongStep({
          key_status: row.key_status,
          next: KeySteps.next(row, false),
          detail: "The account is not suspended."
        })
      if (row.key_status === "active" && row.stopped === null) return
      yield* setStatus(id, row.state_before ?? "active", null)
      yield* clearStop(id)
      yield* note(row, "resumed")
    })
  )

/** Destroys the keys. `confirm`: the IBAN as a person typed it. */
export const reset = Effect.fnUntraced(function* (id: string, confirm: string) {
  yield* inScope(
    Effect.gen(function* () {
      const row = yield* AccountStore.held(id)
      if (ibanOf(confirm) !== row.iban)
        return yield* new InvalidRequest({
          errors: [{ field: "payload.confirm", message: "must be the IBAN of the account" }]
        })
      if (row.busy) return yield* new StepUnderWay({ detail: "Try again when the step has ended." })
      if (row.key_status === "pending") return
      yield* KeyStore.reset(id)
      yield* note(row, "keys_reset", { from: row.key_status })
    })
  )
  const { forget } = yield* Passphrases
  forget(id)
})

/** Keeps the key of the passphrase in this process. 422 for a wrong passphrase. */
export const unlock = Effect.fnUntraced(function* (id: string, passphrase: Redacted.Redacted) {
  const { keys, row } = yield* orUnavailable(
    inScope(Effect.all({ row: AccountStore.get(id), keys: KeyStore.keysOf(id) }))
  )
  const { find, keep } = yield* Passphrases
  const salt = row.key_salt
  const [first] = keys
  if (salt === null || first === undefined)
    return yield* new WrongStep({
      key_status: row.key_status,
      next: KeySteps.next(row, false),
      detail: "The keys of this account have no passphrase."
    })
  const key = yield* Passphrase.derive(passphrase, salt)
  const opened = yield* Effect.result(PrivateKeys.open(first, key))
  const isRight = opened._tag === "Success"
  if (find(id, salt) === undefined || !isRight)
    yield* orUnavailable(inScope(note(row, isRight ? "keys_unlocked" : "unlock_refused")))
  if (!isRight)
    return yield* new InvalidRequest({ errors: [{ field: "payload.passphrase", message: "is not the passphrase" }] })
  keep(id, salt, key)
})
