/**
 * Environment of an HTTP benchmark: a Postgres, a load client, and servers in separate processes. All end with the run.
 */
import { Effect, Exit, Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { type FreshDatabase, freshDatabaseOn } from "#support/Postgres.ts"
import { usage } from "../alarm/Rig.ts"
import { median, quantile } from "../Figure.ts"
import * as Child from "./Child.ts"
import type { Order } from "./Load.ts"
import { LoadClient } from "./LoadClient.ts"
import type { Rate } from "./Turns.ts"

/** A measured server. */
export interface Measured {
  readonly pid: number
  readonly port: number
}

/** Requests sent in turn, and the text that every answer must contain. */
export type Asked = Pick<Order, "requests" | "expect">

export interface Stage {
  readonly database: FreshDatabase
  /** Folder for the server's data. */
  readonly folder: string
  readonly client: LoadClient
  readonly inScope: <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Promise<A>
  /** Starts a program; its path is relative to this folder. */
  readonly child: (program: string, args?: ReadonlyArray<string>) => ChildProcess
  /** Starts a baseline: a program that answers `order` with its port. */
  readonly floor: (program: string, order: unknown, args?: ReadonlyArray<string>) => Promise<Measured>
  /** Registers a subject to be ended with the run, before the database. */
  readonly keep: <S extends { readonly end: () => Promise<void> }>(subject: S) => S
  /** Measures the highest rate over `duration` milliseconds; 0: each request once. */
  readonly measure: (of: Measured, asked: Asked, duration: number) => Promise<Rate>
  /** 99th percentile of a steady load, in milliseconds. `duration`: milliseconds. `rate`: requests per second. */
  readonly p99: (
    of: Measured,
    asked: Asked,
    load: { readonly name: string; readonly duration: number; readonly rate: number }
  ) => Promise<number>
}

export const note = (text: string): void => void process.stderr.write(`${text}\n`)

export const onStage = async <A>(use: (stage: Stage) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope: Stage["inScope"] = (effect) => Effect.runPromise(Scope.provide(effect, scope))
  const children: Array<ChildProcess> = []
  const kept: Array<{ readonly end: () => Promise<void> }> = []
  const client = new LoadClient()
  const child: Stage["child"] = (program, args = []) => {
    const started = Child.start(program, args)
    children.push(started)
    return started
  }
  try {
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    return await use({
      database: await inScope(freshDatabaseOn(server.socketDir)),
      folder: join(folder, "var"),
      client,
      inScope,
      child,
      floor: async (program, order, args) => {
        const started = child(program, args)
        return { pid: started.pid!, ...(await Child.ask<{ port: number }>(started, order)) }
      },
      keep: (subject) => {
        kept.push(subject)
        return subject
      },
      measure: async (of, asked, duration) => {
        const before = usage(of.pid).node.cpu
        const outcome = await client.run({ kind: "closed", port: of.port, ...asked, duration })
        return {
          rate: (outcome.answered / outcome.elapsed) * 1_000,
          cost: ((usage(of.pid).node.cpu - before) / outcome.answered) * 1e6
        }
      },
      p99: async (of, asked, { duration, name, rate }) => {
        const { latencies } = await client.run({ kind: "open", port: of.port, ...asked, duration, rate })
        const found = quantile(latencies, 0.99)
        note(`steady, ${name}: p50 ${median(latencies).toFixed(2)} ms, p99 ${found.toFixed(2)} ms`)
        return found
      }
    })
  } finally {
    await client.end()
    for (const one of kept) await one.end()
    await Promise.all(children.map(Child.end))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}
