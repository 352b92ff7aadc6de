// Benchmark of the event socket: a real comm-dispatcher broadcasts events to 1,000 clients. Compares with the library
// alone, which sends as many equal texts in a loop. Also measures the latency of one event, from its insert to the
// clients of its tenant.

import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { create as createServiceToken } from "#core/auth/ServiceTokenStore.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { ensureBuilt, environmentOf, start as startExecutable } from "#support/Executable.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { testKey } from "#support/TestKey.ts"
import { pause, usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask, end, start as startChild } from "../load/Child.ts"
import { clock, type Heard, type Open } from "./Receivers.ts"

/** Clients at the first memory measurement. */
const warmClients = 100
/** Single-event broadcasts per round. */
const ones = 5
/** Clients of a broadcast. Source: the issue. */
const clients = 1_000
/** Frames per client in one burst. */
const burst = 200
const rounds = 5
/** Rounds before the measured ones, not counted. */
const warmingUp = 1
/**
 * Latency test. `singles`: events timed one by one. `audience`: clients of their tenant. `every`: interval between two
 * events, in milliseconds.
 */
const singles = 200
const audience = 20
const every = 20

const note = (text: string) => process.stderr.write(`${text}\n`)

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const children: Array<ChildProcess> = []
  const child = (program: string) => {
    const started = startChild(`../events/${program}`)
    children.push(started)
    return started
  }
  ensureBuilt()
  let subject: ReturnType<typeof startExecutable> | undefined
  try {
    // Postgres runs with fsync, as in production.
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    const database = await inScope(freshDatabaseOn(server.socketDir))
    subject = startExecutable(["run", "comm-dispatcher", "--json"], {
      ...environmentOf(folder),
      DATABASE_URL: database.url,
      SIGNALBOX_LOG_LEVEL: "warn"
    })
    const ours = {
      pid: subject.pid,
      port: Number(new URL(JSON.parse(await subject.line("{")).addresses["comm-dispatcher"]).port)
    }
    const sql = await inScope(
      Effect.map(
        Layer.build(PgClient.layer({ ...toSqlPg(database.target), applicationName: "bench", maxConnections: 1 })),
        (context) => Context.get(context, PgClient.PgClient)
      )
    )
    const serviceToken = Redacted.value(
      (
        await inScope(
          Effect.provideService(createServiceToken({ name: "bench", scopes: ["platform"] }), SqlClient.SqlClient, sql)
        )
      ).token
    )
    const key = await inScope(testKey(sql))
    const bare = child("BareLoop.ts")
    const barePort = (await ask<{ port: number }>(bare, "port")).port
    const [ourReceivers, bareReceivers] = [child("Receivers.ts"), child("Receivers.ts")]

    const hello = (auth: object) =>
      [
        { type: "auth", data: auth },
        { type: "subscribe", data: { patterns: ["bench.*"] } }
      ].map((frame) => JSON.stringify(frame))
    const openOurs = (count: number, auth: object) =>
      ask(ourReceivers, { kind: "open", port: ours.port, count, frames: hello(auth), greetings: 2 } satisfies Open)
    const openBare = (count: number) =>
      ask(bareReceivers, { kind: "open", port: barePort, count, frames: [], greetings: 0 } satisfies Open)
    const text = JSON.stringify({ id: "1000-100000", type: "bench.one", data: { n: 100, text: "x".repeat(100) } })
    const emit = (count: number) =>
      inScope(sql`with e as (insert into core.event (type, source, tenant_id, data)
          select 'bench.one', 'bench', 7, jsonb_build_object('n', n, 'text', repeat('x', 100)) from generate_series(1, ${count}::int) n returning 1)
        select pg_notify('signalbox', 'event') from (select count(*) from e) c`)

    /**
     * Measures one burst. `whole`: from the order to the last frame of the last client. `spread`: from the first frame
     * of any client to that last frame.
     */
    const measure = async (receivers: ChildProcess, frames: number, send: () => Promise<unknown>) => {
      await ask(receivers, { kind: "hear", frames })
      const heard = new Promise<Heard>((resolve) => receivers.once("message", (said) => resolve(said as Heard)))
      const begun = clock()
      await send()
      const { first, last } = await heard
      return { whole: last - begun, spread: last - first }
    }
    const broadcastOurs = (frames: number) => measure(ourReceivers, frames, () => emit(frames))
    const broadcastBare = (frames: number) => measure(bareReceivers, frames, () => ask(bare, { text, times: frames }))
    const one = async (broadcast: (frames: number) => Promise<{ whole: number; spread: number }>) => {
      const each = []
      for (let round = 0; round < ones; round++) each.push(await broadcast(1))
      return { whole: median(each.map(({ whole }) => whole)), spread: median(each.map(({ spread }) => spread)) }
    }

    // Growth of the whole process, including garbage that is not collected yet. This is an upper bound of a
    // connection's memory.
    const memory = async (pid: number, open: (count: number) => Promise<unknown>) => {
      await open(warmClients)
      await pause(1_000)
      const before = usage(pid).node.memory
      await open(clients)
      await pause(1_000)
      return ((usage(pid).node.memory - before) * 1024) / (clients - warmClients)
    }
    const ourMemory = await memory(ours.pid, (count) => openOurs(count, { service_token: serviceToken }))
    const bareMemory = await memory(bare.pid!, openBare)
    note(`memory a connection: ours ${ourMemory.toFixed(1)} KB, bare ${bareMemory.toFixed(1)} KB`)

    const seen = {
      rate: [] as Array<number>,
      bareRate: [] as Array<number>,
      last: [] as Array<number>,
      bareLast: [] as Array<number>,
      spread: [] as Array<number>,
      bareSpread: [] as Array<number>
    }
    const rate = (milliseconds: number) => ((clients * burst) / milliseconds) * 1000
    for (let round = 1 - warmingUp; round <= rounds; round++) {
      const steps = [
        async () => ({ our: await broadcastOurs(burst), ourOne: await one(broadcastOurs) }),
        async () => ({ bare: await broadcastBare(burst), bareOne: await one(broadcastBare) })
      ]
      // Alternate rounds run the steps in reverse order, so that a slowing machine does not favour one side.
      const result: Record<string, { whole: number; spread: number }> = {}
      for (const step of round % 2 === 0 ? steps : steps.toReversed()) Object.assign(result, await step())
      const { bare, bareOne, our, ourOne } = result as Record<
        "our" | "ourOne" | "bare" | "bareOne",
        { whole: number; spread: number }
      >
      note(
        `round ${round}: ours ${rate(our.whole).toFixed(0)}/s (one: ${ourOne.whole.toFixed(1)} ms, ${ourOne.spread.toFixed(1)} from the first), bare ${rate(bare.whole).toFixed(0)}/s (one: ${bareOne.whole.toFixed(1)} ms)${round > 0 ? "" : " (warming up)"}`
      )
      if (round <= 0) continue
      seen.rate.push(rate(our.whole))
      seen.bareRate.push(rate(bare.whole))
      seen.last.push(ourOne.whole)
      seen.bareLast.push(bareOne.whole)
      seen.spread.push(ourOne.spread)
      seen.bareSpread.push(bareOne.spread)
    }

    await openOurs(audience, { token: await key.access({ tenantId: 7, userId: 70 }) })
    const ways: Array<number> = []
    for (let single = 0; single < singles; single++) {
      ways.push((await measure(ourReceivers, 1, () => emit(1))).whole)
      await pause(every)
    }
    const ratio = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => median(a.map((one, index) => one / b[index]!))
    return [
      figure(`frames a second to ${clients} clients, insert included`, median(seen.rate), "1/s", {
        floor: median(seen.bareRate)
      }),
      figure("frames a second to a bare ws.send loop", ratio(seen.rate, seen.bareRate), "", {
        target: 1.1,
        better: "more"
      }),
      figure(`last of ${clients} clients has one event, insert included`, median(seen.last), "ms", {
        floor: median(seen.bareLast)
      }),
      figure("last client to the bare loop's last", ratio(seen.last, seen.bareLast), "", { target: 1.5 }),
      figure(`last of ${clients} clients after the first`, median(seen.spread), "ms", {
        floor: median(seen.bareSpread)
      }),
      figure("memory of a connection", ourMemory, "KB", { floor: bareMemory, target: 32 }),
      figure(`insert to the last of ${audience} clients, p50`, median(ways), "ms", { target: 20 }),
      figure(`insert to the last of ${audience} clients, p99`, quantile(ways, 0.99), "ms", { target: 100 })
    ]
  } finally {
    subject?.signal("SIGTERM")
    await subject?.ended
    await Promise.all(children.map(end))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}
