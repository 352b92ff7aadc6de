import { Effect, Redacted } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller } from "#core/auth/Caller.ts"
import { noStore } from "#core/http/AnswerHeaders.ts"
import { client } from "#core/http/Client.ts"
import { Forbidden, orUnavailable, Unavailable } from "#core/http/Problem.ts"
import type { SecretError } from "#core/config/Secrets.ts"
import { FactorsApi } from "./Api.ts"
import { Enrolment, plainEnrolment } from "./Enrolment.ts"
import type { ProofInput } from "./RecentProof.ts"
import { AccessRefusals } from "../sessions/Exports.ts"

/** The caller and client of the request. Service tokens are refused before (UsersOnly). */
const requester = Effect.gen(function* () {
  const caller = yield* Caller
  if (caller.kind !== "user") return yield* new Forbidden({ detail: "Only signed-in users may manage second factors." })
  return { caller, client: yield* client }
})

const proofInput = (payload: { readonly password?: string } | null) =>
  Effect.map(requester, (requester): ProofInput => ({
    ...requester,
    password: payload?.password === undefined ? undefined : Redacted.make(payload.password)
  }))

/** Answers 503 when a secret cannot be sealed or opened, and logs the cause for the operator. The caller may retry. */
const orFactorsUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SecretError, R>) =>
  orUnavailable(
    Effect.catchTag(effect as Effect.Effect<A, SecretError, R>, "SecretError", (error) =>
      Effect.andThen(
        Effect.logError(`the secret of a second factor cannot be sealed or opened: ${error.message}`),
        Effect.fail(new Unavailable({ detail: "Second factors are not available; try again later." }))
      )
    ) as Effect.Effect<A, Exclude<E, SecretError> | Unavailable, R>
  )

const codes = (recovery_codes: ReadonlyArray<string>) => ({ recovery_codes })

export const factors = Handlers.group(
  FactorsApi,
  "factors",
  Effect.fn(function* (handlers) {
    const enrolment = yield* Enrolment
    const refusals = yield* AccessRefusals

    /** Records a wrong confirmation code of a signed-in user. */
    const wrongCode =
      ({ caller, client }: Effect.Success<typeof requester>) =>
      () =>
        refusals.tell({
          kind: "confirmation_code",
          address: client.address,
          tenantId: caller.tenantId,
          entity: "user",
          id: String(caller.userId)
        })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { active, chatId, codes } = yield* orFactorsUnavailable(enrolment.list(yield* requester))
        return {
          factors: active.map(({ factor, since }) => ({
            type: factor,
            since: since.toISOString(),
            ...(factor === "messenger" && chatId !== undefined ? { chat_id: chatId } : {})
          })),
          recovery_codes_left: codes.left,
          available: enrolment.messenger() ? (["totp", "messenger"] as const) : (["totp"] as const)
        }
      }),
      beginTotp: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        return plainEnrolment(yield* orFactorsUnavailable(enrolment.beginTotp(yield* proofInput(payload))))
      }),
      confirmTotp: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        const by = yield* requester
        return codes(
          yield* Effect.tapErrorTag(
            orFactorsUnavailable(enrolment.confirmTotp(by, payload.code)),
            "InvalidCode",
            wrongCode(by)
          )
        )
      }),
      removeTotp: Effect.fnUntraced(function* ({ payload }) {
        yield* orFactorsUnavailable(enrolment.remove(yield* proofInput(payload), "totp"))
      }),
      beginMessenger: Effect.fnUntraced(function* ({ payload }) {
        yield* orFactorsUnavailable(enrolment.beginMessenger(yield* proofInput(payload), payload.chat_id))
      }),
      confirmMessenger: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        const by = yield* requester
        return codes(
          yield* Effect.tapErrorTag(
            orFactorsUnavailable(enrolment.confirmMessenger(by, payload.code)),
            "InvalidCode",
            wrongCode(by)
          )
        )
      }),
      removeMessenger: Effect.fnUntraced(function* ({ payload }) {
        yield* orFactorsUnavailable(enrolment.remove(yield* proofInput(payload), "messenger"))
      }),
      renewCodes: Effect.fnUntraced(function* ({ payload }) {
        yield* noStore
        return codes(yield* orFactorsUnavailable(enrolment.renewCodes(yield* proofInput(payload))))
      })
    })
  })
)
