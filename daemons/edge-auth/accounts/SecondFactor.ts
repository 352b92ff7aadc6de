/**
 * Optional second factor of a user: codes of an authenticator app, and recovery codes in case the app is lost. Secrets
 * are sealed and opened before a transaction begins. Source: RFC 6238.
 */
import { Clock, Effect, Redacted, Schema } from "effect"
import { svg } from "#core/auth/QrCode.ts"
import * as RecoveryCodes from "#core/auth/RecoveryCodes.ts"
import * as Totp from "#core/auth/Totp.ts"
import { brandSettings } from "#core/config/BrandSettings.ts"
import { contextOf, type SecretError, Secrets } from "#core/config/Secrets.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { StoredSettings } from "#core/settings/StoredSettings.ts"
import { transaction } from "#core/sql/Sql.ts"
import * as FactorRows from "./FactorRows.ts"
import { type Actor, note } from "../edge/AuditNote.ts"

/** Name of the issuer that the authenticator app shows: that of the installation. */
const issuer = Effect.map(StoredSettings, ({ value }) => value(brandSettings.brandName))

/** Longest input that is checked as a code. Unit: characters. */
const maxTyped = 64

/** The code is wrong, used or too late; carries no reason. */
export class WrongCode extends Schema.TaggedError<WrongCode>()("WrongCode", {}) {}

/** Secret and QR code for the setup of an authenticator app; shown during setup only. */
export interface Setup {
  readonly secret: Redacted.Redacted
  readonly picture: Redacted.Redacted
}

const setupOf = (secret: Redacted.Redacted, email: string): Effect.Effect<Setup, never, StoredSettings> =>
  Effect.map(issuer, (issuer) => ({
    secret,
    picture: svg(Totp.uri({ secret, issuer, account: email }), `${issuer}: ${email}`)
  }))

/** Creates an unconfirmed secret; undefined when a confirmed factor exists already. */
export const begin = Effect.fnUntraced(function* (actor: Actor, user: { readonly id: number; readonly email: string }) {
  const secrets = yield* Secrets
  const secret = Totp.newSecret()
  const envelope = yield* secrets.seal(secret, contextOf(FactorRows.sealedSecret, String(user.id)))
  const begun = yield* transaction(
    Effect.gen(function* () {
      const begun = yield* FactorRows.begin(user.id, envelope)
      if (begun) yield* note(actor, "factor.begun", "user", user.id)
      return begun
    })
  )
  return begun ? yield* setupOf(secret, user.email) : undefined
})

/** Setup of the unconfirmed secret, shown again after a wrong first code; undefined when there is none. */
export const waiting = Effect.fnUntraced(function* (user: { readonly id: number; readonly email: string }) {
  const envelope = yield* FactorRows.pending(user.id)
  if (envelope === undefined) return undefined
  return yield* setupOf(
    yield* (yield* Secrets).open(envelope, contextOf(FactorRows.sealedSecret, String(user.id))),
    user.email
  )
})

/** Confirms the secret by its first code; returns the recovery codes, which are shown once. */
export const confirm = Effect.fnUntraced(function* (actor: Actor, userId: number, code: string) {
  const secrets = yield* Secrets
  const envelope = yield* FactorRows.pending(userId)
  if (envelope === undefined) return yield* new WrongCode()
  const secret = yield* secrets.open(envelope, contextOf(FactorRows.sealedSecret, String(userId)))
  const step = Totp.check(code.slice(0, maxTyped), secret, yield* Clock.currentTimeMillis, undefined)
  if (step === undefined) return yield* new WrongCode()
  const codes = RecoveryCodes.newCodes()
  const sealed = yield* sealCodes(userId, codes.map(RecoveryCodes.hash))
  yield* transaction(
    Effect.gen(function* () {
      if (!(yield* FactorRows.confirm(userId, { secret: envelope, step, codes: sealed }))) return yield* new WrongCode()
      yield* note(actor, "factor.set_up", "user", userId)
    })
  )
  return codes
})

/** Whether `typed` is a valid code or recovery code of the user; a valid one is used up. */
export const take = Effect.fnUntraced(function* (actor: Actor, userId: number, typed: string) {
  const factor = yield* FactorRows.confirmed(userId)
  if (factor === undefined || typed.length > maxTyped) return false
  const secrets = yield* Secrets
  const secret = yield* secrets.open(factor.secret, contextOf(FactorRows.sealedSecret, String(userId)))
  const step = Totp.check(typed, secret, yield* Clock.currentTimeMillis, factor.step ?? undefined)
  if (step !== undefined) return yield* FactorRows.takeStep(userId, step)
  if (factor.codes === null || RecoveryCodes.normalise(typed) === undefined) return false
  const { codes } = factor
  const kept = Redacted.value(yield* secrets.open(codes, contextOf(FactorRows.sealedCodes, String(userId)))).split("\n")
  const left = RecoveryCodes.use(typed, kept)
  if (left === undefined) return false
  const sealed = yield* sealCodes(userId, left)
  return yield* transaction(
    Effect.gen(function* () {
      if (!(yield* FactorRows.spendCode(userId, codes, sealed))) return false
      yield* note(actor, "factor.recovery_code", "user", userId, { left: left.length })
      return true
    })
  )
})

/** Removes the second factor at its owner's request. */
export const turnOff = (actor: Actor, userId: number) =>
  transaction(
    Effect.gen(function* () {
      if (yield* FactorRows.remove(userId)) yield* note(actor, "factor.turned_off", "user", userId)
    })
  )

const sealCodes = (userId: number, hashes: ReadonlyArray<string>) =>
  Effect.flatMap(Secrets, (secrets) =>
    secrets.seal(Redacted.make(hashes.join("\n")), contextOf(FactorRows.sealedCodes, String(userId)))
  )

/** Answers 503 when the envelope of a second factor cannot be opened, and logs the reason for the operator. */
export const unreadable = (error: SecretError): Effect.Effect<never, Unavailable> =>
  Effect.andThen(
    Effect.logError(`cannot open a secret of a second factor: ${error.message}`),
    Effect.fail(new Unavailable({ detail: "The second factor cannot be checked now." }))
  )
