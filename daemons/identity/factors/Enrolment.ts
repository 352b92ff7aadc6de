/**
 * Sets up and removes second factors of the caller's account. Secrets are sealed and opened outside of transactions.
 * Changes of one account are serialised.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { Caller, inScope } from "#core/auth/Caller.ts"
import { svg } from "#core/auth/QrCode.ts"
import { Standing } from "#core/auth/Standing.ts"
import * as Totp from "#core/auth/Totp.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import { retryAfter } from "#core/http/AnswerHeaders.ts"
import { NotFound } from "#core/http/Problem.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { InvalidCredentials } from "../sessions/Exports.ts"
import { type Credentials, lockUnchanged } from "../users/Exports.ts"
import { activeFactors, type Factor, lockFactors } from "./ActiveFactors.ts"
import { CodeSender } from "./CodeSender.ts"
import { recordActivation, recordBegin, type Requester, recordRemoval, replaceRecoveryCodes } from "./FactorChange.ts"
import { FactorActive, invalidCode, MessengerNotConfigured, NoSecondFactor, TooManyCodes } from "./Errors.ts"
import { announceChat } from "./MessengerChat.ts"
import * as MessengerStore from "./MessengerStore.ts"
import * as OneTimeCodes from "./OneTimeCodeStore.ts"
import { type ProofInput, RecentProof } from "./RecentProof.ts"
import * as RecoveryCodes from "./RecoveryCodeStore.ts"
import * as TotpStore from "./TotpStore.ts"

export interface EnrolmentOptions {
  /** Present name of this installation, shown in apps and messages. */
  readonly issuer: () => string
  /** Whether a messenger is configured at this moment to send codes. */
  readonly messenger: () => boolean
}

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database | Events | Secrets

