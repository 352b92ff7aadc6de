/**
 * Dovecot's authentication policy server, on the fast lane: each wrong password is counted against the client's
 * address. It refuses nobody by itself: `allow` is answered 0, whoever bans an address hears of it by an event. While
 * our database is away nothing is counted: then sign-ins fail that would be right, and Dovecot 2.3 cannot tell them
 * from wrong ones.
 */
import { Effect, Layer, Metric, Result } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { Standing } from "#core/auth/Standing.ts"
import { readBody } from "#core/lane/Body.ts"
import { Lane } from "#core/lane/Lane.ts"
import * as LaneCaller from "#core/lane/LaneCaller.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { sendInvalid, sendProblem } from "#core/http/NodeProblem.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"
import { encode } from "#protocols/dovecot-auth-policy/AuthPolicyAnswer.ts"
import type { AuthPolicyError } from "#protocols/dovecot-auth-policy/AuthPolicyError.ts"
import { type AuthPolicyRequest, decode, maxBodyBytes } from "#protocols/dovecot-auth-policy/AuthPolicyRequest.ts"
import { mailBruteForce } from "./BanRules.ts"
import { Bans } from "./Bans.ts"

/** The path and method, for the lane. */
export const authPolicyLane = "POST /api/v1/mail/auth-policy"

/** What a service token for it is limited to. */
export const policyScope = "mail-policy"

const refused = Metric.counter("mail_policy_refused_total", {
  description: "Reports of sign-ins refused for their credentials"
})

/**
 * Whether a report tells of a guess: the sign-in failed, not by our own refusal, for a wrong name or password. Tokens
 * are not guessed; a client shows one that has expired again and again. Nor is it a guess when the password was right
 * and the account closed, or when something broke, as far as Dovecot says so (from 2.4).
 */
export const isGuess = (request: AuthPolicyRequest): boolean =>
  request.command === "report" &&
  !request.success &&
  !request.policyReject &&
  (request.failType === undefined || request.failType === "credentials" || request.failType === "account") &&
  !tokenMechanisms.has(request.mechanism?.toLowerCase() ?? "")

const tokenMechanisms = new Set(["oauthbearer", "xoauth2"])

/** Registers the lane. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const tokens = yield* ServiceTokens
    const standing = yield* Standing
    const bans = yield* Bans
    const refusals = yield* RefusalLog.make(refused, "kind")

    const caller = LaneCaller.make({ scope: policyScope, tokens, standing })

    const hear = (request: IncomingMessage, response: ServerResponse, command: string | null) => {
      const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase()
      if (type !== undefined && type !== "application/json") return sendProblem(response, 415, "Send application/json.")
      readBody(request, maxBodyBytes, (body, isWhole) => {
        if (!isWhole) return sendProblem(response, 413, `At most ${maxBodyBytes} bytes.`)
        const read = decode(command, body)
        if (Result.isFailure(read)) return refuse(response, read.failure)
        if (isGuess(read.success)) bans.offend(mailBruteForce, read.success.remote, read.success.login)
        allow(response)
      })
    }

    const nobody = (request: IncomingMessage, response: ServerResponse) => {
      Effect.runFork(
        refusals.tell({
          kind: "mail_policy_caller",
          address: clientAddress(request),
          entity: "service_token",
          id: "forged"
        })
      )
      sendProblem(
        response,
        401,
        `Show a service token of scope ${policyScope} as x-service-token or as the password of Basic credentials.`,
        { "www-authenticate": 'Basic realm="signalbox"' }
      )
    }

    /** For those whom the picture in memory does not know: it may be a moment old. */
    const afterComparing = async (
      request: IncomingMessage,
      response: ServerResponse,
      command: string | null,
      hash: string
    ) => {
      const admission = await caller.mayAskSoon(hash)
      if (admission === "yes") return hear(request, response, command)
      if (admission === "no") return nobody(request, response)
      sendProblem(response, 503, "Ask again.", { "retry-after": "1" })
    }

    yield* Lane.handle(authPolicyLane, (request, response) => {
      const hash = caller.tokenOf(request)
      if (hash === undefined) return nobody(request, response)
      const command = new URLSearchParams(request.url!.split("?").slice(1).join("?")).get("command")
      // A question is answered alike whatever became of its token, so it waits for no database: a sign-in waits for it.
      if ((command === "allow" || standing.fresh()) && caller.mayAsk(hash)) return hear(request, response, command)
      return afterComparing(request, response, command, hash)
    })
  })
)

const allowed = Result.getOrThrow(encode({ _tag: "Allow" }))

const allow = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(allowed) })
  response.end(allowed)
}

/** What Dovecot would not have sent. */
const refuse = (response: ServerResponse, error: AuthPolicyError): void => {
  if (error.reason === "NotJson") return sendProblem(response, 400, "The body is not valid JSON.")
  sendInvalid(response, [{ field: error.reason === "Command" ? "query.command" : "payload", message: error.message }])
}
