// What the switch pulls, in figures: 10,000 extensions over 100 domains and 100,000 numbers, asked as a real switch asks, beside bare
// node:http that reads the same body and answers always the same, and beside one with an indexed read for each.

import { Effect, Exit, Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask, end, start as startChild } from "../introspection/Child.ts"
import { LoadClient } from "../introspection/LoadClient.ts"
import type { FloorOrder } from "./Floors.ts"
import { domainOf, extensionOf, extensions, numberOf, numbers, start as startSubject, type Subject } from "./Subject.ts"

/** Different users and numbers of the warm load. Reason: a call's body has 7 KB, and the load client holds them all. */
const warmUsers = 4_000
const warmCalls = 2_000
/** Users asked for the first time since they changed, in each round. */
const coldUsers = 4_000
const rounds = 5
const warmingUp = 2
/** One measure of one server. Unit: milliseconds. */
const span = 2_000
/** The steady load. Unit: milliseconds; look-ups a second. */
const steadySpan = 5_000
const steadyRate = 1_000
const steadyRounds = 3

const note = (text: string) => process.stderr.write(`${text}\n`)

interface Rate {
  readonly rate: number
  readonly cost: number
}

interface Measured {
  readonly pid: number
  readonly port: number
}

/** As the switch posts. */
const post = (token: string, body: string): string =>
  `POST /switch/xml HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic ${Buffer.from(`switch:${token}`).toString("base64")}\r\n` +
  `User-Agent: freeswitch-xml/1.0\r\nAccept: */*\r\nContent-Length: ${body.length}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n${body}`

const registering = lookUp("A10-register-a1hash", "action=sip_auth")
const calling = lookUp("A31", "section=dialplan")

const userRequest = (token: string, n: number) => post(token, asking(registering, { user: extensionOf(n), domain: domainOf(n) }))
const callRequest = (token: string, n: number) => post(token, asking(calling, { "Hunt-Destination-Number": encodeURIComponent(numberOf(n)) }))

