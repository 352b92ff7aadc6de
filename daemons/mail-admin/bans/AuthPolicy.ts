/**
 * Authentication policy server of Dovecot, on the fast lane. Counts each wrong password against the client's address.
 * It refuses no sign-in itself: `allow` is always answered 0, and a ban is published as an event. While our database is
 * away, nothing is counted: correct sign-ins fail too then, and Dovecot 2.3 does not distinguish them from wrong ones.
 */
import { Effect, Layer, Result } from "effect"
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

/** Method and path of the fast-lane handler. */
export const authPolicyLane = "POST /api/v1/mail/auth-policy"

/** Scope of a service token for this endpoint. */
export const policyScope = "mail-policy"

/**
 * Whether a report indicates a guessed password: the sign-in failed for a wrong name or password, and not because the
 * policy rejected it. Tokens do not count, because a client repeats an expired token again and again. A closed account
 * with a correct password and an internal failure do not count either, if Dovecot reports them (from 2.4).
 */
export const isGuess = (request: AuthPolicyRequest): boolean =>
  request.command === "report" &&
  !request.success &&
  !request.policyReject &&
  (request.failType === undefined || request.failType === "credentials" || request.failType === "account") &&
  !tokenMechanisms.has(request.mechanism?.toLowerCase() ?? "")

const tokenMechanisms = new Set(["oauthbearer", "xoauth2"])

/** Registers the fast-lane handler. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const tokens = yield* ServiceTokens
    const standing = yield* Standing
    const bans = yield* Bans
    const refusals = yield* RefusalLog.make("mail-admin")

    const runFork = Effect.runForkWith(yield* Effect.context())
    const caller = LaneCaller.make({ scope: policyScope, tokens, standing })

    const hear = (request: IncomingMessage, response: ServerResponse, command: string | null) => {
      const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase()
      if (type !== undefined && type !== "application/json") return sendProblem(response, 415, "Send application/json.")
      readBody(request, maxBodyBytes, (body, isWhole) => {
        if (!isWhole) return sendProblem(response, 413, `The body may have at most ${maxBodyBytes} bytes.`)
        const read = decode(command, body)
        if (Result.isFailure(read)) return refuse(response, read.failure)
        if (isGuess(read.success)) bans.offend(mailBruteForce, read.success.remote, read.success.login)
        allow(response)
      })
    }

    const nobody = (request: IncomingMessage, response: ServerResponse) => {
      runFork(
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
        `Send a service token of scope ${policyScope} as x-service-token or as the password of HTTP Basic.`,
        { "www-authenticate": 'Basic realm="signalbox"' }
      )
    }

    /** For tokens that are not in the projection, which may be slightly old. */
    const afterComparing = async (
      request: IncomingMessage,
      response: ServerResponse,
      command: string | null,
      hash: string
    ) => {
      const admission = await caller.mayAskSoon(hash)
      if (admission === "yes") return hear(request, response, command)
      if (admission === "no") return nobody(request, response)
      sendProblem(response, 503, "The service token cannot be checked right now. Try again.", { "retry-after": "1" })
    }

    yield* Lane.handle(authPolicyLane, (request, response) => {
      const hash = caller.tokenOf(request)
      if (hash === undefined) return nobody(request, response)
      const command = new URLSearchParams(request.url!.split("?").slice(1).join("?")).get("command")
      // The answer to `allow` does not depend on fresh token data, so it never waits for the database; a sign-in waits
      // for this answer.
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

/** Response to a request that Dovecot would not send. */
const refuse = (response: ServerResponse, error: AuthPolicyError): void => {
  if (error.reason === "NotJson") return sendProblem(response, 400, "The body is not valid JSON.")
  sendInvalid(response, [{ field: error.reason === "Command" ? "query.command" : "payload", message: error.message }])
}
