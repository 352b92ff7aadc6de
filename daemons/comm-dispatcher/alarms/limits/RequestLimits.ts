/**
 * Limits of what callers of the API may request, checked before a run is accepted: severity, gateways, numbers, length
 * of a call, and calls of a tenant within an hour. Service tokens act for the platform: only the limits against toll
 * fraud and long calls bind them.
 */
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Caller } from "#core/auth/Caller.ts"
import { settings } from "#core/config/Environment.ts"
import { type FieldProblem, Forbidden, InvalidRequest } from "#core/http/Problem.ts"
import { maxSpokenLength, refusedNumber, startsWithAny } from "../../channels/Exports.ts"
import type { Severity } from "../../vocabulary/Exports.ts"
import { CallLimitReached } from "./Errors.ts"
import { limitSettings } from "./LimitSettings.ts"
import * as Rules from "./TenantCallRules.ts"

/** A call of a request, with the path of its fields. */
export interface RequestedCall {
  /** `payload`, or `payload.channels[2]`. */
  readonly at: string
  /** Field of the number. */
  readonly field: string
  /** In E.164 format. */
  readonly number: string
  /** Empty or undefined: the default gateway. */
  readonly gateway?: string | undefined
  readonly text: string
  readonly pauseMs: number
  readonly repeat: number
}

export interface Requested {
  readonly severity: Severity | null
  readonly calls: ReadonlyArray<RequestedCall>
}

/** Severities that need `alarms.urgent`. */
const urgent: ReadonlySet<Severity> = new Set(["ALERT", "CRITICAL"])

/** Window of `SIGNALBOX_CALLS_PER_HOUR`. Unit: seconds. */
const window = 3_600

const make = Effect.gen(function* () {
  const config = yield* settings(limitSettings)
  const home = config.callPrefixes.length > 0 ? config.callPrefixes : Rules.homePrefixes(config.country)
  const single = Result.getOrThrow(Rules.parse(config.callTenants ?? "[]"))
  const ruleOf = (tenantId: number): Rules.TenantCallRule => ({
    prefixes: home,
    perHour: config.callsPerHour,
    ...single.get(tenantId)
  })

  const problemsOf = (call: RequestedCall): ReadonlyArray<FieldProblem> => {
    const refused = refusedNumber(call.number, config.costlyPrefixes)
    const seconds = Rules.estimatedSeconds({ ...call, spoken: maxSpokenLength })
    return [
      ...(refused === undefined ? [] : [{ field: call.field, message: refused }]),
      ...(seconds <= config.callMaxSeconds
        ? []
        : [
            {
              field: `${call.at}.repeat`,
              message: `the call would last about ${seconds} s; at most ${config.callMaxSeconds} s are allowed`
            }
          ])
    ]
  }

  /** Whether the caller may use the gateway. */
  const mayUse = (gateway: string | undefined, user: boolean): boolean =>
    gateway === undefined ||
    gateway === "" ||
    gateway === config.sipGateway ||
    (!user && config.sipGateways.includes(gateway))

  const checkRequest = Effect.fnUntraced(function* ({ calls, severity }: Requested) {
    const caller = yield* Caller
    const user = caller.kind === "user" ? caller : undefined
    if (severity !== null && urgent.has(severity) && user !== undefined && !user.permissions.has("alarms.urgent"))
      return yield* new Forbidden({
        permission: "alarms.urgent",
        detail: `The severity ${severity} needs the permission alarms.urgent; WARNING and INFO do not.`
      })
    const gateways = calls
      .filter(({ gateway }) => !mayUse(gateway, user !== undefined))
      .map(({ at }) => ({ field: `${at}.gateway`, message: "is not a gateway that you may use; omit it" }))
    const errors = [...gateways, ...calls.flatMap(problemsOf)]
    if (errors.length > 0) return yield* new InvalidRequest({ errors })
    if (user === undefined || user.permissions.has("calls.any")) return
    const { prefixes } = ruleOf(user.tenantId)
    const outside = calls.find(({ number }) => !startsWithAny(number, prefixes))
    if (outside !== undefined)
      return yield* new Forbidden({
        permission: "calls.any",
        detail: `Numbers that do not begin with ${prefixes.join(", ")} need the permission calls.any.`
      })
  })

  /**
   * Counts the calls of the tenant within the last hour and fails when these would exceed its limit. Runs in the
   * transaction that inserts them; requests of one tenant are counted one after another.
   */
  const checkQuota = Effect.fnUntraced(function* (calls: number) {
    const caller = yield* Caller
    if (caller.kind !== "user" || calls === 0) return
    const sql = yield* SqlClient.SqlClient
    const { perHour } = ruleOf(caller.tenantId)
    yield* sql`select pg_advisory_xact_lock(hashtext('comm_dispatcher.calls'), ${caller.tenantId})`
    const [row] = yield* sql<{ used: number; wait: number | null }>`
      select count(*)::int as used, ceil(${window} - extract(epoch from now() - min(r.created_at)))::int as wait
        from comm_dispatcher.run r join comm_dispatcher.target t on t.run_id = r.id and t.channel = 'call'
       where r.tenant_id = ${caller.tenantId} and r.created_at > now() - make_interval(secs => ${window})
         and r.source ? 'user_id'`
    const { used, wait } = row!
    if (used + calls <= perHour) return
    return yield* new CallLimitReached({
      retry_after: Math.max(1, wait ?? window),
      detail: `Within an hour your tenant may request ${perHour} calls; it has requested ${used}.`
    })
  })

  return { checkRequest, checkQuota }
})

export class RequestLimits extends Context.Service<RequestLimits, Effect.Success<typeof make>>()(
  "signalbox/comm-dispatcher/RequestLimits"
) {
  static readonly layer = Layer.effect(this, make)
}
