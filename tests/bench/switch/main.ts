// Benchmark of the switch's look-ups: 10,000 extensions in 100 domains and 100,000 numbers, requested like a real
// switch. Compares with bare node:http that reads the same body and returns a constant, and with one that runs an
// indexed query per request.

import { asking, lookUp } from "#support/switch/LookUps.ts"
import { type Figure, figure } from "../Figure.ts"
import { type Measured, onStage } from "../load/Stage.ts"
import { inTurns, latencies } from "../load/Turns.ts"
import type { FloorOrder } from "./Floors.ts"
import { domainOf, extensionOf, extensions, numberOf, numbers, start as startSubject } from "./Subject.ts"

/**
 * Users and calls of the warm load. Reason: a call's body has 7 KB, and the load client keeps all of them in memory.
 */
const warmUsers = 4_000
const warmCalls = 2_000
/** Users per round that are requested for the first time after a change. */
const coldUsers = 4_000
const rounds = 5
const warmingUp = 2
/** Length of one measurement of one server. Unit: milliseconds. */
const span = 2_000
/** Steady load. `steadySpan`: milliseconds per round. `steadyRate`: look-ups per second. */
const steadySpan = 5_000
const steadyRate = 1_000
const steadyRounds = 3

/** A POST as the switch sends it. */
const post = (token: string, body: string): string =>
  `POST /switch/xml HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic ${Buffer.from(`switch:${token}`).toString("base64")}\r\n` +
  `User-Agent: freeswitch-xml/1.0\r\nAccept: */*\r\nContent-Length: ${body.length}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n${body}`

const registering = lookUp("A10-register-a1hash", "action=sip_auth")
const calling = lookUp("A31", "section=dialplan")

export const userRequest = (token: string, n: number) =>
  post(token, asking(registering, { user: extensionOf(n), domain: domainOf(n) }))
export const callRequest = (token: string, n: number) =>
  post(token, asking(calling, { "Hunt-Destination-Number": encodeURIComponent(numberOf(n)) }))

/** `count` numbers spread evenly below `of`. */
export const spread = (count: number, of: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => Math.floor((index * of) / count))

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ client, database, floor: startFloor, folder, keep, measure: measureAny, p99 }) => {
    const { pid, port, token, touch } = keep(await startSubject(database, folder))
    const ours: Measured = { pid, port }
    const users = spread(warmUsers, extensions).map((n) => userRequest(token, n))
    const calls = spread(warmCalls, numbers).map((n) => callRequest(token, n + 1))
    const cold = spread(coldUsers, extensions).map((n) => userRequest(token, n))

    const expected = { users: "a1-hash", calls: "user/" }
    /** Waits until the daemon answers correctly, because its projection may be a moment old. */
    const settled = async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await client.run({
            kind: "closed",
            port,
            requests: [userRequest(token, 7)],
            expect: expected.users,
            duration: 0
          })
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
      return (
        await fetch(`http://127.0.0.1:${port}/switch/xml`, { method: "POST", headers: { authorization }, body: body! })
      ).text()
    }
    const floor = (name: string, answer: string) =>
      startFloor("../switch/Floors.ts", { answer, target: database.target } satisfies FloorOrder, [name])
    const userAnswer = await sample(users[0]!)
    const [fixedUsers, fixedCalls, read] = [
      await floor("fixed", userAnswer),
      await floor("fixed", await sample(calls[0]!)),
      await floor("read", userAnswer)
    ]

    const measure = (of: Measured, requests: ReadonlyArray<string>, expect: string, duration: number) =>
      measureAny(of, { requests, expect }, duration)
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
        // Longer than the largest age of a projection.
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await settled()
        return measure(ours, cold, expected.users, 0)
      }
    }
    const { cost, rate, ratio } = await inTurns({ rounds, warmingUp }, () => steps)

    await measure(ours, users, expected.users, 0)
    const steady = (of: Measured, name: string) => () =>
      p99(of, { requests: users, expect: expected.users }, { name, duration: steadySpan, rate: steadyRate })
    const late = await latencies(steadyRounds, { bare: steady(fixedUsers, "bare"), ours: steady(ours, "ours") })
    return [
      figure("warm users a second, to bare node:http", rate("users"), "1/s", { floor: rate("fixedUsers") }),
      figure("processor time of a warm user, to bare node:http", cost("users"), "µs", { floor: cost("fixedUsers") }),
      figure("warm users to a fixed answer", ratio("users", "fixedUsers"), "", { target: 0.8, better: "more" }),
      figure("warm calls a second, to bare node:http", rate("calls"), "1/s", { floor: rate("fixedCalls") }),
      figure("processor time of a warm call, to bare node:http", cost("calls"), "µs", { floor: cost("fixedCalls") }),
      figure("warm calls to a fixed answer", ratio("calls", "fixedCalls"), "", { target: 0.8, better: "more" }),
      figure("cold users a second, to one indexed read", rate("cold"), "1/s", { floor: rate("read") }),
      figure("cold users to one indexed read", ratio("cold", "read"), "", { target: 0.7, better: "more" }),
      figure("p99 of warm users at 1,000/s", late.ours, "ms", {
        floor: late.bare,
        target: Number((3 * late.bare).toPrecision(4))
      })
    ]
  })
