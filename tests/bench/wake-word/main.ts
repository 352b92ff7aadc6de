// Benchmark of wake-word: processor time of a step of a stream, with network, threads and batches, against a bare loop
// over the same mel frames and networks; the time from the end of a step to its wake event at half of the load; and the
// memory of a stream. One thread of inference. Processor time is that of the whole process, so that "a core" includes
// the thread of the connections.

import { Effect, Layer, Context, Redacted } from "effect"
import { PgClient } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { create as createServiceToken } from "#core/auth/ServiceTokenStore.ts"
import { toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { withClient } from "#core/postgres/Bootstrap.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask } from "../load/Child.ts"
import { note, onStage } from "../load/Stage.ts"
import { type OneDaemon, startDaemon } from "../OneDaemon.ts"
import type { BareAnswer, BareOrder } from "./BareLoop.ts"
import { makeReference, type Reference, streamsOf } from "./Reference.ts"
import type { Burst, Open, Outcome, Steady } from "./Streams.ts"

/** Number of rounds. Set `SIGNALBOX_BENCH_ROUNDS=1` for a short trial. */
const rounds = Number(process.env["SIGNALBOX_BENCH_ROUNDS"] ?? 5)

/** Streams of a burst. Reason: three full batches, so that batches stay full. */
const burstStreams = 96

/**
 * Number of batches in one round of the bare loop, and number of steps in one batch. Source of the latter: `maxBatch`
 * of `Batches.ts`.
 */
const batches = 100
const batch = 32

/**
 * Duration of the steady load in seconds, and maximum number of its streams. Reason: in real time the frames come one
 * by one, and a process that serves more than 1,000 streams in bursts is busy with 500.
 */
const steadySpan = 30
const mostSteady = 250

/** Number of streams at the two measurements of memory, and duration of their audio in seconds. */
const fewStreams = 50
const manyStreams = 450
const memorySpan = 5

/** Targets: share of the bare loop's throughput, latencies in milliseconds, memory in KB. Source: the issue. */
const wantedShare = 0.8
const allowedMedian = 20
const allowedTail = 100
const allowedMemory = 200

/** Frames of 256 samples in a step. */
const stepFrames = 5

/** Steps until the audio repeats. */
const periodSteps = ({ audio }: Reference): number => audio.length / 256 / stepFrames

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ child, database, folder, inScope, keep }) => {
    note("a network whose scores cross the threshold once in a period")
    const reference = await makeReference()
    const bare = child("../wake-word/BareLoop.ts")
    const clients = child("../wake-word/Streams.ts")
    const daemon = keep(
      await startDaemon("wake-word", database, folder, {
        SIGNALBOX_WAKE_WORD_THREADS: "1",
        SIGNALBOX_WAKE_WORD_CONNECTIONS: "3000",
        SIGNALBOX_WAKE_WORD_CONNECTIONS_PER_TENANT: "3000"
      })
    )
    await addModel(database, reference)
    const sql = Context.get(
      await inScope(
        Layer.build(PgClient.layer({ ...toSqlPg(database.target), applicationName: "bench", maxConnections: 1 }))
      ),
      PgClient.PgClient
    )
    const { token } = await inScope(
      Effect.provideService(createServiceToken({ name: "bench", scopes: ["platform"] }), SqlClient.SqlClient, sql)
    )
    const audio = new Uint8Array(reference.audio.buffer, reference.audio.byteOffset, reference.audio.byteLength)
    const open = async (count: number) =>
      ask(clients, { kind: "open", urls: await tickets(daemon, Redacted.value(token), count), audio } satisfies Open)
    const burst = (order: Omit<Burst, "kind">) => ask<Outcome>(clients, { kind: "burst", ...order } satisfies Burst)

    /**
     * Each stream sends audio up to its second wake. Reason: this is less than the burst of 10 s that the daemon
     * accepts.
     */
    const wakes = 2
    const frames = (reference.wakes[wakes - 1]! + 1) * stepFrames
    const steady = (seconds: number) =>
      ask<Outcome>(clients, { kind: "steady", seconds, wakeFrames: wakeFrames(reference) } satisfies Steady)
    const memoryAt = async (count: number) => {
      await open(count)
      await steady(memorySpan)
      return usage(daemon.pid).node.memory
    }
    const few = await memoryAt(fewStreams)
    const memory = (((await memoryAt(manyStreams)) - few) * 1_024) / (manyStreams - fewStreams)
    note(`memory of a stream: ${memory.toFixed(0)} KB`)

    const seen = { ours: [] as Array<number>, all: [] as Array<number>, networks: [] as Array<number> }
    const speeds: Array<number> = []
    for (let round = 0; round <= rounds; round++) {
      const { all, networks } = await ask<BareAnswer>(bare, {
        weights: reference.weights,
        batches,
        batch
      } satisfies BareOrder)
      await open(burstStreams)
      const before = usage(daemon.pid).node.cpu
      const { elapsed } = await burst({ frames, wakes })
      const steps = (burstStreams * frames) / stepFrames
      const ours = (usage(daemon.pid).node.cpu - before) / steps
      note(
        `round ${round}: ${us(ours)} of a step, bare ${us(all)}, networks alone ${us(networks)}; ` +
          `${Math.round((steps / elapsed) * 1_000)} steps a second${round === 0 ? " (warming up)" : ""}`
      )
      if (round === 0) continue
      seen.ours.push(ours)
      seen.all.push(all)
      seen.networks.push(networks)
      speeds.push((steps / elapsed) * 1_000)
    }
    const share = (of: ReadonlyArray<number>) => median(of.map((bareTime, round) => bareTime / seen.ours[round]!))
    const streams = streamsOf(1 / median(seen.ours))

    const clocked = streamsOf(median(speeds))
    const half = Math.min(mostSteady, Math.max(1, Math.floor(clocked / 2)))
    note(`${half} streams at real time for ${steadySpan} s`)
    await open(half)
    const load = await steady(steadySpan)
    note(`${load.latencies.length} wakes, ${load.missing} missing`)
    // Closes all connections before the daemon is stopped.
    await open(0)

    return [
      figure("streams of a core, their audio in bursts", streams, "", {
        floor: streamsOf(1 / median(seen.all)),
        better: "more"
      }),
      figure("the same to the bare loop", share(seen.all), "", { target: wantedShare, better: "more" }),
      figure("the same to the networks alone, without mel frames", share(seen.networks), "", { better: "more" }),
      figure("the same by the clock, one thread of inference", clocked, ""),
      figure(`end of a step to its wake, ${half} streams, p50`, median(load.latencies), "ms", {
        target: allowedMedian
      }),
      figure(`end of a step to its wake, ${half} streams, p99`, quantile(load.latencies, 0.99), "ms", {
        target: allowedTail
      }),
      figure(`wakes that never came, of ${load.latencies.length + load.missing}`, load.missing, "", { target: 0 }),
      figure("memory of a stream", memory, "KB", { target: allowedMemory })
    ]
  })

