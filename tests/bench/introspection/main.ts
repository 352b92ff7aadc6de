// Benchmark of introspection: 2,000 tokens, requested like a mail server does. Compares with bare node:http with a
// constant answer, bare node:http with one verification, and oidc-provider. Then a steady load with concurrent
// sign-ins.

import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask } from "../load/Child.ts"
import { basicOf, post } from "../load/LoadClient.ts"
import { note, onStage } from "../load/Stage.ts"
import { inTurns, latencies } from "../load/Turns.ts"
import type { ProviderOrder } from "./Provider.ts"
import * as SignIns from "./SignIns.ts"
import { start as startSubject } from "./Subject.ts"

/** Number of tokens of the warm load. */
const warmTokens = 2_000
/** Tokens per round that were never introspected before. */
const coldTokens = 4_000
/**
 * `rounds`: measured rounds over all servers. `warmingUp`: uncounted rounds before them. Reason: the figures are for
 * optimised code with new tokens.
 */
const rounds = 5
const warmingUp = 3
/** Length of one measurement of one server. Unit: milliseconds. */
const span = 2_000
/** `steadyRounds`: rounds of the steady load. `steadySpan`: length of each, in milliseconds. */
const steadyRounds = 3
const steadySpan = 10_000
/** Introspections per second of the steady load. Source: the issue. */
const steadyRate = 1_000
/** A p99 passes up to `goodLatency` (milliseconds), or up to `goodFactor` times the bare server's p99. */
const goodLatency = 5
const goodFactor = 3

/** A measured server, with its requests. */
interface Measured {
  readonly pid: number
  readonly port: number
  readonly requests: ReadonlyArray<string>
}

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ child, client, database, floor: startFloor, folder, keep, measure: measureAny }) => {
    const subject = keep(await startSubject(database, folder))
    const { introspection, issue, verification } = subject
    const floor = async (name: string, requests: ReadonlyArray<string>): Promise<Measured> => ({
      requests,
      ...(await startFloor("../introspection/Floors.ts", verification, [name]))
    })
    const warm = (await issue(warmTokens)).map(introspection)
    const [wire, fixed, verify] = [await floor("wire", warm), await floor("fixed", warm), await floor("verify", [])]
    const provider = await startProvider(child("../introspection/Provider.ts"))
    const ours: Measured = { pid: subject.pid, port: subject.port, requests: warm }

    const measure = ({ requests, ...of }: Measured, duration: number) =>
      measureAny(of, { requests, expect: `"active":true` }, duration)
    const { cost, rate, ratio } = await inTurns({ rounds, warmingUp }, async () => {
      const fresh = (await issue(coldTokens)).map(introspection)
      return {
        wire: () => measure(wire, span),
        fixed: () => measure(fixed, span),
        warm: async () => {
          // The cache may have evicted these tokens, so an uncounted pass introspects them again.
          await measure(ours, 0)
          return measure(ours, span)
        },
        provider: () => measure(provider, span),
        verify: () => measure({ ...verify, requests: fresh }, 0),
        cold: () => measure({ ...ours, requests: fresh }, 0)
      }
    })

    const steady = async (of: Measured): Promise<number> => {
      const logins = SignIns.start(subject.port)
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
      note(
        `steady, ${of === ours ? "ours" : "bare"}: p50 ${median(latencies).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${count} sign-ins`
      )
      return p99
    }
    await measure(ours, 0)
    const late = await latencies(steadyRounds, { bare: () => steady(fixed), ours: () => steady(ours) })
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
      figure("p99 at 1,000/s beside two sign-ins a second", late.ours, "ms", {
        floor: late.bare,
        target: Math.max(goodLatency, Number((goodFactor * late.bare).toPrecision(4)))
      })
    ]
  })

const startProvider = async (child: ChildProcess): Promise<Measured> => {
  const caller = { id: "mail-server", secret: randomBytes(32).toString("base64url") }
  const { path, port, tokens } = await ask<{ path: string; port: number; tokens: ReadonlyArray<string> }>(child, {
    tokens: warmTokens,
    ...caller
  } satisfies ProviderOrder)
  return {
    pid: child.pid!,
    port,
    requests: tokens.map((token) => post(path, basicOf(caller.id, caller.secret), `token=${token}`))
  }
}
