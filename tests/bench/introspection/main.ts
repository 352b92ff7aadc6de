// Introspection in figures: 2,000 tokens asked about as a mail server asks, beside bare node:http with a fixed answer,
// bare node:http with one verification, and oidc-provider; then a steady load with sign-ins at the same time.

import { Effect, Exit, Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask, end, start as startChild } from "./Child.ts"
import { basicOf, LoadClient, post } from "./LoadClient.ts"
import type { ProviderOrder } from "./Provider.ts"
import * as SignIns from "./SignIns.ts"
import { start as startSubject, type Subject } from "./Subject.ts"

/** Different tokens of the warm load. */
const warmTokens = 2_000
/** Tokens never asked about before, in each round. */
const coldTokens = 4_000
/** Rounds of every server in turn, and those before them that only warm up. Reason: what counts is code that has run for a while, with tokens that are new. */
const rounds = 5
const warmingUp = 3
/** One measure of one server. Unit: milliseconds. */
const span = 2_000
/** Rounds of the steady load, and the length of each. Unit: milliseconds. */
const steadyRounds = 3
const steadySpan = 10_000
/** Introspections a second of the steady load. Source: the issue. */
const steadyRate = 1_000
/** Which p99 is good whatever the bare server's is, and how many times that one's is good besides. Unit: milliseconds. */
const goodLatency = 5
const goodFactor = 3

const note = (text: string) => process.stderr.write(`${text}\n`)

/** A server under measure. */
interface Measured {
  readonly pid: number
  readonly port: number
  readonly requests: ReadonlyArray<string>
}

/** Answers a second, and processor time of the server for each. Unit: microseconds. */
interface Rate {
  readonly rate: number
  readonly cost: number
}

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const children: Array<ChildProcess> = []
  const child = (program: string, ...args: ReadonlyArray<string>) => {
    const started = startChild(program, args)
    children.push(started)
    return started
  }
  const client = new LoadClient()
  let subject: Subject | undefined
  try {
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    const database = await inScope(freshDatabaseOn(server.socketDir))
    subject = await startSubject(database, join(folder, "var"))
    const { introspection, issue, verification } = subject
    const floor = async (name: string, requests: ReadonlyArray<string>): Promise<Measured> => {
      const floor = child("Floors.ts", name)
      return { pid: floor.pid!, requests, ...(await ask<{ port: number }>(floor, verification)) }
    }
    const warm = (await issue(warmTokens)).map(introspection)
    const [wire, fixed, verify] = [await floor("wire", warm), await floor("fixed", warm), await floor("verify", [])]
    const provider = await startProvider(child("Provider.ts"))
    const ours: Measured = { pid: subject.pid, port: subject.port, requests: warm }

    const measure = async (of: Measured, duration: number): Promise<Rate> => {
      const before = usage(of.pid).node.cpu
      const outcome = await client.run({ kind: "closed", port: of.port, requests: of.requests, expect: `"active":true`, duration })
      return { rate: (outcome.answered / outcome.elapsed) * 1_000, cost: ((usage(of.pid).node.cpu - before) / outcome.answered) * 1e6 }
    }
    const seen: Readonly<Record<"wire" | "fixed" | "warm" | "provider" | "verify" | "cold", Array<Rate>>> =
      { wire: [], fixed: [], warm: [], provider: [], verify: [], cold: [] }
    for (let round = 1 - warmingUp; round <= rounds; round++) {
      const fresh = (await issue(coldTokens)).map(introspection)
      const steps: ReadonlyArray<readonly [keyof typeof seen, () => Promise<Rate>]> = [
        ["wire", () => measure(wire, span)],
        ["fixed", () => measure(fixed, span)],
        ["warm", async () => {
          // New tokens may have pushed these out.
          await measure(ours, 0)
          return measure(ours, span)
        }],
        ["provider", () => measure(provider, span)],
        ["verify", () => measure({ ...verify, requests: fresh }, 0)],
        ["cold", () => measure({ ...ours, requests: fresh }, 0)]
      ]
      const said: Array<string> = []
      // Every other round goes the other way, so that a machine that slows down slows no server more than another.
      for (const [name, step] of round % 2 === 0 ? steps : steps.toReversed()) {
        const rate = await step()
        if (round > 0) seen[name].push(rate)
        said.push(`${name} ${rate.rate.toFixed(0)}/s ${rate.cost.toFixed(0)} µs`)
      }
      note(`round ${round}: ${said.join(", ")}${round > 0 ? "" : " (warming up)"}`)
    }

    const steady = async (of: Measured): Promise<number> => {
      const logins = SignIns.start(subject!.port)
      const { latencies } = await client.run({
        kind: "open",
        port: of.port,
        requests: of.requests,
        expect: `"active":true`,
        duration: steadySpan,
        rate: steadyRate
      })
      const count = await logins.stop()
      const p99 = quantile(latencies, 0.99)
      note(`steady, ${of === ours ? "ours" : "bare"}: p50 ${median(latencies).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${count} sign-ins`)
      return p99
    }
    await measure(ours, 0)
    const p99s = { fixed: [] as Array<number>, ours: [] as Array<number> }
    for (let round = 0; round < steadyRounds; round++) {
      p99s.fixed.push(await steady(fixed))
      p99s.ours.push(await steady(ours))
    }

    const rate = (name: keyof typeof seen) => median(seen[name].map((one) => one.rate))
    const cost = (name: keyof typeof seen) => median(seen[name].map((one) => one.cost))
    const ratio = (a: keyof typeof seen, b: keyof typeof seen) => median(seen[a].map((one, round) => one.rate / seen[b][round]!.rate))
    const bare = median(p99s.fixed)
    return [
      figure("requests a second the load client can make", rate("wire"), "1/s", { floor: rate("fixed") }),
      figure("warm introspections a second, to bare node:http", rate("warm"), "1/s", { floor: rate("fixed") }),
      figure("processor time of a warm one, to bare node:http", cost("warm"), "µs", { floor: cost("fixed") }),
      figure("warm to a fixed answer", ratio("warm", "fixed"), "", { target: 0.7, better: "more" }),
      figure("cold introspections a second, to one verification", rate("cold"), "1/s", { floor: rate("verify") }),
      figure("processor time of a cold one, to one verification", cost("cold"), "µs", { floor: cost("verify") }),
      figure("cold to one verification", ratio("cold", "verify"), "", { target: 0.9, better: "more" }),
      figure("warm introspections a second, to oidc-provider", rate("warm"), "1/s", { floor: rate("provider") }),
      figure("warm to oidc-provider", ratio("warm", "provider"), "", { target: 4, better: "more" }),
      figure("p99 at 1,000/s beside two sign-ins a second", median(p99s.ours), "ms", {
        floor: bare,
        target: Math.max(goodLatency, Number((goodFactor * bare).toPrecision(4)))
      })
    ]
  } finally {
    await client.end()
    await subject?.end()
    await Promise.all(children.map(end))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}

const startProvider = async (child: ChildProcess): Promise<Measured> => {
  const caller = { id: "mail-server", secret: randomBytes(32).toString("base64url") }
  const { path, port, tokens } = await ask<{ path: string; port: number; tokens: ReadonlyArray<string> }>(
    child,
    { tokens: warmTokens, ...caller } satisfies ProviderOrder
  )
  return { pid: child.pid!, port, requests: tokens.map((token) => post(path, basicOf(caller.id, caller.secret), `token=${token}`)) }
}
