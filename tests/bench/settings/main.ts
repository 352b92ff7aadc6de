/**
 * `npm run bench -- settings`: time from the answer to a changed setting until every process shows it, while each
 * process also answers a steady load. The setting is the installation's name, which pages of three daemons show.
 */
import { type Figure, figure, median } from "../Figure.ts"
import { LoadClient } from "../load/LoadClient.ts"
import { note, onStage } from "../load/Stage.ts"
import { serviceToken } from "../load/Token.ts"
import { startDaemon } from "../OneDaemon.ts"

/** Number of measured changes. The first one counts too. */
const changes = Number(process.env["SIGNALBOX_BENCH_CHANGES"] ?? 40)

/** Interval at which each process is asked until it shows the change. Unit: milliseconds. */
const lookEvery = 10

/** Pause between two changes. Unit: milliseconds. */
const between = 250

/** Steady load on each process. Unit: requests per second. Reason: about a third of what two cores bear. */
const rate = 300

/** Longest time until all processes show a change. Unit: milliseconds. Source: the documents promise a second. */
const allowed = 1_000

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

/** A process, and a public path of it that shows the name. */
interface Shown {
  readonly name: string
  readonly port: number
  readonly path: string
}

const textOf = async ({ path, port }: Shown): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text()

const until = async (shown: Shown, value: string): Promise<void> => {
  while (!(await textOf(shown)).includes(value)) await pause(lookEvery)
}

export const run = (): Promise<ReadonlyArray<Figure>> =>
  onStage(async ({ database, folder, keep }) => {
    const processes: Array<Shown> = []
    for (const [name, path] of [
      ["identity", "/api/v1/branding"],
      ["edge-auth", "/login"],
      ["status-checker", "/"]
    ] as const)
      processes.push({ name, path, port: keep(await startDaemon(name, database, `${folder}/${name}`)).port })
    const token = await serviceToken(database)
    const change = async (value: string): Promise<void> => {
      const answer = await fetch(
        `http://127.0.0.1:${processes[0]!.port}/api/v1/settings/platform/SIGNALBOX_BRAND_NAME`,
        {
          method: "PUT",
          headers: { "content-type": "application/json", "x-service-token": token },
          body: JSON.stringify({ value })
        }
      )
      if (answer.status !== 200) throw new Error(`the change is answered ${answer.status} ${await answer.text()}`)
    }
    const clients = processes.map(() => new LoadClient())
    let ended = false
    const load = processes.map(async ({ path, port }, at) => {
      const requests = [`GET ${path} HTTP/1.1\r\nHost: bench.test\r\n\r\n`]
      while (!ended) await clients[at]!.run({ kind: "open", port, requests, expect: "", duration: 2_000, rate })
    })
    const delays = new Map<string, Array<number>>(processes.map(({ name }) => [name, []]))
    try {
      for (let turn = 0; turn < changes; turn++) {
        const value = `Name ${turn} of the house`
        await change(value)
        const written = performance.now()
        await Promise.all(
          processes.map(async (shown) => {
            await until(shown, value)
            delays.get(shown.name)!.push(performance.now() - written)
          })
        )
        await pause(between)
      }
    } finally {
      ended = true
      await Promise.all(load)
      await Promise.all(clients.map((client) => client.end()))
    }
    return [...delays].flatMap(([name, found]) => {
      note(`${name} showed a change after ${found.map(Math.round).join(", ")} ms`)
      return [
        figure(`a changed setting visible in ${name}, median`, median(found), "ms"),
        figure("the same, slowest", Math.max(...found), "ms", { target: allowed })
      ]
    })
  })