/** So many of so many, spread. */
const spread = (count: number, of: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => Math.floor((index * of) / count))

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const children: Array<ChildProcess> = []
  const client = new LoadClient()
  let subject: Subject | undefined
  try {
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    const database = await inScope(freshDatabaseOn(server.socketDir))
    subject = await startSubject(database, join(folder, "var"))
    const { pid, port, token, touch } = subject
    const ours: Measured = { pid, port }
    const users = spread(warmUsers, extensions).map((n) => userRequest(token, n))
    const calls = spread(warmCalls, numbers).map((n) => callRequest(token, n + 1))
    const cold = spread(coldUsers, extensions).map((n) => userRequest(token, n))

    const expected = { users: "a1-hash", calls: "user/" }
    /** Until it answers rightly: the picture may be a moment old. */
    const settled = async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await client.run({ kind: "closed", port, requests: [userRequest(token, 7)], expect: expected.users, duration: 0 })
        } catch (error) {
          if (attempt === 50) throw error
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      }
    }
    await settled()
    const sample = async (request: string) => {
      const [head, body] = request.split("\r\n\r\n")
      const authorization = /Authorization: (.*)/.exec(head!)![1]!.trim()
      return (await fetch(`http://127.0.0.1:${port}/switch/xml`, { method: "POST", headers: { authorization }, body: body! })).text()
    }
    const floor = async (name: string, answer: string): Promise<Measured> => {
      const child = startChild("../switch/Floors.ts", [name])
      children.push(child)
      return { pid: child.pid!, ...(await ask<{ port: number }>(child, { answer, target: database.target } satisfies FloorOrder)) }
    }
    const userAnswer = await sample(users[0]!)
    const [fixedUsers, fixedCalls, read] = [await floor("fixed", userAnswer), await floor("fixed", await sample(calls[0]!)), await floor("read", userAnswer)]

    const measure = async (of: Measured, requests: ReadonlyArray<string>, expect: string, duration: number): Promise<Rate> => {
      const before = usage(of.pid).node.cpu
      const outcome = await client.run({ kind: "closed", port: of.port, requests, expect, duration })
      return { rate: (outcome.answered / outcome.elapsed) * 1_000, cost: ((usage(of.pid).node.cpu - before) / outcome.answered) * 1e6 }
    }
    const warmed = async (requests: ReadonlyArray<string>, expect: string) => {
      await measure(ours, requests, expect, 0)
      return measure(ours, requests, expect, span)
    }
    const steps = {
      fixedUsers: () => measure(fixedUsers, users, expected.users, span),
      users: () => warmed(users, expected.users),
      fixedCalls: () => measure(fixedCalls, calls, expected.calls, span),
      calls: () => warmed(calls, expected.calls),
      read: () => measure(read, cold, expected.users, 0),
      cold: async () => {
        await touch()
        // Longer than a picture may be old.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await settled()
        return measure(ours, cold, expected.users, 0)
      }
    }
    const seen: Record<keyof typeof steps, Array<Rate>> = { fixedUsers: [], users: [], fixedCalls: [], calls: [], read: [], cold: [] }
    for (let round = 1 - warmingUp; round <= rounds; round++) {
      const said: Array<string> = []
      const order = Object.entries(steps) as ReadonlyArray<[keyof typeof steps, () => Promise<Rate>]>
      // Every other round goes the other way, so that a machine that slows down slows no server more than another.
      for (const [name, step] of round % 2 === 0 ? order : order.toReversed()) {
        const rate = await step()
        if (round > 0) seen[name].push(rate)
        said.push(`${name} ${rate.rate.toFixed(0)}/s ${rate.cost.toFixed(0)} µs`)
      }
      note(`round ${round}: ${said.join(", ")}${round > 0 ? "" : " (warming up)"}`)
    }

    const steady = async (of: Measured): Promise<number> => {
      const { latencies } = await client.run({ kind: "open", port: of.port, requests: users, expect: expected.users, duration: steadySpan, rate: steadyRate })
      note(`steady, ${of === ours ? "ours" : "bare"}: p50 ${median(latencies).toFixed(2)} ms, p99 ${quantile(latencies, 0.99).toFixed(2)} ms`)
      return quantile(latencies, 0.99)
    }
    const p99s = { fixed: [] as Array<number>, ours: [] as Array<number> }
    await measure(ours, users, expected.users, 0)
    for (let round = 0; round < steadyRounds; round++) {
      p99s.fixed.push(await steady(fixedUsers))
      p99s.ours.push(await steady(ours))
    }

    type Name = keyof typeof seen
    const rate = (name: Name) => median(seen[name].map((one) => one.rate))
    const cost = (name: Name) => median(seen[name].map((one) => one.cost))
    const ratio = (a: Name, b: Name) => median(seen[a].map((one, round) => one.rate / seen[b][round]!.rate))
    const bare = median(p99s.fixed)
    return [
      figure("warm users a second, to bare node:http", rate("users"), "1/s", { floor: rate("fixedUsers") }),
      figure("processor time of a warm user, to bare node:http", cost("users"), "µs", { floor: cost("fixedUsers") }),
      figure("warm users to a fixed answer", ratio("users", "fixedUsers"), "", { target: 0.8, better: "more" }),
      figure("warm calls a second, to bare node:http", rate("calls"), "1/s", { floor: rate("fixedCalls") }),
      figure("processor time of a warm call, to bare node:http", cost("calls"), "µs", { floor: cost("fixedCalls") }),
      figure("warm calls to a fixed answer", ratio("calls", "fixedCalls"), "", { target: 0.8, better: "more" }),
      figure("cold users a second, to one indexed read", rate("cold"), "1/s", { floor: rate("read") }),
      figure("cold users to one indexed read", ratio("cold", "read"), "", { target: 0.7, better: "more" }),
      figure("p99 of warm users at 1,000/s", median(p99s.ours), "ms", { floor: bare, target: Number((3 * bare).toPrecision(4)) })
    ]
  } finally {
    await client.end()
    await subject?.end()
    await Promise.all(children.map(end))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}
