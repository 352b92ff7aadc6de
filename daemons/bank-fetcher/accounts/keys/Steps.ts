/**
 * The key steps of an account that speak with its bank, and the making of its keys. Each step records that it began,
 * acts with no transaction open, and records the result in a short transaction.
 */
import { Effect, type Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import * as KeyRequests from "#protocols/ebics/KeyRequests.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import type { Version } from "#protocols/ebics/Version.ts"
import { choose } from "#protocols/ebics/Version.ts"
import { type AccountRow, ebicsOf } from "../AccountRow.ts"
import * as AccountStore from "../AccountStore.ts"
import { BankClient } from "../BankClient.ts"
import { AccountUnfit, BankFailed, BankRefused, PassphraseMissing, WrongStep } from "../Errors.ts"
import { note } from "../Note.ts"
import { type Answer, ask, failed, outcomeOf, problemOf, recorded, unreachable } from "./BankAnswers.ts"
import * as BankKeyStore from "./BankKeyStore.ts"
import * as KeySteps from "./KeySteps.ts"
import * as KeyStore from "./KeyStore.ts"
import * as Passphrase from "./Passphrases.ts"
import * as PrivateKeys from "./PrivateKeys.ts"

const { Passphrases } = Passphrase

/** An account that can speak EBICS, and the step that it is busy with. */
interface Begun {
  readonly row: AccountRow
  readonly ebics: NonNullable<ReturnType<typeof ebicsOf>>
  readonly stepId: string
}

/**
 * Runs `work` when the step follows the present state; does nothing when it was done before. The begin cannot be
 * interrupted, because an interruption after its commit would leave the account busy until the lease ends.
 */
const run = <E, R>(id: string, step: KeySteps.Step, work: (begun: Begun) => Effect.Effect<void, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const begun = yield* orUnavailable(inScope(begin(id, step)))
      if (begun === undefined) return
      const end = Effect.ignore(inScope(KeyStore.endStep(id, begun.stepId)))
      yield* Effect.onExit(restore(work(begun)), () => end)
    })
  )

const begin = Effect.fnUntraced(function* (id: string, step: KeySteps.Step) {
  const row = yield* AccountStore.held(id)
  const verdict = KeySteps.decide(row, step)
  if (verdict._tag === "Done") return undefined
  if (!row.active) return yield* new AccountUnfit({ reason: "inactive", detail: "Reactivate the account first." })
  const ebics = ebicsOf(row)
  if (ebics === undefined)
    return yield* new AccountUnfit({
      reason: "no_ebics",
      detail: "Set host_id, partner_id, user_id and server_url first."
    })
  if (verdict._tag === "Refuse")
    return yield* new WrongStep({ key_status: row.key_status, next: KeySteps.next(row, false), detail: verdict.why })
  return { row, ebics, stepId: yield* KeyStore.beginStep(row, step) } satisfies Begun
})

/** Records a result, unless another step has begun since. */
const record = <A, E, R>({ row, stepId }: Begun, write: (row: AccountRow) => Effect.Effect<A, E, R>) =>
  orUnavailable(inScope(Effect.flatMap(KeyStore.holdStep(row.id, stepId), write)))

/** Makes the three keys. `passphrase`: encrypts them as well. */
export const init = (id: string, passphrase: Redacted.Redacted | undefined) =>
  run(
    id,
    "init",
    Effect.fnUntraced(function* (begun) {
      const { ebics, row } = begun
      const now = new Date()
      const salt = passphrase === undefined ? null : yield* Passphrase.newSalt
      const key = passphrase === undefined || salt === null ? undefined : yield* Passphrase.derive(passphrase, salt)
      const names = { commonName: ebics.userId, organization: row.holder ?? row.name }
      const keys = yield* PrivateKeys.make(row.key_bits, names, now, key)
      yield* record(begun, (held) =>
        Effect.andThen(
          KeyStore.storeKeys(held, keys, salt, now),
          note(held, "keys_generated", { bits: row.key_bits, with_passphrase: salt !== null })
        )
      )
      const { keep } = yield* Passphrases
      if (key !== undefined && salt !== null) keep(id, salt, key)
    })
  )

/** Protocol version of the account; asks the bank (HEV) when nobody has chosen one. */
const versionOf = Effect.fnUntraced(function* (begun: Begun) {
  const { ebics, row } = begun
  if (row.ebics_version !== null) return row.ebics_version
  const client = yield* BankClient
  const fail = (answer: Answer) =>
    Effect.andThen(
      record(begun, () => KeyStore.storeAnswer(row.id, recorded("hev", answer))),
      Effect.fail(problemOf(answer))
    )
  const request = KeyRequests.hev(ebics.hostId)
  if (Result.isFailure(request)) return yield* fail(failed(request.failure, false))
  const posted = yield* Effect.result(client.post(ebics.serverUrl, request.success))
  if (Result.isFailure(posted)) return yield* fail(unreachable(posted.failure))
  const read = Responses.hev(posted.success)
  if (Result.isFailure(read)) return yield* fail(failed(read.failure, true))
  const { code, versions } = read.success
  if (code.kind !== "Success")
    return yield* new BankRefused({
      bank_code: code.value,
      symbol: code.symbol,
      detail: `The bank refused to name its versions: ${code.value} ${code.symbol}.`
    })
  const version = choose(versions)
  if (version === undefined)
    return yield* new BankFailed({ retryable: false, detail: "The bank offers neither H004 nor H005." })
  yield* record(begun, (held) =>
    Effect.andThen(KeyStore.storeVersion(held.id, version), note(held, "version_chosen", { version }))
  )
  return version
})

