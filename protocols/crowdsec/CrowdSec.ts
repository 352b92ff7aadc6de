/**
 * Client of CrowdSec's local API: decisions by the key of a bouncer, alerts and deletions by the token of a machine,
 * which it gets and renews itself. Each call sends one request, and another one when the token has expired. Keeps only
 * the token. Source: localapi_swagger.yaml; tested with 1.4.6.
 *
 * npm has no client of this API with 500 downloads a month (November 2026).
 */
import { Clock, Duration, Effect, Redacted, Result, Semaphore } from "effect"
import type { Exchange, HttpRequest } from "../http/Exchange.ts"
import { type Alert, type Decision, type Login, type Read, readAlerts, readAnswer } from "./Answer.ts"
import { readDecisions, readDeleted, readLogin } from "./Answer.ts"
import { CrowdSecError, type CrowdSecReason } from "./CrowdSecError.ts"
import { goSeconds } from "./GoDuration.ts"

/** Timeout of a request. Reason: a list of 50,000 decisions takes 3 s on a small machine. */
export const defaultTimeout = Duration.seconds(20)

/** Largest answer. Unit: bytes. Reason: about 80,000 decisions of 200 bytes; more would block the process to decode. */
export const maxAnswer = 16 * 1024 * 1024

/** Time before its end at which a token is renewed. Unit: milliseconds. Reason: tokens live for an hour. */
const renewBefore = 60_000

export interface CrowdSecOptions {
  /** Without `/v1`; a slash at the end is allowed. */
  readonly url: string
  /** Key of a bouncer (`cscli bouncers add`); undefined: decisions cannot be read. */
  readonly bouncerKey: Redacted.Redacted | undefined
  /** Name and password of a machine (`cscli machines add`); undefined: no alerts, no deletions. */
  readonly machine: { readonly id: string; readonly password: Redacted.Redacted } | undefined
  readonly exchange: Exchange
  readonly timeout?: Duration.Duration
}

export interface CrowdSec {
  /** Decisions in force whose origin is one of these. */
  readonly decisions: (origins: ReadonlyArray<string>) => Effect.Effect<Read<Decision>, CrowdSecError>
  /** Alerts of the last `age` milliseconds, newest first, at most `limit`. Without those of the central API. */
  readonly alerts: (age: number, limit: number) => Effect.Effect<Read<Alert>, CrowdSecError>
  /** Ends one decision. */
  readonly lift: (id: number) => Effect.Effect<void, CrowdSecError>
}

type Credentials = "bouncer key" | "machine password"

export const make = ({ bouncerKey, exchange, machine, timeout = defaultTimeout, url }: CrowdSecOptions): CrowdSec => {
  const base = `${url.replace(/\/+$/, "")}/v1`
  const secrets = [bouncerKey, machine?.password].flatMap((one) => (one === undefined ? [] : [Redacted.value(one)]))
  let login: Login | undefined
  // One sign-in at a time.
  const signingIn = Semaphore.makeUnsafe(1)

  const send = Effect.fnUntraced(function* <A>(
    operation: string,
    request: Pick<HttpRequest, "method" | "body"> & {
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly credentials: Credentials
    },
    read: (json: unknown) => A | undefined
  ) {
    const fail = (reason: CrowdSecReason) => new CrowdSecError({ operation, reason })
    const { body, credentials, headers, method, path } = request
    const answer = yield* exchange({
      method,
      url: `${base}${path}`,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body }),
      timeout,
      maxAnswer
    }).pipe(
      Effect.mapError(({ detail, sent }) => fail(sent ? { _tag: "NoAnswer", detail } : { _tag: "NotReached", detail }))
    )
    return yield* Effect.fromResult(Result.mapError(readAnswer(answer, read, credentials, secrets), fail))
  })

  const signIn = (operation: string) =>
    machine === undefined
      ? Effect.fail(
          new CrowdSecError({ operation, reason: { _tag: "NoCredentials", credentials: "machine password" } })
        )
      : send(
          operation,
          {
            method: "POST",
            path: "/watchers/login",
            headers: {},
            body: JSON.stringify({ machine_id: machine.id, password: Redacted.value(machine.password), scenarios: [] }),
            credentials: "machine password"
          },
          readLogin
        )

  /** A valid token. `refused`: a token that the server did not accept. */
  const token = (operation: string, refused: string | undefined) =>
    signingIn.withPermit(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (login !== undefined && login.token !== refused && login.expiresAt - renewBefore > now) return login.token
        login = undefined
        login = yield* signIn(operation)
        return login.token
      })
    )

  const asMachine = <A>(
    operation: string,
    method: "GET" | "DELETE",
    path: string,
    read: (json: unknown) => A | undefined
  ): Effect.Effect<A, CrowdSecError> => {
    const attempt = (bearer: string) =>
      send(
        operation,
        { method, path, headers: { authorization: `Bearer ${bearer}` }, credentials: "machine password" },
        read
      )
    return Effect.flatMap(token(operation, undefined), (first) =>
      Effect.catchTag(attempt(first), "CrowdSecError", (error) =>
        // The server was restarted with other keys, or the machine was added again.
        error.reason._tag === "Unauthorized" ? Effect.flatMap(token(operation, first), attempt) : Effect.fail(error)
      )
    )
  }

  const query = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()

  return {
    decisions: (origins) => {
      const operation = "read decisions"
      if (bouncerKey === undefined)
        return Effect.fail(
          new CrowdSecError({ operation, reason: { _tag: "NoCredentials", credentials: "bouncer key" } })
        )
      return send(
        operation,
        {
          method: "GET",
          path: `/decisions?${query({ origins: origins.join(",") })}`,
          headers: { "x-api-key": Redacted.value(bouncerKey) },
          credentials: "bouncer key"
        },
        readDecisions
      )
    },
    alerts: (age, limit) =>
      asMachine(
        "read alerts",
        "GET",
        `/alerts?${query({ since: goSeconds(age), limit: String(limit), include_capi: "false" })}`,
        readAlerts
      ),
    lift: (id) => Effect.asVoid(asMachine("lift a ban", "DELETE", `/decisions/${id}`, readDeleted))
  }
}
