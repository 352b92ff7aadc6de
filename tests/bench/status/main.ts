// Benchmark of the public status page and the overall status, requested like browsers and programs do. Compares with
// bare node:http that answers the same bytes and headers from memory.

import { type Figure, figure } from "../Figure.ts"
import { sample } from "../load/Sample.ts"
import { type Measured, note, onStage } from "../load/Stage.ts"
import { inTurns, latencies } from "../load/Turns.ts"
import { start as startSubject } from "./Subject.ts"

/** Number of rounds. Set `SIGNALBOX_BENCH_ROUNDS=1` for a short trial. */
const rounds = Number(process.env["SIGNALBOX_BENCH_ROUNDS"] ?? 5)
const warmingUp = 2
/** Length of one measurement of one server. Unit: milliseconds. */
const span = 2_000
/** Steady load. `steadySpan`: milliseconds per round. `steadyRate`: requests per second. */
const steadySpan = 5_000
const steadyRate = 1_000
const steadyRounds = Math.min(3, rounds)

/**
 * `wantedRate`: smallest share of the bare server's rate. `allowedLatency`: largest multiple of its p99. Source: the
 * issue.
 */
const wantedRate = 0.85
const allowedLatency = 3

/** A request, and the text that every answer to it must contain. */
interface Question {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Latin-1 text. */
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
    // First bytes of every gzip stream. The rest changes with the time shown on the page.
    expect: "\u001F\u008B\b"
  },
  {
    name: "status",
    path: "/api/v1/status",
    headers: { "User-Agent": "curl/8.5.0", Accept: "*/*" },
    expect: '"timestamp"'
  }
]

const bytesOf = ({ headers, path }: Question): string =>
  `GET ${path} HTTP/1.1\r\nHost: status.example.org\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, floor, folder, keep, measure, p99 }) => {
    const ours: Measured = keep(await startSubject(database, folder))
    // The written incidents appear after a short delay.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const floors = new Map<Question, Measured>()
    for (const question of questions) {
      const order = await sample(ours.port, question)
      note(`${question.name}: ${order.body.length} bytes`)
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
      const { name } = question
      const bare = `bare ${name}`
      const steady = (of: Measured, who: string) => () =>
        p99(of, asked(question), { name: `${who} ${name}`, duration: steadySpan, rate: steadyRate })
      const late = await latencies(steadyRounds, {
        bare: steady(floors.get(question)!, "bare"),
        ours: steady(ours, "our")
      })
      figures.push(
        figure(`${name} a second, to bare node:http`, seen.rate(name), "1/s", { floor: seen.rate(bare) }),
        figure(`processor time of a ${name}, to bare node:http`, seen.cost(name), "µs", { floor: seen.cost(bare) }),
        figure(`${name} to a bare answer`, seen.ratio(name, bare), "", { target: wantedRate, better: "more" }),
        figure(`p99 of ${name} at 1,000/s`, late.ours, "ms", {
          floor: late.bare,
          target: Number((allowedLatency * late.bare).toPrecision(4))
        })
      )
    }
    return figures
  })