const subscriberOf = ({ ebics }: Begun, version: Version) => ({
  version,
  hostId: ebics.hostId,
  partnerId: ebics.partnerId,
  userId: ebics.userId
})

/** Sends INI or HIA. */
const send = (id: string, step: "ini" | "hia") =>
  run(
    id,
    step,
    Effect.fnUntraced(function* (begun) {
      const { ebics, row } = begun
      const version = yield* versionOf(begun)
      const wasBegun = (step === "ini" ? row.ini_begun_at : row.hia_begun_at) !== null
      const keys = yield* record(begun, () => Effect.andThen(KeyStore.markBegun(id, step), KeyStore.keysOf(id)))
      const sent = (purpose: PrivateKeys.Purpose) => PrivateKeys.sent(keys.find((key) => key.purpose === purpose)!)
      const createdAt = row.keys_created_at ?? new Date()
      const subscriber = subscriberOf(begun, version)
      const request =
        step === "ini"
          ? KeyRequests.ini(subscriber, { version: row.signature_version, sent: sent("A"), createdAt })
          : KeyRequests.hia(subscriber, { authentication: sent("X"), encryption: sent("E"), createdAt })
      const answer = yield* ask(ebics.serverUrl, request, version)
      const outcome = outcomeOf(answer, wasBegun)
      yield* record(begun, (held) =>
        Effect.gen(function* () {
          yield* KeyStore.storeAnswer(id, recorded(step, answer))
          if (outcome === "refused") yield* KeyStore.forgetBegun(id, step)
          if (outcome === "sent") yield* KeyStore.storeSent(id, step)
          const code = answer._tag === "Answered" ? answer.code.value : null
          yield* note(held, outcome === "sent" ? `${step}_sent` : `${step}_failed`, { code })
        })
      )
      if (outcome !== "sent") return yield* problemOf(answer)
    })
  )

export const ini = (id: string) => send(id, "ini")
export const hia = (id: string) => send(id, "hia")

/** Fetches the bank's keys. Undefined: the bank has not released our keys yet, which is recorded. */
const fetchBankKeys = Effect.fnUntraced(function* (begun: Begun, step: "activate" | "refresh") {
  const { ebics, row } = begun
  const version = row.ebics_version ?? "H005"
  const keys = yield* orUnavailable(inScope(KeyStore.keysOf(row.id)))
  const { find } = yield* Passphrases
  const passphrase = row.key_salt === null ? undefined : find(row.id, row.key_salt)
  const open = (purpose: PrivateKeys.Purpose) =>
    Effect.catchTag(
      PrivateKeys.open(
        keys.find((key) => key.purpose === purpose)!,
        passphrase
      ),
      "KeysLocked",
      () => Effect.fail(new PassphraseMissing({ detail: "POST keys/unlock with the passphrase first." }))
    )
  const [authentication, encryption] = [yield* open("X"), yield* open("E")]
  const subscriber = subscriberOf(begun, version)
  const unique = { nonce: yield* Keys.newNonce, timestamp: new Date() }
  const answer = yield* ask(ebics.serverUrl, KeyRequests.hpb(subscriber, unique, authentication), version)
  const fail = (failure: Answer) =>
    Effect.andThen(
      record(begun, () => KeyStore.storeAnswer(row.id, recorded(step, failure))),
      Effect.fail(problemOf(failure))
    )
  if (answer._tag === "Failed") return yield* fail(answer)
  if (answer.code.kind === "NotReady") {
    yield* record(begun, () => KeyStore.storeAnswer(row.id, recorded(step, answer)))
    return undefined
  }
  if (answer.code.kind !== "Success" || answer.response.data === undefined) return yield* fail(answer)
  const bank = Responses.bankKeys(answer.response.data, subscriber, encryption)
  return Result.isFailure(bank)
    ? yield* fail(failed(bank.failure, true))
    : { bank: bank.success, answer: recorded(step, answer) }
})

/** Checks whether the bank has released our keys. Its own keys then wait for a person. */
export const activate = (id: string) =>
  run(
    id,
    "activate",
    Effect.fnUntraced(function* (begun) {
      const found = yield* fetchBankKeys(begun, "activate")
      if (found === undefined) return
      yield* record(begun, (held) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* KeyStore.storeAnswer(id, found.answer)
          yield* BankKeyStore.offer(held, found.bank)
          yield* sql`update bank_fetcher.account set key_status = 'active', activated_at = now(), updated_at = now()
            where id = ${id}`
          yield* note(held, "activated")
        })
      )
    })
  )

/**
 * Fetches the bank's keys again. Keys that differ from the accepted ones stop the account until a person accepts them.
 */
export const refresh = (id: string) =>
  run(
    id,
    "refresh",
    Effect.fnUntraced(function* (begun) {
      const found = yield* fetchBankKeys(begun, "refresh")
      if (found === undefined) return
      yield* record(begun, (held) =>
        Effect.gen(function* () {
          yield* KeyStore.storeAnswer(id, found.answer)
          const accepted = BankKeyStore.pairOf(yield* BankKeyStore.bankKeysOf(id), "accepted")
          const isSame =
            accepted !== undefined &&
            BankKeyStore.isSame(accepted.authentication, found.bank.authentication) &&
            BankKeyStore.isSame(accepted.encryption, found.bank.encryption)
          if (isSame) return yield* BankKeyStore.dropOffered(id)
          yield* BankKeyStore.offer(held, found.bank)
          yield* note(held, "bank_keys_offered", BankKeyStore.fingerprintsOf(found.bank))
          if (accepted !== undefined) yield* AccountStore.stop(id, bankKeysChanged)
        })
      )
    })
  )

/** Reason of a stop: the bank has other keys than those that a person accepted. */
export const bankKeysChanged = "bank_keys_changed"
