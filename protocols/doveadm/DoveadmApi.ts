/**
 * Client of Dovecot's HTTP administration API with a single command: end the sessions of a user. The operator runs the
 * server, so its address is not checked against private ranges. Redirects are not followed because they would send the
 * API key to another server. Keeps no state. Sources: doc.dovecot.org (2.3 admin_manual/doveadm_http_api, 2.4
 * core/admin/doveadm/http-api); tested with 2.3.19 and 2.4.
 *
 * npm has no package for this API with 500 downloads a month (November 2026). This folder has 140 lines.
 */
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import { DoveadmError, type DoveadmReason } from "./DoveadmError.ts"

/** Limit for connection and answer. Reason: Dovecot asks only its own processes and answers at once. */
export const timeout = Duration.seconds(10)

/** Largest answer, counted in UTF-16 units. Reason: the answer to kick has 60 bytes. */
export const maxAnswerBytes = 64 * 1024

/** Exit code when no session of the user is open. Source: sysexits(3), EX_NOHOST; doveadm-kick.c. */
const nobodyThere = 68

export interface DoveadmServer {
  /** Without a slash at the end: `http://127.0.0.1:8089`. */
  readonly url: string
  /** The API key: Dovecot's setting `doveadm_api_key`. */
  readonly key: Redacted.Redacted
}

/** Ends all sessions of the user. A user without a session counts as success. */
export const kick = (server: DoveadmServer, user: string): Effect.Effect<void, DoveadmError> =>
  Effect.tryPromise({ try: (signal) => exchange(server, user, signal), catch: reasonOf }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail<DoveadmReason>({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) })
    }),
    Effect.mapError((reason) => new DoveadmError({ reason })),
    Effect.withSpan("Doveadm.kick", { kind: "client" })
  )

/** Wraps a reason so that `exchange` can throw it. */
class Refusal {
  readonly reason: DoveadmReason
  constructor(reason: DoveadmReason) {
    this.reason = reason
  }
}

const exchange = async ({ key, url }: DoveadmServer, user: string, signal: AbortSignal): Promise<void> => {
  const response = await fetch(`${url}/doveadm/v1`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `X-Dovecot-API ${Buffer.from(Redacted.value(key)).toString("base64")}`
    },
    body: JSON.stringify([["kick", { mask: [literal(user)] }, tag]]),
    redirect: "manual",
    signal
  })
  try {
    if (response.status !== 200) throw new Refusal({ _tag: "Refused", status: response.status })
    let text = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > maxAnswerBytes) throw new Refusal({ _tag: "BadAnswer" })
    }
    const failure = read(text)
    if (failure !== undefined) throw new Refusal(failure)
  } catch (error) {
    // An unread body would keep the socket open.
    await response.body?.cancel().catch(() => {})
    throw error
  }
}

const tag = "kick"

/**
 * The user name as a mask. `*` and `?` are wildcards in a mask and cannot be escaped, so names with them are refused.
 */
const literal = (user: string): string => {
  if (/[*?]/.test(user)) throw new Refusal({ _tag: "BadAnswer" })
  return user
}

const Answer = Schema.fromJsonString(Schema.Tuple([Schema.Tuple([Schema.String, Schema.Unknown, Schema.String])]))
const Failure = Schema.Struct({ type: Schema.String, exitCode: Schema.optionalKey(Schema.Int) })
const decodeAnswer = Schema.decodeUnknownResult(Answer)
const decodeFailure = Schema.decodeUnknownResult(Failure)

/** The failure that an answer reports; undefined for success. Pure. */
export const read = (text: string): DoveadmReason | undefined => {
  const answer = decodeAnswer(text)
  if (Result.isFailure(answer)) return { _tag: "BadAnswer" }
  const [[kind, value, of]] = answer.success
  if (of !== tag) return { _tag: "BadAnswer" }
  if (kind === "doveadmResponse") return undefined
  const failure = decodeFailure(value)
  if (kind !== "error" || Result.isFailure(failure)) return { _tag: "BadAnswer" }
  return failure.success.exitCode === nobodyThere ? undefined : { _tag: "Command", ...failure.success }
}

/** Keeps only the error code of what `fetch` throws. */
const reasonOf = (error: unknown): DoveadmReason => {
  if (error instanceof Refusal) return error.reason
  const cause = error instanceof Error ? error.cause : undefined
  return {
    _tag: "Unreachable",
    code:
      typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
        ? cause.code
        : "unknown"
  }
}
