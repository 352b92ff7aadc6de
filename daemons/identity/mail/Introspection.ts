/**
 * Token introspection on the fast lane: asked by the mail server at every sign-in with a token. Answered from pictures that
 * are never older than a second (Standing, MailAccounts); when they cannot be compared with Postgres the answer is 503, never
 * a yes that was not checked and never a no to a good token.
 */
import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { Standing } from "#core/auth/Standing.ts"
import type { Claims, MailClaims } from "#core/auth/TokenClaims.ts"
import { isRefusal, make as makeVerifier, type Refusal } from "#core/auth/TokenVerifier.ts"
import type { FastHandler } from "#core/http/FastLane.ts"
import { type Form, readForm } from "#core/http/FormBody.ts"
import { clientAddress, trustedFrom } from "#core/http/Listener.ts"
import { Refusals } from "../Refusals.ts"
import { active, type Answer, badCaller, badForm, inactive, noToken, opens, unavailable } from "./IntrospectionAnswer.ts"
import { presentedSecret } from "./IntrospectionCaller.ts"
import { MailAccounts } from "./MailAccounts.ts"

/** Addresses whose admission is remembered. Unit: addresses. Reason: reading an address costs as much as the rest of the answer. */
const rememberedAddresses = 1000

/** A picture older than this is compared again before an account is called closed. Unit: milliseconds. Reason: it may just have been opened. */
const closedFrom = 20

/** Refusals of tokens that nobody of ours has made: a try to get in. Others are what happens every day. */
const forged: ReadonlySet<Refusal> = new Set<Refusal>(["malformed", "unknown_key", "bad_signature", "wrong_type"])

export class Introspection extends Context.Service<Introspection, {
  readonly handle: FastHandler
}>()("signalbox/identity/Introspection") {}

/** `ranges`: from where it may be asked (CIDR). */
export const layer = (ranges: ReadonlyArray<string>) =>
  Layer.effect(
    Introspection,
    Effect.gen(function*() {
      const standing = yield* Standing
      const tokens = yield* ServiceTokens
      const accounts = yield* MailAccounts
      const refusals = yield* Refusals
      const verifier = makeVerifier("mail_access", standing)
      const inRanges = trustedFrom(ranges)
      const admitted = new LRUCache<string, boolean>({ max: rememberedAddresses })
      const answers = new WeakMap<Claims, Answer>()

      const isAdmitted = (address: string): boolean => {
        let known = admitted.get(address)
        if (known === undefined) admitted.set(address, known = inRanges(address))
        return known
      }

      const mayAsk = (secret: string): boolean => {
        const found = tokens.findNow(secret)
        return found !== undefined && (found.scopes.has("introspection") || found.scopes.has("platform"))
      }

      const freshNow = () => {
        const both = standing.fresh()
        return accounts.fresh() && both
      }
      const freshSoon = async () => (await Promise.all([standing.ensurePromise(), accounts.ensurePromise()])).every(Boolean)

      const tellCaller = (request: IncomingMessage) =>
        Effect.runFork(refusals.tell({ kind: "introspection_caller", address: clientAddress(request) }))

      const tellToken = (request: IncomingMessage, refusal: Refusal) => {
        if (!forged.has(refusal)) return refusals.count(`mail_token_${refusal}`)
        // The mail server may say whom it asks for; that is who tried.
        const remote = request.headers["x-dovecot-auth-remote"]
        const address = typeof remote === "string" ? remote.slice(0, 64) : clientAddress(request)
        Effect.runFork(refusals.tell({ kind: "mail_token", address, entity: "mail_token", id: "forged", detail: { reason: refusal } }))
      }

      /** What is said of claims whose token is good. */
      const judge = (claims: MailClaims): Answer | Promise<Answer> => {
        if (opens(claims, accounts.get(claims.email))) return prepared(claims)
        if (accounts.age() < closedFrom) return inactive
        return accounts.refreshPromise().then((compared) =>
          compared ? opens(claims, accounts.get(claims.email)) ? prepared(claims) : inactive : unavailable)
      }

      const prepared = (claims: MailClaims): Answer => {
        let answer = answers.get(claims)
        if (answer === undefined) answers.set(claims, answer = active(claims))
        return answer
      }

      const verified = async (token: string, request: IncomingMessage): Promise<Answer> => {
        let outcome = await verifier.verify(token, Date.now())
        if (outcome === "unknown_key") {
          // The key may be a moment old. Whoever makes ids up shares one comparison with all others who do.
          if (!await standing.refreshPromise()) return unavailable
          outcome = await verifier.verify(token, Date.now())
        }
        if (isRefusal(outcome)) {
          tellToken(request, outcome)
          return inactive
        }
        return judge(outcome as MailClaims)
      }

      const judged = (token: string, request: IncomingMessage): Answer | Promise<Answer> => {
        const known = verifier.known(token, Date.now())
        if (known === false) {
          refusals.count("mail_token_over")
          return inactive
        }
        return known === undefined ? verified(token, request) : judge(known as MailClaims)
      }

      const answerTo = (request: IncomingMessage, form: Form): Answer | Promise<Answer> => {
        const secret = presentedSecret(request.headers, form)
        if (secret === undefined) {
          tellCaller(request)
          return badCaller
        }
        const token = form.get("token")
        if (freshNow() && mayAsk(secret)) return token ? judged(token, request) : noToken
        return afterComparing(request, secret, token)
      }

      /** The same for those whose pictures have to be compared first, and for callers who are not known yet. */
      const afterComparing = async (request: IncomingMessage, secret: string, token: string | undefined): Promise<Answer> => {
        if (!await freshSoon()) return unavailable
        if (!mayAsk(secret)) {
          if (!await standing.refreshPromise()) return unavailable
          if (!mayAsk(secret)) {
            tellCaller(request)
            return badCaller
          }
        }
        return token ? judged(token, request) : noToken
      }

      return Introspection.of({
        handle: (request, response) => {
          if (!isAdmitted(clientAddress(request))) {
            tellCaller(request)
            return send(response, badCaller)
          }
          return readForm(request).then((read) => {
            if (read._tag === "Failure") return send(response, badForm(read.failure.status, read.failure.detail))
            const answer = answerTo(request, read.success)
            return answer instanceof Promise ? answer.then((later) => send(response, later)) : send(response, answer)
          })
        }
      })
    })
  )

const send = (response: ServerResponse, { body, status }: Answer): void => {
  // Every body is ASCII: its length in characters is its length in bytes.
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": body.length,
    ...(status === 401 ? { "www-authenticate": "Basic realm=\"signalbox\"" } : {}),
    ...(status === 503 ? { "retry-after": "1" } : {})
  })
  response.end(body)
}
