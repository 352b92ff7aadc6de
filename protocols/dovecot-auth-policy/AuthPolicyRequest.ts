/**
 * What Dovecot asks or tells its authentication policy server, decoded from one POST. Pure; serves no HTTP, judges
 * nobody. Sources: doc.dovecot.org (2.3 authentication/auth_policy, 2.4 core/config/auth/policy); auth-policy.c; tried
 * with 2.3.19 and 2.4.
 *
 * Members are those of `auth_policy_request_attributes` as Dovecot sets it by default, `mech`, and those it always
 * adds. Others are passed over. An empty text is the same as none: Dovecot writes one for whatever it does not know.
 */
import { Redacted, Result, Schema } from "effect"
import { AuthPolicyError } from "./AuthPolicyError.ts"

/**
 * Largest body. Unit: bytes. Reason: Dovecot's are 200 bytes and a name; its client lines, names in them, end at 8 KiB.
 */
export const maxBodyBytes = 16 * 1024

/**
 * Longest text of a member. Unit: UTF-16 units. Reason: see `maxBodyBytes`; the name is the only one a client chooses
 * freely.
 */
export const maxTextLength = 8 * 1024

interface Attempt {
  /** The name as the client gave it; none when Dovecot refused its characters. */
  readonly login: string | undefined
  /** The client's address as text, IPv4 or IPv6; none for one that came by a local socket. */
  readonly remote: string | undefined
  /** `imap`, `pop3`, `smtp`, `submission`. */
  readonly protocol: string | undefined
  /** The session in Dovecot's own log. */
  readonly sessionId: string | undefined
  /** What the client says it is, by IMAP ID. */
  readonly deviceId: string | undefined
  /** Some bits of a keyed hash of the password, in hex: the same guess again, or another. */
  readonly passwordHash: Redacted.Redacted<string> | undefined
  /**
   * How the client signed in, `PLAIN`, `XOAUTH2`; only where the setting adds `mech=%{mech}` (2.3) or `mech =
   * %{mechanism}` (2.4).
   */
  readonly mechanism: string | undefined
  /** Whether the connection is encrypted. */
  readonly tls: boolean | undefined
}

/** May this go on? Asked before the password is looked at, and again after a good one. */
export interface Allow extends Attempt {
  readonly command: "allow"
}

/** How an attempt ended; once for each. */
export interface Report extends Attempt {
  readonly command: "report"
  readonly success: boolean
  /** Failed since the answer to `allow` said so: no new evidence against the client. */
  readonly policyReject: boolean
  /**
   * From 2.4: `credentials`, `account`, `disabled`, `expired`, `policy`; `internal` is no fault of the client. 2.3 does
   * not say.
   */
  readonly failType: string | undefined
}

export type AuthPolicyRequest = Allow | Report

/** `command`: of the query string, null when missing. `body`: as it came. */
export const decode = (command: string | null, body: Uint8Array): Result.Result<AuthPolicyRequest, AuthPolicyError> => {
  if (command !== "allow" && command !== "report") return failed("Command")
  if (body.length > maxBodyBytes) return failed("TooLarge")
  return Result.gen(function* () {
    const value = yield* parsed(body)
    const attempt = yield* attemptOf(value)
    return command === "allow" ? { command, ...attempt } : yield* reportOf(value, attempt)
  })
}

/** No text of Dovecot's has a NUL or half a character, and no database takes one. */
const text = Schema.optionalKey(
  Schema.String.pipe(
    Schema.check(
      Schema.isMaxLength(maxTextLength),
      Schema.makeFilter((value: string) => (value.includes("\0") || !value.isWellFormed() ? "must be text" : undefined))
    )
  )
)
const AttemptJson = Schema.Struct({
  login: text,
  remote: text,
  protocol: text,
  session_id: text,
  device_id: text,
  pwhash: text,
  mech: text,
  /** What the setting may say of it is a text, and counts for nothing. */
  tls: Schema.optionalKey(Schema.Unknown)
})
const OutcomeJson = Schema.Struct({
  success: Schema.Boolean,
  policy_reject: Schema.optionalKey(Schema.Boolean),
  fail_type: text
})
const readAttempt = Schema.decodeUnknownResult(AttemptJson)
const readOutcome = Schema.decodeUnknownResult(OutcomeJson)

const attemptOf = (value: unknown): Result.Result<Attempt, AuthPolicyError> =>
  Result.mapBoth(readAttempt(value), {
    onFailure: malformed,
    onSuccess: (json): Attempt => {
      const hash = known(json.pwhash)
      return {
        login: known(json.login),
        remote: known(json.remote),
        protocol: known(json.protocol),
        sessionId: known(json.session_id),
        deviceId: known(json.device_id),
        passwordHash: hash === undefined ? undefined : Redacted.make(hash),
        mechanism: known(json.mech),
        tls: typeof json.tls === "boolean" ? json.tls : undefined
      }
    }
  })

const reportOf = (value: unknown, attempt: Attempt): Result.Result<Report, AuthPolicyError> =>
  Result.mapBoth(readOutcome(value), {
    onFailure: malformed,
    onSuccess: (json): Report => ({
      command: "report",
      ...attempt,
      success: json.success,
      policyReject: json.policy_reject ?? false,
      failType: known(json.fail_type)
    })
  })

/** Of a member said twice the last counts: Dovecot's own `tls` comes after those of the setting. */
const parsed = (body: Uint8Array): Result.Result<unknown, AuthPolicyError> => {
  try {
    return Result.succeed(JSON.parse(utf8.decode(body)))
  } catch {
    return failed("NotJson")
  }
}

const known = (value: string | undefined): string | undefined => (value === "" ? undefined : value)
const failed = (reason: AuthPolicyError["reason"]) => Result.fail(new AuthPolicyError({ reason }))
const malformed = () => new AuthPolicyError({ reason: "Malformed" })
const utf8 = new TextDecoder("utf-8", { fatal: true })
