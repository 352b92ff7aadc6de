/**
 * Decodes the answers of CrowdSec's local API. Pure; opens no socket. Entries that cannot be read are left out and
 * counted, because one odd entry must not hide thousands of bans. Source: localapi_swagger.yaml; captured from 1.4.6.
 */
import { Result, Schema } from "effect"
import type { HttpAnswer } from "../http/Exchange.ts"
import type { CrowdSecReason } from "./CrowdSecError.ts"
import { parseGoDuration } from "./GoDuration.ts"

/** A decision in force. */
export interface Decision {
  readonly id: number
  /** `crowdsec`, `cscli`, `CAPI`, `lists`. */
  readonly origin: string
  /** `ban`, `captcha`, `throttle`. */
  readonly type: string
  /** `Ip`, `Range`, `AS`, `Country`, as the server writes it. */
  readonly scope: string
  readonly value: string
  readonly scenario: string
  /** Remaining time. Unit: milliseconds; may be negative at the end. */
  readonly remaining: number
}

export interface Alert {
  readonly id: number
  readonly scenario: string
  readonly message: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly events: number
  readonly scope: string
  readonly value: string
  /** Two letters; undefined when unknown. */
  readonly country: string | undefined
  /** Name of the autonomous system; undefined when unknown. */
  readonly network: string | undefined
  /** Ids of its decisions. */
  readonly decisions: ReadonlyArray<number>
}

/** Readable entries, and the number of others. */
export interface Read<A> {
  readonly items: ReadonlyArray<A>
  readonly unreadable: number
}

/** Longest text that is kept. Unit: UTF-16 units. Reason: names have up to 60, messages up to 200. */
const maxText = 300

/**
 * Maximum number of ids of decisions kept of an alert. Reason: an alert about a list of addresses has ten thousands.
 */
const maxOfAlert = 20

/** Text without control characters, cut to `maxText`. */
const shown = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, maxText)

const optionalText = Schema.optionalKey(Schema.NullOr(Schema.String))

const WireDecision = Schema.Struct({
  id: Schema.Int,
  origin: Schema.String,
  type: Schema.String,
  scope: Schema.String,
  value: Schema.String,
  scenario: Schema.String,
  duration: Schema.String
})
const decodeDecision = Schema.decodeUnknownResult(WireDecision)

const decision = (entry: unknown): Decision | undefined => {
  const read = decodeDecision(entry)
  if (Result.isFailure(read)) return undefined
  const { duration, id, origin, scenario, scope, type, value } = read.success
  const remaining = parseGoDuration(duration)
  if (remaining === undefined || id < 1 || value.length > maxText) return undefined
  return { id, origin: shown(origin), type: shown(type), scope, value, scenario: shown(scenario), remaining }
}

const WireAlert = Schema.Struct({
  id: Schema.Int,
  scenario: Schema.String,
  message: optionalText,
  created_at: Schema.String,
  events_count: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  source: Schema.Struct({ scope: Schema.String, value: Schema.String, cn: optionalText, as_name: optionalText }),
  decisions: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
})
const decodeAlert = Schema.decodeUnknownResult(WireAlert)
const decodeId = Schema.decodeUnknownResult(Schema.Struct({ id: Schema.Int }))

const textOf = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" ? undefined : shown(text)

const alert = (entry: unknown): Alert | undefined => {
  const read = decodeAlert(entry)
  if (Result.isFailure(read)) return undefined
  const { created_at, decisions, events_count, id, message, scenario, source } = read.success
  const createdAt = Date.parse(created_at)
  if (Number.isNaN(createdAt) || id < 1 || source.value.length > maxText) return undefined
  return {
    id,
    scenario: shown(scenario),
    message: shown(message ?? ""),
    createdAt,
    events: Math.max(0, events_count ?? 0),
    scope: source.scope,
    value: source.value,
    country: textOf(source.cn)?.slice(0, 2),
    network: textOf(source.as_name),
    decisions: (decisions ?? []).slice(0, maxOfAlert).flatMap((one) => {
      const found = decodeId(one)
      return Result.isSuccess(found) ? [found.success.id] : []
    })
  }
}

/** An empty list is `null`. Undefined: the answer is no list. */
const listed =
  <A>(read: (entry: unknown) => A | undefined) =>
  (json: unknown): Read<A> | undefined => {
    if (json === null) return { items: [], unreadable: 0 }
    if (!Array.isArray(json)) return undefined
    const items = json.flatMap((entry: unknown) => read(entry) ?? [])
    return { items, unreadable: json.length - items.length }
  }

export const readDecisions = listed(decision)
export const readAlerts = listed(alert)

const decodeDeleted = Schema.decodeUnknownResult(Schema.Struct({ nbDeleted: Schema.String }))

/** Number of deleted decisions, which the server writes as text. */
export const readDeleted = (json: unknown): number | undefined => {
  const read = decodeDeleted(json)
  return Result.isSuccess(read) && /^\d{1,9}$/.test(read.success.nbDeleted) ? Number(read.success.nbDeleted) : undefined
}

export interface Login {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const decodeLogin = Schema.decodeUnknownResult(Schema.Struct({ token: Schema.String, expire: Schema.String }))

export const readLogin = (json: unknown): Login | undefined => {
  const read = decodeLogin(json)
  if (Result.isFailure(read)) return undefined
  const expiresAt = Date.parse(read.success.expire)
  // A token goes into a header.
  return Number.isNaN(expiresAt) || !/^[\w.~+/=-]{1,4096}$/.test(read.success.token)
    ? undefined
    : { token: read.success.token, expiresAt }
}

const decodeMessage = Schema.decodeUnknownResult(Schema.Struct({ message: Schema.String }))

/** The value that `read` finds in a success, or the reason why there is none. `secrets`: removed from messages. */
export const readAnswer = <A>(
  { body, status, truncated }: HttpAnswer,
  read: (json: unknown) => A | undefined,
  credentials: "bouncer key" | "machine password",
  secrets: ReadonlyArray<string>
): Result.Result<A, CrowdSecReason> => {
  if (status === 401 || status === 403) return Result.fail({ _tag: "Unauthorized", credentials })
  if (status >= 300 && status < 400)
    return Result.fail({ _tag: "NotItsAnswer", status, why: "a redirect, which is not followed" })
  if (truncated) return Result.fail({ _tag: "NotItsAnswer", status, why: "it is too long" })
  const json = parsed(body)
  if (status >= 200 && status < 300) {
    const found = json === undefined ? undefined : read(json)
    return found === undefined
      ? Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of CrowdSec" })
      : Result.succeed(found)
  }
  const message = decodeMessage(json)
  if (Result.isFailure(message)) return Result.fail({ _tag: "NotItsAnswer", status, why: "no answer of CrowdSec" })
  const text = message.success.message
  // 1.4 answers 500 to an unknown id, later versions 404.
  if (status === 404 || /doesn't exist|not found/i.test(text)) return Result.fail({ _tag: "NotFound" })
  const open = secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "…")), text)
  return Result.fail({ _tag: "Refused", status, message: shown(open) })
}

/** Undefined: not JSON. */
const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}
