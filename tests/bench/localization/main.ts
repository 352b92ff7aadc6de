// Benchmark of the bundles, requested like browsers and programs do: warm, compressed, and unchanged. Compares with
// bare node:http that answers the same bytes and headers from memory. Also: one changed text of 50,000 is visible in
// all processes.

import { type Figure, figure } from "../Figure.ts"
import { sample } from "../load/Sample.ts"
import { type Measured, note, onStage } from "../load/Stage.ts"
import { serviceToken } from "../load/Token.ts"
import { inTurns, latencies } from "../load/Turns.ts"
import { startDaemon } from "../OneDaemon.ts"
import { fill, visibleAfter } from "./Visible.ts"

/** Number of rounds. Set `SIGNALBOX_BENCH_ROUNDS=1` for a short trial. */
const rounds = Number(process.env["SIGNALBOX_BENCH_ROUNDS"] ?? 5)
const warmingUp = 2
/** Length of one measurement of one server. Unit: milliseconds. */
const span = 2_000
/** Steady load. Unit: milliseconds per round. */
const steadySpan = 5_000
const steadyRounds = Math.min(3, rounds)

/** Texts of a typical program, and of the largest. */
const typical = 1_000
const largest = 50_000

/** Source of the targets: the issue. `allowedDelay`: milliseconds. */
const wantedRate = 0.85
const allowedLatency = 3
const allowedDelay = 1_000

const path = "/api/v1/i18n/bundles/de"

/** A request, and the text that every answer to it must contain. */
interface Question {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Steady load, well below the highest rate. Unit: requests per second. */
  readonly rate: number
  /** Latin-1 text. */
  readonly expect: string
}

const bytesOf = ({ headers }: Question): string =>
  `GET ${path} HTTP/1.1\r\nHost: texts.example.org\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

const tagOf = ({ headers }: { readonly headers: ReadonlyArray<string> }): string =>
  headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1]!

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, floor, folder, keep, measure, p99 }) => {
    const start = (name: string) => startDaemon("localization", database, `${folder}/${name}`)
    const ours: Measured & { readonly end: () => Promise<void> } = keep(await start("one"))
    await fill(database, typical)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const browser = { "User-Agent": "Mozilla/5.0 Firefox/128.0", Accept: "*/*", "Accept-Encoding": "gzip, deflate, br" }
    const known = tagOf(await sample(ours.port, { path, headers: browser }))
    const questions: ReadonlyArray<Question> = [
      {
        name: "bundle",
        headers: { "User-Agent": "curl/8.5.0", Accept: "*/*" },
        rate: 200,
        expect: "bench.page7.text7"
      },
      { name: "compressed bundle", headers: browser, rate: 1_000, expect: "" },
      { name: "unchanged bundle", headers: { ...browser, "If-None-Match": known }, rate: 1_000, expect: known }
    ]
    const floors = new Map<Question, Measured>()
    for (const question of questions) {
      const order = await sample(ours.port, { path, headers: question.headers })
      note(`${question.name}: ${order.status}, ${order.body.length} bytes`)
      floors.set(question, await floor("../status/Floor.ts", order))
    }
    const asked = (question: Question) => ({ requests: [bytesOf(question)], expect: question.expect })
    const steps = Object.fromEntries(
      questions.flatMap((question) => [
        [`bare ${question.name}`, () => measure(floors.get(question)!, asked(question), span)],
        [question.name, () => measure(ours, asked(question), span)]
      ])
    )
    const seen = await inTurns({ rounds, warmingUp }, () => steps)
    const figures: Array<Figure> = []
    for (const question of questions) {
      const { name, rate } = question
      const bare = `bare ${name}`
      const steady = (of: Measured, who: string) => () =>
        p99(of, asked(question), { name: `${who} ${name}`, duration: steadySpan, rate })
      const late = await latencies(steadyRounds, {
        bare: steady(floors.get(question)!, "bare"),
        ours: steady(ours, "our")
      })
      figures.push(
        figure(`${name} a second, to bare node:http`, seen.rate(name), "1/s", { floor: seen.rate(bare) }),
        figure(`processor time of a ${name}, to bare node:http`, seen.cost(name), "µs", { floor: seen.cost(bare) }),
        figure(`${name} to a bare answer`, seen.ratio(name, bare), "", { target: wantedRate, better: "more" }),
        figure(`p99 of ${name} at ${rate}/s`, late.ours, "ms", {
          floor: late.bare,
          target: Number((allowedLatency * late.bare).toPrecision(4))
        })
      )
    }
    const other = keep(await start("other"))
    await fill(database, largest)
    const delays = await visibleAfter([ours.port, other.port], await serviceToken(database))
    note(`one of ${largest} texts visible after ${delays.map(Math.round).join(", ")} ms`)
    figures.push(
      figure(`one changed text of ${largest} visible in two processes, slowest`, Math.max(...delays), "ms", {
        target: allowedDelay
      })
    )
    return figures
  })
