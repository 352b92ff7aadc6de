/**
 * Client of Dovecot's administration over HTTP, for the one command we give: cut somebody's sessions. The server is the
 * operator's own, so its address is not checked against private ranges. Redirects are not followed: they would carry
 * the key away. Keeps no state. Sources: doc.dovecot.org (2.3 admin_manual/doveadm_http_api, 2.4
 * core/admin/doveadm/http-api); tried with 2.3.19 and 2.4.
 */
import { Duration, Effect, Redacted, Result, Schema } from "effect"
import { DoveadmError, type DoveadmReason } from "./DoveadmError.ts"

/** For connection and answer. Reason: Dovecot asks its own processes and answers at once. */
export const timeout = Duration.seconds(10)

/** Largest answer. Unit: bytes. Reason: an answer to kick has 60. */
export const maxAnswerBytes = 64 * 1024

/** The exit code for nobody of that name being signed in. Source: sysexits(3), EX_NOHOST; doveadm-kick.c. */
const nobodyThere = 68

export interface DoveadmServer {
  /** Without a slash at its end: `http://127.0.0.1:8089`. */
  readonly url: string
  /** `doveadm_api_key`. */
  readonly key: Redacted.Redacted
}

/** Cuts all sessions of this user name; nobody being signed in is as good. */
export const kick = (server: DoveadmServer, user: string): Effect.Effect<void, DoveadmError> =>
  Effect.tryPromise({ try: (signal) => exchange(server, user, signal), catch: reasonOf }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail<DoveadmReason>({ _tag: "TimedOut", milliseconds: Duration.toMillis(timeout) })
    }),
    Effect.mapError((reason) => new DoveadmError({ reason })),
    Effect.withSpan("Doveadm.kick", { kind: "client" })
  )

/** What went wrong, as `exchange` throws it. */
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
    // What is not read would hold the socket.
    await response.body?.cancel().catch(() => {})
    throw error
  }
}

const tag = "kick"

/** `*` and `?` stand for anything in a mask, and there is no way to say them: nobody's name has them. */
const literal = (user: string): string => {
  if (/[*?]/.test(user)) throw new Refusal({ _tag: "BadAnswer" })
  return user
}

const Answer = Schema.fromJsonString(Schema.Tuple([Schema.Tuple([Schema.String, Schema.Unknown, Schema.String])]))
const Failure = Schema.Struct({ type: Schema.String, exitCode: Schema.optionalKey(Schema.Int) })
const decodeAnswer = Schema.decodeUnknownResult(Answer)
const decodeFailure = Schema.decodeUnknownResult(Failure)

/** What the answer says went wrong, or undefined. Pure. */
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

/** Of what `fetch` throws only the kind of its cause is kept. */
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
