/**
 * Requests `/health` of a gateway, or of each daemon on its own port, and combines the answers. Callers from this
 * machine see the details; others need a service token.
 */
import { Effect, Redacted } from "effect"
import { type KnownDaemon, portVariable } from "../daemon/KnownDaemons.ts"
import { settings } from "../config/Environment.ts"
import { type Verdict, worst } from "../daemon/Health.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as Settings from "../config/Settings.ts"
import { colour, columns } from "./Output.ts"

/** How long one answer may take. Unit: milliseconds. Reason: `/health` itself waits 2 s for the database. */
const patience = 5_000

export interface DaemonHealth {
  readonly status: Verdict
  /** Components and actors that are not ok, or that the daemon does not answer. */
  readonly detail: string
}

export interface SuiteHealth {
  readonly status: Verdict
  readonly url: string
  readonly daemons: Readonly<Record<string, DaemonHealth>>
}

const tokenSetting = settings({ token: platformSettings.healthToken })

const ask = (base: string, path: string, token: Redacted.Redacted | undefined): Effect.Effect<unknown> =>
  Effect.promise(async () => {
    try {
      const response = await fetch(`${base}${path}`, {
        headers: token === undefined ? {} : { "x-service-token": Redacted.value(token) },
        signal: AbortSignal.timeout(patience),
        // A redirect could lead the token to another host.
        redirect: "error"
      })
      return await response.json()
    } catch {
      return undefined
    }
  })

/** The answer of `base`. A gateway gives verdicts, so the reports of unhealthy daemons are requested as well. */
const askWhole = (base: string, token: Redacted.Redacted | undefined): Effect.Effect<unknown> =>
  Effect.gen(function* () {
    const answer = yield* ask(base, "/health", token)
    const daemons = record(record(answer)?.["daemons"])
    if (daemons === undefined) return answer
    const whole = yield* Effect.forEach(
      Object.entries(daemons),
      ([name, value]) => {
        const daemon = record(value)
        const href = daemon?.["href"]
        return daemon?.["status"] === "ok" || href !== `/health/${name}`
          ? Effect.succeed([name, value] as const)
          : Effect.map(ask(base, href, token), (report) => {
              const components = record(report)?.["components"]
              return [name, components === undefined ? value : report] as const
            })
      },
      { concurrency: 8 }
    )
    return { ...record(answer), daemons: Object.fromEntries(whole) }
  })

/** Probes a gateway or a single daemon at `base`. */
export const probe = (base: string) =>
  Effect.gen(function* () {
    const { token } = yield* tokenSetting
    return read(base, yield* askWhole(base.replace(/\/+$/, "").replace(/\/health$/, ""), token))
  })

/** Probes the gateway of the local configuration; without a gateway, every daemon on its own port. */
export const probeHere = (daemons: ReadonlyArray<Pick<KnownDaemon, "name" | "port">>) =>
  Effect.gen(function* () {
    const config = yield* settings(platformSettings)
    const host =
      config.bind === "0.0.0.0"
        ? "127.0.0.1"
        : config.bind === "::"
          ? "[::1]"
          : config.bind.includes(":")
            ? `[${config.bind}]`
            : config.bind
    const gateway = `http://${host}:${config.gatewayPort}`
    const { token } = yield* tokenSetting
    const answer = yield* askWhole(gateway, token)
    if (isGateway(answer)) return read(gateway, answer)
    const each = yield* Effect.forEach(
      daemons,
      (daemon) =>
        Effect.gen(function* () {
          const { port } = yield* settings({
            port: Settings.port(portVariable(daemon.name), { doc: "", default: daemon.port })
          })
          return [
            daemon.name,
            readDaemon(own(daemon.name, yield* ask(`http://${host}:${port}`, "/health", token)))
          ] as const
        }),
      { concurrency: 8 }
    )
    return {
      status: worst(each.map(([, { status }]) => status)),
      url: gateway,
      daemons: Object.fromEntries(each)
    } satisfies SuiteHealth
  })

/**
 * Whether an answer is of a gateway. With one process per daemon a reverse proxy has the gateway's address, and no
 * health. Pure.
 */
export const isGateway = (answer: unknown): boolean => record(record(answer)?.["daemons"]) !== undefined

/** Reads a `/health` answer: a gateway's has `daemons`, a daemon's has `components` and `actors`. Pure. */
export const read = (url: string, answer: unknown): SuiteHealth => {
  const body = record(answer)
  if (body === undefined) return { status: "down", url, daemons: {} }
  const daemons = record(body["daemons"])
  if (daemons === undefined) {
    const own = readDaemon(body)
    return { status: own.status, url, daemons: { [String(body["daemon"] ?? "daemon")]: own } }
  }
  const each = Object.entries(daemons).map(([name, daemon]) => [name, readDaemon(daemon)] as const)
  return { status: verdictOf(body["status"]), url, daemons: Object.fromEntries(each) }
}

/** What a daemon's own answer says about it. Without access to details it has the form of a gateway's answer. Pure. */
const own = (name: string, answer: unknown): unknown => record(record(answer)?.["daemons"])?.[name] ?? answer

/** Detail of a daemon that gave no answer. */
const silent = "does not answer"

const readDaemon = (answer: unknown): DaemonHealth => {
  const body = record(answer)
  if (body === undefined) return { status: "down", detail: silent }
  const components = Object.entries(record(body["components"]) ?? {}).flatMap(([name, value]) => {
    const component = record(value)
    const status = component?.["status"]
    return status === "ok" || status === "unconfigured"
      ? []
      : [`${name} ${String(status)}${component?.["detail"] ? `: ${String(component["detail"])}` : ""}`]
  })
  const actors = (Array.isArray(body["actors"]) ? body["actors"] : [])
    .map(record)
    .flatMap((actor) =>
      actor === undefined ||
      (actor["stalled"] !== true && actor["state"] !== "waiting" && actor["state"] !== "escalated")
        ? []
        : [
            `${String(actor["name"])} ${actor["stalled"] === true ? "stalled" : String(actor["state"])}${
              record(actor["last_failure"]) ? `: ${String(record(actor["last_failure"])!["message"])}` : ""
            }`
          ]
    )
  return { status: verdictOf(body["status"]), detail: [...components, ...actors].join("; ") }
}

const verdictOf = (status: unknown): Verdict => (status === "ok" || status === "degraded" ? status : "down")

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

/** Exit status: 0 ok, 1 degraded, 2 down. */
export const exitOf = ({ status }: SuiteHealth): number => ({ ok: 0, degraded: 1, down: 2 })[status]

const shades = { ok: "green", degraded: "yellow", down: "red" } as const

/** Table of all daemons and their status. */
export const lines = (seen: SuiteHealth): ReadonlyArray<string> => {
  const daemons = Object.entries(seen.daemons)
  if (daemons.every(([, { detail }]) => detail === silent)) {
    const asked = daemons.length === 0 ? "" : ", nor on the ports of the daemons"
    return [
      `${colour("red", "down")}  no daemon answers at ${seen.url}${asked}`,
      "Start one with `bin/signalbox up`, or name its address with --url or SIGNALBOX_GATEWAY_PORT and SIGNALBOX_BIND."
    ]
  }
  return columns([
    ...daemons.map(([name, daemon]) => [name, colour(shades[daemon.status], daemon.status), daemon.detail]),
    ["all", colour(shades[seen.status], seen.status), ""]
  ])
}