const make = Effect.fnUntraced(function* ({ issuer, messenger }: EnrolmentOptions) {
  const proof = yield* RecentProof
  const sender = yield* CodeSender
  const secrets = yield* Secrets
  const standing = yield* Standing
  const ground = yield* Effect.context<Ground>()

  const inCallerScope = <A, E, R>({ caller }: Pick<Requester, "caller">, effect: Effect.Effect<A, E, R>) =>
    inScope(effect).pipe(Effect.provideService(Caller, caller), Effect.provideContext(ground))

  /**
   * Runs `effect` in a transaction, provided that the account has not changed since its owner was verified. Afterwards
   * refreshes Standing, so that ended sessions are refused at once in this process.
   */
  const ifUnchanged = <A, E, R>(input: ProofInput, account: Credentials, effect: Effect.Effect<A, E, R>) =>
    inCallerScope(
      input,
      Effect.gen(function* () {
        if (!(yield* lockUnchanged(account))) return yield* new InvalidCredentials()
        return yield* effect
      })
    ).pipe(Effect.tap(Effect.ignore(standing.refresh)))

  const beginTotp = Effect.fnUntraced(function* (input: ProofInput) {
    const account = yield* proof.verifyOwner(input)
    const secret = Totp.newSecret()
    const envelope = yield* secrets.seal(secret, contextOf(TotpStore.sealedTotp, String(account.id)))
    yield* ifUnchanged(
      input,
      account,
      Effect.gen(function* () {
        if (!(yield* TotpStore.begin(account, envelope)))
          return yield* new FactorActive({ detail: "Remove the authenticator app first." })
        yield* recordBegin(input, "totp")
      })
    )
    const name = issuer()
    const uri = Totp.uri({ secret, issuer: name, account: account.email })
    return { secret, uri, picture: svg(uri, `${name}: ${account.email}`) }
  })

  const confirmTotp = Effect.fnUntraced(function* (requester: Requester, code: string) {
    const { userId } = requester.caller
    const totp = yield* inCallerScope(requester, TotpStore.countConfirmation(userId))
    if (totp === undefined) return yield* invalidCode()
    const secret = yield* secrets.open(totp.envelope, contextOf(TotpStore.sealedTotp, String(userId)))
    const step = Totp.check(code, secret, yield* Clock.currentTimeMillis, undefined)
    if (step === undefined) return yield* invalidCode()
    const newCodes = yield* Effect.provideContext(RecoveryCodes.createCodes, ground)
    const codes = yield* inCallerScope(
      requester,
      Effect.gen(function* () {
        yield* lockFactors(userId)
        if (!(yield* TotpStore.confirm(userId, totp.envelope, step))) return yield* invalidCode()
        return yield* recordActivation(requester, "totp", newCodes)
      })
    )
    yield* Effect.ignore(standing.refresh)
    return codes
  })

  const beginMessenger = Effect.fnUntraced(function* (input: ProofInput, chatId: string) {
    if (!messenger()) return yield* new MessengerNotConfigured({ detail: "Ask the operator to configure a messenger." })
    const account = yield* proof.verifyOwner(input)
    const alreadyActive = new FactorActive({ detail: "Remove the current chat first." })
    if ((yield* inCallerScope(input, MessengerStore.chatOf(account.id))) !== undefined) return yield* alreadyActive
    const wait = yield* sender.send(account, chatId, "bind", (store) =>
      ifUnchanged(
        input,
        account,
        Effect.gen(function* () {
          if (!(yield* MessengerStore.begin(account, chatId))) return yield* alreadyActive
          yield* store
          yield* recordBegin(input, "messenger")
        })
      )
    )
    if (wait === undefined) return
    yield* retryAfter(wait)
    return yield* new TooManyCodes({ detail: `Request the next code in ${wait} s.` })
  })

  const confirmMessenger = Effect.fnUntraced(function* (requester: Requester, code: string) {
    const { userId } = requester.caller
    const keys = yield* sender.keys
    const newCodes = yield* Effect.provideContext(RecoveryCodes.createCodes, ground)
    // A wrong code is a result, not a failure, so that the transaction commits and the attempt stays counted.
    const codes = yield* inCallerScope(
      requester,
      Effect.gen(function* () {
        yield* lockFactors(userId)
        if (!(yield* OneTimeCodes.redeem(userId, "bind", code, keys)) || !(yield* MessengerStore.confirm(userId)))
          return undefined
        return yield* Effect.tap(recordActivation(requester, "messenger", newCodes), announceChat(userId))
      })
    )
    yield* Effect.ignore(standing.refresh)
    return codes ?? (yield* invalidCode())
  })

  const remove = Effect.fnUntraced(function* (input: ProofInput, factor: Factor) {
    const account = yield* proof.verifyOwner(input)
    yield* ifUnchanged(
      input,
      account,
      Effect.gen(function* () {
        const removed = yield* (factor === "totp" ? TotpStore : MessengerStore).remove(account.id)
        if (removed === undefined) return yield* new NotFound({ detail: "This second factor is not set up." })
        if (factor === "messenger") yield* OneTimeCodes.deleteCodes(account.id)
        yield* recordRemoval(input, factor, removed.confirmed)
        if (factor === "messenger" && removed.confirmed) yield* announceChat(account.id)
      })
    )
  })

  const renewCodes = Effect.fnUntraced(function* (input: ProofInput) {
    const account = yield* proof.verifyOwner(input)
    const newCodes = yield* Effect.provideContext(RecoveryCodes.createCodes, ground)
    return yield* ifUnchanged(
      input,
      account,
      Effect.gen(function* () {
        if ((yield* activeFactors(account.id)).length === 0)
          return yield* new NoSecondFactor({ detail: "Set up a second factor first." })
        return yield* replaceRecoveryCodes(input, newCodes)
      })
    )
  })

  const list = ({ caller }: Pick<Requester, "caller">) =>
    inCallerScope(
      { caller },
      Effect.all({
        active: activeFactors(caller.userId),
        chatId: MessengerStore.chatOf(caller.userId),
        codes: RecoveryCodes.counts(caller.userId)
      })
    )

  return { messenger, list, beginTotp, confirmTotp, beginMessenger, confirmMessenger, remove, renewCodes }
})

export class Enrolment extends Context.Service<Enrolment, Effect.Success<ReturnType<typeof make>>>()(
  "signalbox/identity/Enrolment"
) {}

export const layer = (options: EnrolmentOptions) => Layer.effect(Enrolment, make(options))

/** Converts recovery codes and the set-up data of an authenticator app to plain text. */
export const plainEnrolment = ({
  picture,
  secret,
  uri
}: {
  readonly secret: Redacted.Redacted
  readonly uri: Redacted.Redacted
  readonly picture: Redacted.Redacted
}) => ({ secret: Redacted.value(secret), uri: Redacted.value(uri), qr_svg: Redacted.value(picture) })
