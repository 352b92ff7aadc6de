/**
 * Decodes a request of Dovecot to its authentication policy server, from one POST. Pure; serves no HTTP and decides
 * nothing. Sources: doc.dovecot.org (2.3 authentication/auth_policy, 2.4 core/config/auth/policy); auth-policy.c;
 * tested with 2.3.19 and 2.4.
 *
 * The decoder reads the members of Dovecot's default `auth_policy_request_attributes`, the optional `mech`, and the
 * members that Dovecot always adds. It ignores others. An empty text counts as missing, because Dovecot writes one for
 * unknown values.
 */
import { Redacted, Result, Schema } from "effect"
import { AuthPolicyError } from "./AuthPolicyError.ts"

/**
 * Largest body. Unit: bytes. Reason: Dovecot sends 200 bytes plus the login name, and it limits a client line to 8 KiB.
 */
export const maxBodyBytes = 16 * 1024

/**
 * Longest text of a member. Unit: UTF-16 units. Reason: see `maxBodyBytes`; the login name is the only text that a
 * client chooses freely.
 */
export const maxTextLength = 8 * 1024

interface Attempt {
  /** Login name as the client sent it; undefined when Dovecot refused its characters. */
  readonly login: string | undefined
  /** The client's IPv4 or IPv6 address; undefined for a client on a local socket. */
  readonly remote: string | undefined
  /** `imap`, `pop3`, `smtp`, `submission`. */
  readonly protocol: string | undefined
  /** Session id in Dovecot's log. */
  readonly sessionId: string | undefined
  /** Client identification that the client sent with IMAP ID. */
  readonly deviceId: string | undefined
  /** Some bits of a keyed hash of the password, in hex. They show whether a guess repeats an earlier one. */
  readonly passwordHash: Redacted.Redacted<string> | undefined
  /**
   * SASL mechanism such as `PLAIN` or `XOAUTH2`. Present only where the setting adds `mech=%{mech}` (2.3) or `mech =
   * %{mechanism}` (2.4).
   */
  readonly mechanism: string | undefined
  /** Whether the connection is encrypted. */
  readonly tls: boolean | undefined
}

/**
 * Asks whether the attempt may continue. Dovecot sends it before it checks the password, and again after a correct one.
 */
export interface Allow extends Attempt {
  readonly command: "allow"
}

/** Reports the outcome of an attempt, once per attempt. */
export interface Report extends Attempt {
  readonly command: "report"
  readonly success: boolean
  /** The attempt failed because our answer to `allow` refused it. It is no new evidence against the client. */
  readonly policyReject: boolean
  /**
   * Reason of a failure, from 2.4: `credentials`, `account`, `disabled`, `expired`, `policy`, or `internal`, which is
   * not the client's fault. 2.3 does not send it.
   */
  readonly failType: string | undefined
}

export type AuthPolicyRequest = Allow | Report

/** Decodes a request. `command`: from the query string, null when missing. `body`: the unchanged bytes. */
export const decode = (command: string | null, body: Uint8Array): Result.Result<AuthPolicyRequest, AuthPolicyError> => {
  if (command !== "allow" && command !== "report") return failed("Command")
  if (body.length > maxBodyBytes) return failed("TooLarge")
  return Result.gen(function* () {
    const value = yield* parsed(body)
    const attempt = yield* attemptOf(value)
    return command === "allow" ? { command, ...attempt } : yield* reportOf(value, attempt)
  })
}

/** Optional text without NUL and unpaired surrogates. Dovecot never sends them, and Postgres does not store them. */
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
  /** A boolean from Dovecot. Accepts any type, because `auth_policy_request_attributes` can add a text of that name. */
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

/** When a member occurs twice the last one wins: Dovecot's own `tls` follows the members of the setting. */
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
