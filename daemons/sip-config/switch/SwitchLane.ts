/**
 * Endpoint `POST /switch/xml` for the telephone switch, on the fast lane. A slow response delays all registrations
 * (capture A14), so a request waits for Postgres at most once. Authenticated requests always get HTTP 200; after any
 * other status the switch would use its own files.
 */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { Standing } from "#core/auth/Standing.ts"
import { BanKeeper } from "#core/gateway/BanKeeper.ts"
import type { Database } from "#core/sql/Database.ts"
import { readBody } from "#core/lane/Body.ts"
import type { FastHandler } from "#core/lane/FastLane.ts"
import type { Admission } from "#core/lane/LaneCaller.ts"
import { send } from "#core/lane/PreparedAnswer.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { sendProblem } from "#core/http/NodeProblem.ts"
import * as RefusalLog from "#core/log/RefusalLog.ts"
import { Secrets } from "#core/config/Secrets.ts"
import { type Known, type Plan, TelephonyProjection } from "../routing/Exports.ts"
import type { SwitchPorts } from "./Configuration.ts"
import { make as makeAnswers, notFound } from "./SwitchAnswer.ts"
import { maxBody } from "./SwitchBody.ts"
import { make as makeCaller, switchScope } from "./SwitchCaller.ts"
import { make as makeUnsealed } from "./Unsealed.ts"

/** Method and path on the lane. */
export const switchLane = "POST /switch/xml"

export class SwitchLane extends Context.Service<SwitchLane, { readonly handle: FastHandler }>()(
  "signalbox/sip-config/SwitchLane"
) {}

export interface SwitchOptions {
  readonly plan: Plan
  readonly ports: SwitchPorts
  /** Allowed addresses of the switch (CIDR). */
  readonly ranges: ReadonlyArray<string>
}

export const layer = (
  options: SwitchOptions
): Layer.Layer<
  SwitchLane,
  never,
  | BanKeeper
  | TelephonyProjection
  | ServiceTokens
  | Standing
  | Secrets
  | SqlClient.SqlClient
  | PgClient.PgClient
  | Database
> =>
  Layer.effect(
    SwitchLane,
    Effect.gen(function* () {
      const projection = yield* TelephonyProjection
      const refusals = yield* RefusalLog.make("sip-config")
      const { banned } = yield* BanKeeper
      const runFork = Effect.runForkWith(yield* Effect.context())
      const caller = makeCaller(options.ranges, yield* ServiceTokens, yield* Standing)
      const answers = makeAnswers({
        telephony: projection.telephony,
        unsealed: makeUnsealed(yield* Secrets, (text) => runFork(Effect.logError(text))),
        plan: options.plan,
        ports: options.ports,
        banned: (address) => banned(address, Date.now())
      })

      const broke = (response: ServerResponse, error: unknown): void => {
        runFork(Effect.logError("a lookup of the switch failed", error))
        if (!response.headersSent) send(response, notFound)
      }

      const tell = (bytes: Buffer, whole: boolean, response: ServerResponse, known: Known) => {
        // An error thrown here would reach no caller.
        try {
          // Fresh data is known data, so its age is not needed. Reading the clock costs as much as finding the
          // response.
          send(response, answers.to(bytes, whole, known === "fresh" ? "known" : projection.freshness()))
        } catch (error) {
          broke(response, error)
        }
      }

      const serve = (request: IncomingMessage, response: ServerResponse) =>
        readBody(request, maxBody, (bytes, whole) => {
          const known = projection.last.now()
          if (known !== undefined) return tell(bytes, whole, response, known)
          projection.last.soon().then(
            (later) => tell(bytes, whole, response, later),
            (error: unknown) => broke(response, error)
          )
        })

      const judged = (admission: Admission, request: IncomingMessage, response: ServerResponse) => {
        if (admission === "yes") return serve(request, response)
        if (admission === "unknown")
          return sendProblem(response, 503, "The service token cannot be checked right now. Try again.", {
            "retry-after": "1"
          })
        runFork(
          refusals.tell({
            kind: "switch_caller",
            address: clientAddress(request),
            entity: "service_token",
            id: "forged"
          })
        )
        sendProblem(
          response,
          403,
          `Send a service token of scope ${switchScope} as x-service-token or as the password of Basic credentials, ` +
            "from an allowed address."
        )
      }

      return SwitchLane.of({
        handle: (request, response) => {
          const admission = caller.judge(request)
          if (typeof admission === "string") return judged(admission, request, response)
          return admission.then((later) => judged(later, request, response))
        }
      })
    })
  )
