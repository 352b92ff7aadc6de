/**
 * Thousands of connections of another tenant and of strangers, most of which misbehave. A user who listens already
 * goes on hearing the word, and the daemon stays healthy. `SIGNALBOX_TEST_LONG=1`: 10,000 connections.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { until } from "#support/Frame.ts"
import { type Attack, kinds, type Outcomes, ticketed } from "./AttackKinds.ts"
import { addModel, callsOf, listen, noise, startWakeWord, ticketUrl } from "./WakeWordSuite.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"

/** Connections of one wave, and waves. */
const wave = long ? 1_000 : 64
const waves = long ? 10 : 2

/** Connections that the attacking tenant may have: fewer than it asks for. */
const perTenant = long ? 100 : 12

/** Addresses of the attackers. Reason: 512 connections of each are accepted, together fewer than 4,096. */
const addresses = Array.from({ length: 7 }, (_, at) => `127.0.0.${at + 10}`)

const ask = (child: ChildProcess, attack: Attack): Effect.Effect<Outcomes> =>
  Effect.promise(async () => {
    const answer = once(child, "message") as Promise<[Outcomes]>
    child.send(attack)
    return (await answer)[0]
  })

it.live(
  `hears the word and stays healthy beside ${wave * waves} connections`,
  () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord({ env: { SIGNALBOX_WAKE_WORD_CONNECTIONS_PER_TENANT: String(perTenant) } })
      for (const tenant of [1, 2]) {
        yield* addModel(suite, "word", { tenant, level: tenant === 1 ? 4 : -4 })
        yield* callsOf(suite, tenant)("POST", "/models/word/activate")
      }
      const listener = yield* listen(suite)
      const audio = noise(0.08)
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => listener.closed ?? listener.send(audio)),
            Effect.sleep(80)
          )
        )
      )
      const attackers = yield* Effect.acquireRelease(
        Effect.sync(() => fork(join(import.meta.dirname, "Attackers.ts"), { execArgv: [], serialization: "advanced" })),
        (child) =>
          Effect.promise(async () => {
            const gone = once(child, "exit")
            child.kill("SIGKILL")
            await gone
          })
      )
      const hears = (when: string) =>
        Effect.gen(function* () {
          const before = listener.heard.length
          yield* until(
            `the listener hears the word ${when}`,
            Effect.sync(() => listener.heard.length > before || listener.closed !== undefined),
            60
          )
          assert.strictEqual(listener.closed, undefined)
        })
      yield* hears("before the attack")

      const port = Number(new URL(suite.base()).port)
      const token = yield* suite.token
      const healthOf = Effect.map(suite.call("GET", "/health", { token }), ({ json }) => json)
      let used = ""
      let outcomes: Outcomes = {}
      for (let at = 0; at < waves; at++) {
        const clients: Array<Attack["clients"][number]> = []
        for (let index = 0; index < wave; index++) {
          const kind = kinds[index % kinds.length]!
          const { pathname, search } = new URL(ticketed.has(kind) || used === "" ? yield* ticketUrl(suite, 2) : used)
          const path = kind === "no ticket" ? pathname : `${pathname}${search}`
          if (ticketed.has(kind)) used = `http://attack${path}`
          clients.push({ kind, path, address: addresses[index % addresses.length]! })
        }
        outcomes = yield* ask(attackers, { port, clients })
        yield* hears(`in wave ${at + 1}`)
        const health = yield* healthOf
        assert.strictEqual(health.components.listening.status, "ok")
        // On a busy machine the event loop alone makes it `degraded` for a moment.
        assert.include(["ok", "degraded"], health.status, JSON.stringify(health))
        assert.isAtMost(health.components.listening.connections, perTenant + 1)
      }
      // Strangers and used tickets are refused, and the tenant has no more than its places. A flood is read no faster
      // than its steps are computed, so on a busy machine it is not closed.
      const expected = ["401", "closed 1013"]
      yield* until(
        `the attackers meet ${expected.join(", ")}`,
        Effect.map(ask(attackers, { port, clients: [] }), (now) => {
          outcomes = now
          return expected.every((outcome) => now[outcome] !== undefined)
        }),
        30
      )
      yield* hears("after the attack")
      yield* until(
        "the daemon is healthy",
        Effect.map(healthOf, ({ status }) => status === "ok"),
        60
      )
      if (long) process.stdout.write(`${wave * waves} connections: ${JSON.stringify(outcomes)}\n`)
    }).pipe(Effect.scoped),
  long ? 600_000 : 120_000
)
