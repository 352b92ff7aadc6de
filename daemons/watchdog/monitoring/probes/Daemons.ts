/** Checks of our own daemons by their /health: those on this machine, and those at addresses that an operator named. */
import { request } from "node:http"
import { request as secureRequest } from "node:https"
import { Effect, Redacted } from "effect"
import type { BuiltCheck, Reading, Source } from "../BuiltCheck.ts"
import { noThresholds } from "../Thresholds.ts"
import { say, sayAll } from "../words/Said.ts"

/** Limit of one answer. Unit: milliseconds. Reason: /health itself waits 2 s for the database. */
const patience = 5_000

/** Largest answer that is read. Unit: bytes. Reason: a report with twenty broken actors has 20 KiB. */
const maxAnswer = 1024 * 1024

export interface HealthOptions {
  readonly host: string
  /** Addresses on this machine: the gateway, and the ports of the daemons. */
  readonly local: ReadonlyArray<string>
  /** Addresses that an operator named. */
  readonly named: ReadonlyArray<string>
  /** Token for the details of other machines. */
  readonly token: Redacted.Redacted | undefined
}

type Answer = { readonly [name: string]: unknown }

const record = (value: unknown): Answer | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Answer) : undefined

/** Verdicts of the daemons in an answer of a gateway or of one daemon; empty for other answers. Pure. */
export const verdictsOf = (answer: unknown): ReadonlyMap<string, Answer> => {
  const body = record(answer)
  const daemons = record(body?.["daemons"])
  if (daemons !== undefined)
    return new Map(
      Object.entries(daemons).flatMap(([name, value]) => {
        const verdict = record(value)
        return verdict === undefined || !/^[a-z-]{1,40}$/.test(name) ? [] : [[name, verdict] as const]
      })
    )
  const name = body?.["daemon"]
  return typeof name === "string" && /^[a-z-]{1,40}$/.test(name) ? new Map([[name, body!]]) : new Map()
}

/** Pure. `undefined`: no answer, or one without this daemon. */
export const judgeHealth = (verdict: Answer | undefined): Reading => {
  const status = verdict?.["status"]
  if (status === "ok") return { value: null, ...say("daemon_ok", {}) }
  if (verdict === undefined) return { value: null, status: "critical", ...say("daemon_silent", {}) }
  const named = (wanted: string) =>
    Object.entries(record(verdict["components"]) ?? {}).flatMap(([name, component]) =>
      record(component)?.["status"] === wanted ? [name] : []
    )
  const parts = { degraded: named("degraded"), down: named("down") }
  return status === "degraded"
    ? { value: null, status: "warning", ...say("daemon", { verdict: "degraded", ...parts }) }
    : { value: null, status: "critical", ...say("daemon", { verdict: "down", ...parts }) }
}

/** The JSON of an answer; undefined without one. Follows no redirect, which could lead the token elsewhere. */
const ask = (base: string, token: Redacted.Redacted | undefined): Effect.Effect<unknown> =>
  Effect.callback<unknown>((resume) => {
    const end = (value: unknown) => resume(Effect.succeed(value))
    const headers = token === undefined ? {} : { "x-service-token": Redacted.value(token) }
    const send = base.startsWith("https:") ? secureRequest : request
    const outgoing = send(`${base}/health`, { headers, agent: false, timeout: patience }, (answer) => {
      const chunks: Array<Buffer> = []
      let size = 0
      answer.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > maxAnswer) outgoing.destroy()
        else chunks.push(chunk)
      })
      answer.once("error", () => end(undefined))
      answer.once("end", () => {
        try {
          end(JSON.parse(Buffer.concat(chunks).toString("utf8")))
        } catch {
          end(undefined)
        }
      })
    })
    outgoing.once("timeout", () => outgoing.destroy())
    outgoing.once("error", () => end(undefined))
    outgoing.once("close", () => end(undefined))
    outgoing.end()
    return Effect.sync(() => outgoing.destroy())
  }).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(undefined) }))

const prefixOf = (host: string) => `${host} daemon `

/** A daemon stays known after it has answered once, because a dead one does not answer. */
export const localDaemons = ({ host, local, token }: Omit<HealthOptions, "named">): Source => {
  const addresses = new Map<string, string>()
  const checkOf = (name: string): BuiltCheck => ({
    key: `${prefixOf(host)}${name}`,
    kind: "daemon",
    group: `host ${host}`,
    unit: null,
    thresholds: noThresholds,
    version: addresses.get(name) ?? "",
    probe: Effect.suspend(() => {
      const address = addresses.get(name)
      if (address === undefined) return Effect.succeed(judgeHealth(undefined))
      return Effect.map(ask(address, token), (answer) => judgeHealth(verdictsOf(answer).get(name)))
    })
  })
  return {
    name: "daemons",
    kinds: ["daemon"],
    scope: "host",
    discover: (known) =>
      Effect.map(
        Effect.forEach(local, (address) => Effect.map(ask(address, token), (answer) => [address, answer] as const), {
          concurrency: 8
        }),
        (answers) => {
          // The gateway is first, and shows a daemon that its own port would not.
          for (const [address, answer] of [...answers].reverse())
            for (const name of verdictsOf(answer).keys()) addresses.set(name, address)
          const stored = known.flatMap((key) =>
            key.startsWith(prefixOf(host)) ? [key.slice(prefixOf(host).length)] : []
          )
          return [...new Set([...addresses.keys(), ...stored])].toSorted().map(checkOf)
        }
      )
  }
}

/** One check for each named address: the worst of its daemons. */
export const namedDaemons = ({ named, token }: Pick<HealthOptions, "named" | "token">): Source => ({
  name: "named daemons",
  kinds: ["daemon"],
  scope: "fleet",
  discover: () =>
    Effect.succeed(
      named.map((address): BuiltCheck => ({
        key: `daemons ${address}`.slice(0, 200),
        kind: "daemon",
        group: `host ${URL.parse(address)?.hostname ?? address}`.slice(0, 200),
        unit: null,
        thresholds: noThresholds,
        version: address,
        probe: Effect.map(ask(address, token), (answer) => judgeAll(verdictsOf(answer)))
      }))
    )
})

/** Reading of all daemons behind one address. Pure. */
export const judgeAll = (verdicts: ReadonlyMap<string, Answer>): Reading => {
  if (verdicts.size === 0) return judgeHealth(undefined)
  const readings = Array.from(verdicts, ([name, verdict]) => ({ name, reading: judgeHealth(verdict) }))
  const bad = readings.filter(({ reading }) => reading.status !== undefined)
  return {
    value: null,
    ...(bad.length === 0 ? say("daemon_ok", {}) : sayAll(bad.map(({ name, reading }) => ({ name, said: reading })))),
    measurements: { daemons: readings.length, unhealthy: bad.length },
    ...(bad.length === 0
      ? {}
      : { status: bad.some(({ reading }) => reading.status === "critical") ? "critical" : "warning" })
  }
}
