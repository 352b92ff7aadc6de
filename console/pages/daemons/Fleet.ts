/**
 * Health of all daemons. The gateway lists the daemons behind it; a daemon reached on its own port reports only itself.
 * A daemon that is down answers 503 with its report; a restarting one sends no report. Callers without the permission
 * `system.read` of the provider's tenant get verdicts without reports.
 */
import { request } from "../../lib/Call.ts"
import type { Component, HealthReport, Verdict } from "../../lib/Endpoints.ts"
import { duration } from "../../lib/Format.ts"
import { Problem } from "../../lib/Problem.ts"
import type { Tone } from "../../parts/Badge.tsx"
import { daemonWords as t } from "./Words.ts"

export const statusTones: Readonly<Record<"ok" | "degraded" | "down" | "unconfigured", Tone>> = {
  ok: "success",
  degraded: "warning",
  down: "error",
  unconfigured: "quiet"
}

export interface DaemonHealth {
  readonly name: string
  readonly status: Verdict
  /** Undefined when the daemon does not answer at the moment, or with `hidden`. */
  readonly report: HealthReport | undefined
  /** The caller may not see reports. */
  readonly hidden?: boolean
}

interface Whole {
  readonly status: Verdict
  readonly daemons: Readonly<Record<string, { readonly status: Verdict; readonly href?: string }>>
}

/** JSON of a health endpoint with status 200 or 503. */
const read = async (path: string): Promise<unknown> => {
  try {
    return await (await request(path)).json()
  } catch (error) {
    if (error instanceof Problem && error.status === 503 && error.fields["status"] === "down") return error.fields
    throw error
  }
}

/** All daemons, unhealthy ones first. */
export const askFleet = async (): Promise<ReadonlyArray<DaemonHealth>> => {
  const whole = (await read("/health")) as Whole | HealthReport
  if (!("daemons" in whole)) return [{ name: whole.daemon, status: whole.status, report: whole }]
  const daemons = await Promise.all(
    Object.entries(whole.daemons).map(async ([name, { href, status }]) => {
      if (href === undefined) return { name, status, report: undefined, hidden: true }
      // A daemon that does not answer must not hide the others.
      const report = await read(href).then(
        (value) => value as HealthReport,
        () => undefined
      )
      return { name, status: report?.status ?? (status === "ok" ? "down" : status), report }
    })
  )
  return byIllness(
    daemons,
    ({ status }) => status,
    ({ name }) => name
  )
}

/** A daemon that is not ok, with the reasons that its components give. */
export interface Troubled {
  readonly name: string
  readonly status: Verdict
  readonly reasons: ReadonlyArray<string>
}

/** Names of all daemons. */
export const daemonNames = async (): Promise<ReadonlyArray<string>> => {
  const whole = (await read("/health")) as Whole | HealthReport
  return "daemons" in whole ? Object.keys(whole.daemons) : [whole.daemon]
}

export interface Fleet {
  /** All daemons with their states. */
  readonly daemons: ReadonlyArray<{ readonly name: string; readonly status: Verdict }>
  /** Worst first. */
  readonly troubled: ReadonlyArray<Troubled>
}

/** All daemons, and those that are not ok. Only these are asked for their report. */
export const askTroubled = async (): Promise<Fleet> => {
  const whole = (await read("/health")) as Whole | HealthReport
  if (!("daemons" in whole)) return { daemons: [{ name: whole.daemon, status: whole.status }], troubled: [] }
  const ill = Object.entries(whole.daemons).filter(([, { status }]) => status !== "ok")
  const troubled = await Promise.all(
    ill.map(async ([name, { href, status }]) => {
      const report =
        href === undefined
          ? undefined
          : await read(href).then(
              (value) => value as HealthReport,
              () => undefined
            )
      return { name, status, reasons: report === undefined ? [] : reasonsOf(report) }
    })
  )
  return {
    daemons: Object.entries(whole.daemons).map(([name, { status }]) => ({ name, status })),
    troubled: byIllness(
      troubled,
      ({ status }) => status,
      ({ name }) => name
    )
  }
}

/** Delay of the event loop above which a daemon is degraded. Unit: milliseconds. Source: core/daemon/Health.ts. */
const slowLoop = 200

/** Details of the components that are not ok, names of the actors that wait after a failure, and a slow loop. Pure. */
export const reasonsOf = ({
  actors,
  components,
  event_loop_delay_ms
}: Pick<HealthReport, "actors" | "components" | "event_loop_delay_ms">): ReadonlyArray<string> => [
  ...Object.entries(components)
    .filter(([, { status }]) => status === "degraded" || status === "down")
    .map(([name, { detail }]) => (detail === undefined ? name : `${name}: ${detail}`)),
  ...actors.filter((actor) => actorStatus(actor) !== "ok").map(({ name }) => name),
  ...(event_loop_delay_ms > slowLoop ? [`${t().loop}: ${duration(event_loop_delay_ms)}`] : [])
]

const ranks: Readonly<Record<string, number>> = { down: 0, degraded: 1, ok: 2, unconfigured: 3 }

/** Sorts by status (down, degraded, ok, unconfigured), then by name. Pure. */
export const byIllness = <A>(
  all: ReadonlyArray<A>,
  status: (one: A) => string,
  name: (one: A) => string
): ReadonlyArray<A> =>
  [...all].sort((a, b) => (ranks[status(a)] ?? 0) - (ranks[status(b)] ?? 0) || name(a).localeCompare(name(b)))

export type Actor = HealthReport["actors"][number]

/**
 * Status of an actor, expressed as the status of a component. A waiting or stalled actor is degraded; an actor that
 * gave up is down. Pure.
 */
export const actorStatus = ({ stalled, state }: Pick<Actor, "stalled" | "state">): "ok" | "degraded" | "down" =>
  state === "escalated" ? "down" : stalled || state === "waiting" ? "degraded" : "ok"

/** Further members of a component besides status and detail. Pure. */
export const extras = ({
  detail: _detail,
  status: _status,
  ...more
}: Component): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(more).filter(([, value]) => value !== undefined && value !== null)
