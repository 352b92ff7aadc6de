// The public page and the overall status, in figures: asked as browsers and programs ask, beside bare node:http that answers the same bytes
// with the same headers from memory.

import { Effect, Exit, Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start as startPostgres } from "#core/postgres/EmbeddedPostgres.ts"
import { freshDatabaseOn } from "#support/Postgres.ts"
import { usage } from "../alarm/Rig.ts"
import { type Figure, figure, median, quantile } from "../Figure.ts"
import { ask, end, start as startChild } from "../introspection/Child.ts"
import { LoadClient } from "../introspection/LoadClient.ts"
import type { OneDaemon } from "../OneDaemon.ts"
import type { FloorOrder } from "./Floor.ts"
import { start as startSubject } from "./Subject.ts"

/** Unit: rounds. A short trial: `SIGNALBOX_BENCH_ROUNDS=1`. */
const rounds = Number(process.env["SIGNALBOX_BENCH_ROUNDS"] ?? 5)
const warmingUp = 2
/** One measure of one server. Unit: milliseconds. */
const span = 2_000
/** The steady load. Unit: milliseconds; questions a second. */
const steadySpan = 5_000
const steadyRate = 1_000
const steadyRounds = Math.min(3, rounds)

/** Share of a bare server's rate that ours is to have, and times of its p99 that ours may have. Source: the issue. */
const wantedRate = 0.85
const allowedLatency = 3

const note = (text: string) => process.stderr.write(`${text}\n`)

interface Measured {
  readonly pid: number
  readonly port: number
}

/** What is asked, and what every answer to it holds. */
interface Question {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As Latin-1. */
  readonly expect: string
}

const questions: ReadonlyArray<Question> = [
  {
    name: "page",
    path: "/",
    headers: {
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
      Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "Accept-Language": "de,en-US;q=0.7,en;q=0.3",
      "Accept-Encoding": "gzip, deflate"
    },
    // How every gzip begins; what follows changes with the time that the page bears.
    expect: "\u001F\u008B\b"
  },
  { name: "status", path: "/api/v1/status", headers: { "User-Agent": "curl/8.5.0", Accept: "*/*" }, expect: "\"timestamp\"" }
]

const bytesOf = ({ headers, path }: Question): string =>
  `GET ${path} HTTP/1.1\r\nHost: status.example.org\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`

/** The answer as it is, to be given by the floor; without what node adds by itself. */
const sample = (port: number, { headers, path }: Question): Promise<FloorOrder> =>
  new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", path, headers, agent: false }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
        const raw = response.rawHeaders
        const kept = raw.filter((_, index) => !/^(date|connection|keep-alive)$/i.test(raw[index - (index % 2)]!))
        resolve({ headers: kept, body: Buffer.concat(chunks) })
      })
    }).on("error", reject).end()
  })

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const scope = Effect.runSync(Scope.make())
  const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const children: Array<ChildProcess> = []
  const client = new LoadClient()
  let subject: OneDaemon | undefined
  try {
    const server = await inScope(startPostgres({ dataDir: join(folder, "postgres"), fsync: true }))
    const database = await inScope(freshDatabaseOn(server.socketDir))
    subject = await startSubject(database, join(folder, "var"))
    const ours: Measured = subject
    // What was written is shown within a moment.
    await new Promise((resolve) => setTimeout(resolve, 2_000))

    const floors = new Map<Question, Measured>()
    for (const question of questions) {
      const order = await sample(ours.port, question)
      note(`${question.name}: ${order.body.length} bytes`)
      const child = startChild("../status/Floor.ts")
      children.push(child)
      floors.set(question, { pid: child.pid!, ...(await ask<{ port: number }>(child, order)) })
    }

    const measure = async (of: Measured, question: Question) => {
      const before = usage(of.pid).node.cpu
      const outcome = await client.run({ kind: "closed", port: of.port, requests: [bytesOf(question)], expect: question.expect, duration: span })
      return { rate: (outcome.answered / outcome.elapsed) * 1_000, cost: ((usage(of.pid).node.cpu - before) / outcome.answered) * 1e6 }
    }
    const steps = questions.flatMap((question) => [
      { key: `bare ${question.name}`, of: floors.get(question)!, question },
      { key: question.name, of: ours, question }
    ])
    const seen = new Map(steps.map(({ key }) => [key, [] as Array<{ readonly rate: number; readonly cost: number }>]))
    for (let round = 1 - warmingUp; round <= rounds; round++) {
      const said: Array<string> = []
      // Every other round goes the other way, so that a machine that slows down slows no server more than another.
      for (const { key, of, question } of round % 2 === 0 ? steps : steps.toReversed()) {
        const rate = await measure(of, question)
        if (round > 0) seen.get(key)!.push(rate)
        said.push(`${key} ${rate.rate.toFixed(0)}/s ${rate.cost.toFixed(0)} µs`)
      }
      note(`round ${round}: ${said.join(", ")}${round > 0 ? "" : " (warming up)"}`)
    }

    const steady = async (of: Measured, question: Question): Promise<number> => {
      const { latencies } = await client.run({ kind: "open", port: of.port, requests: [bytesOf(question)], expect: question.expect, duration: steadySpan, rate: steadyRate })
      note(`steady ${question.name}, ${of === ours ? "ours" : "bare"}: p50 ${median(latencies).toFixed(2)} ms, p99 ${quantile(latencies, 0.99).toFixed(2)} ms`)
      return quantile(latencies, 0.99)
    }
    const figures: Array<Figure> = []
    for (const question of questions) {
      const p99s = { bare: [] as Array<number>, ours: [] as Array<number> }
      for (let round = 0; round < steadyRounds; round++) {
        p99s.bare.push(await steady(floors.get(question)!, question))
        p99s.ours.push(await steady(ours, question))
      }
      const [mine, bare] = [seen.get(question.name)!, seen.get(`bare ${question.name}`)!]
      const floor = median(p99s.bare)
      figures.push(
        figure(`${question.name} a second, to bare node:http`, median(mine.map(({ rate }) => rate)), "1/s", { floor: median(bare.map(({ rate }) => rate)) }),
        figure(`processor time of a ${question.name}, to bare node:http`, median(mine.map(({ cost }) => cost)), "µs", { floor: median(bare.map(({ cost }) => cost)) }),
        figure(`${question.name} to a bare answer`, median(mine.map(({ rate }, round) => rate / bare[round]!.rate)), "", { target: wantedRate, better: "more" }),
        figure(`p99 of ${question.name} at 1,000/s`, median(p99s.ours), "ms", { floor, target: Number((allowedLatency * floor).toPrecision(4)) })
      )
    }
    return figures
  } finally {
    await client.end()
    await subject?.end()
    await Promise.all(children.map(end))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
}