const us = (seconds: number): string => `${(seconds * 1e6).toFixed(0)} µs`

/** Indexes of the frames that complete a step with a wake, for the whole steady load. */
const wakeFrames = (reference: Reference): ReadonlyArray<number> => {
  const period = periodSteps(reference)
  const steps = [...reference.wakes]
  const regular = steps.filter((step) => step >= 2 * period)
  for (let later = 1; later * period * 0.08 < steadySpan; later++)
    steps.push(...regular.map((step) => step + later * period))
  return steps.map((step) => (step + 1) * stepFrames - 1)
}

/**
 * Asks the daemon for `count` addresses of its audio socket. Each contains its own ticket, which admits one connection.
 */
const tickets = async ({ port }: OneDaemon, token: string, count: number): Promise<ReadonlyArray<string>> => {
  const urls: Array<string> = []
  for (let at = 0; at < count; at++) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/wakeword/status`, {
      headers: { "x-service-token": token }
    })
    const { websocket_url: url } = (await answer.json()) as { readonly websocket_url: string | null }
    if (url === null) throw new Error(`no address of the socket: ${answer.status}`)
    urls.push(url)
  }
  return urls
}

/** Stores the model as the active one of the provider's tenant. */
const addModel = (database: FreshDatabase, { extractorId, file, threshold }: Reference): Promise<void> =>
  Effect.runPromise(
    withClient(database.superuser, (sql) =>
      Effect.asVoid(sql`
        insert into wake_word.model
            (tenant_id, name, word, language, threshold, active, extractor, sha256, size, file, metrics)
          values (1, 'bench', 'bench', 'en', ${threshold}, true, ${extractorId},
            ${createHash("sha256").update(file).digest("hex")}, ${file.length}, ${Buffer.from(file)},
            ${JSON.stringify({
              false_accepts_per_hour: 0,
              miss_rate: 0,
              negative_hours: 3,
              false_accepts: 0,
              utterances: 200,
              misses: 0,
              voices: [],
              uploads: 0,
              notes: []
            })}::text::jsonb)`)
    )
  )
