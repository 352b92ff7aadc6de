/**
 * Token introspection on the fast lane; the mail server calls it at each sign-in with a token. Answers from projections
 * that are at most one second old (Standing, MailAccountsProjection). When Postgres cannot confirm them the answer is
 * 503. It never accepts an unchecked token and never rejects a valid one.
 */
import { Context, Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { Standing } from "#core/auth/Standing.ts"
import type { MailClaims } from "#core/auth/TokenClaims.ts"
import { isForged, isRefusal, make as makeVerifier, type Refusal } from "#core/auth/TokenVerifier.ts"
import type { FastHandler } from "#core/lane/FastLane.ts"
import { type Form, loneField, parseForm, readFormText } from "#core/http/FormBody.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import * as LaneCaller from "#core/lane/LaneCaller.ts"
import { type PreparedAnswer as Answer, send } from "#core/lane/PreparedAnswer.ts"
import { AccessRefusals } from "../sessions/Exports.ts"
import {
  active,
  invalidClient,
  invalidForm,
  inactive,
  missingToken,
  isOpen,
  unavailable
} from "./IntrospectionAnswer.ts"
import { MailAccountsProjection } from "./MailAccountsProjection.ts"

/**
 * A projection older than this is compared with Postgres before an account is reported as closed. Unit: milliseconds.
 * Reason: the account may just have been opened.
 */
const maxAgeForClosed = 20

export class Introspection extends Context.Service<Introspection, { readonly handle: FastHandler }>()(
  "signalbox/identity/Introspection"
) {}

/** A verified token: its claims, and the answer while its account is open. */
interface Verified {
  readonly claims: MailClaims
  readonly answer: Answer
}

/** `ranges`: networks that may call it (CIDR). */
export const layer = (ranges: ReadonlyArray<string>) =>
  Layer.effect(
    Introspection,
    Effect.gen(function* () {
      const standing = yield* Standing
      const tokens = yield* ServiceTokens
      const accounts = yield* MailAccountsProjection
      const refusals = yield* AccessRefusals
      const runFork = Effect.runForkWith(yield* Effect.context())
      const verifier = makeVerifier("mail_access", standing, (claims) => ({ claims, answer: active(claims) }))

      const caller = LaneCaller.make({ scope: "introspection", ranges, tokens, standing })

      const freshNow = () => {
        const both = standing.fresh()
        return accounts.fresh() && both
      }
      const freshSoon = async () =>
        (await Promise.all([standing.ensurePromise(), accounts.ensurePromise()])).every(Boolean)

      const answerFailure = (response: ServerResponse, error: unknown): void => {
        runFork(Effect.logError("an introspection request failed", error))
        if (!response.headersSent) send(response, unavailable)
      }

      const recordRefusedCaller = (request: IncomingMessage) =>
        runFork(refusals.tell({ kind: "introspection_caller", address: clientAddress(request) }))

      const recordRefusedToken = (request: IncomingMessage, refusal: Refusal) => {
        if (!isForged(refusal)) return refusals.count(`mail_token_${refusal}`)
        // The mail server may name the address of its client, who made the attempt.
        const remote = request.headers["x-dovecot-auth-remote"]
        const address = typeof remote === "string" ? remote.slice(0, 64) : clientAddress(request)
        runFork(
          refusals.tell({
            kind: "mail_token",
            address,
            entity: "mail_token",
            id: "forged",
            detail: { reason: refusal }
          })
        )
      }

      /** The answer for the claims of a valid token. */
      const answerClaims = ({ answer, claims }: Verified): Answer | Promise<Answer> => {
        if (isOpen(claims, accounts.get(claims.email))) return answer
        if (accounts.age() < maxAgeForClosed) return inactive
        return accounts
          .refreshPromise()
          .then((compared) =>
            compared ? (isOpen(claims, accounts.get(claims.email)) ? answer : inactive) : unavailable
          )
      }

      const verifyToken = async (token: string, request: IncomingMessage): Promise<Answer> => {
        let outcome = await verifier.verify(token, Date.now())
        if (outcome === "unknown_key") {
          // The key may be newer than the projection. All requests with unknown key ids share one comparison.
          if (!(await standing.refreshPromise())) return unavailable
          outcome = await verifier.verify(token, Date.now())
        }
        if (isRefusal(outcome)) {
          recordRefusedToken(request, outcome)
          return inactive
        }
        return answerClaims(outcome)
      }

      const answerToken = (token: string, request: IncomingMessage): Answer | Promise<Answer> => {
        const cached = verifier.known(token, Date.now())
        if (cached === false) {
          refusals.count("mail_token_over")
          return inactive
        }
        return cached === undefined ? verifyToken(token, request) : answerClaims(cached)
      }

      const answerTo = (request: IncomingMessage, text: string): Answer | Promise<Answer> => {
        const lone = loneField(text, "token=")
        let form: Form = noForm
        if (lone === undefined) {
          const parsed = parseForm(text)
          if (parsed._tag === "Failure") return invalidForm(parsed.failure.status, parsed.failure.detail)
          form = parsed.success
        }
        const service = caller.tokenBeside(request, form.get("client_secret"))
        if (service === undefined) {
          recordRefusedCaller(request)
          return invalidClient
        }
        const token = lone ?? form.get("token")
        if (freshNow() && caller.mayAsk(service)) return token ? answerToken(token, request) : missingToken
        return afterComparing(request, service, token)
      }

      /** The answer when the projections must be compared first, or the caller is not cached. */
      const afterComparing = async (
        request: IncomingMessage,
        service: string,
        token: string | undefined
      ): Promise<Answer> => {
        if (!(await freshSoon())) return unavailable
        const admission = await caller.mayAskSoon(service)
        if (admission === "unknown") return unavailable
        if (admission === "no") {
          recordRefusedCaller(request)
          return invalidClient
        }
        return token ? answerToken(token, request) : missingToken
      }

      return Introspection.of({
        handle: (request, response) => {
          if (!caller.isNear(request)) {
            recordRefusedCaller(request)
            return send(response, invalidClient)
          }
          readFormText(request, (text, refusal) => {
            if (text === undefined) return send(response, invalidForm(refusal!.status, refusal!.detail))
            // Nothing above this callback would catch an exception.
            try {
              const answer = answerTo(request, text)
              if (answer instanceof Promise)
                answer.then((later) => send(response, later)).catch((error) => answerFailure(response, error))
              else send(response, answer)
            } catch (error) {
              answerFailure(response, error)
            }
          })
        }
      })
    })
  )

const noForm: Form = new Map()
