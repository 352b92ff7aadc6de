/** A followed log: the lines of the log and of the attached output, joined. */
import { it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { join } from "node:path"
import { describe, expect } from "vitest"
import { logs } from "#protocols/container-engine/ContainerLogs.ts"
import type { RawLine } from "#protocols/container-engine/LogFrames.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Podman from "#support/peers/Podman.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const frame = (text: string, stream = 1) => {
  const bytes = Buffer.from(text)
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

interface Kind {
  readonly podman?: boolean
  readonly input?: boolean
  readonly tty?: boolean
  readonly driver?: string
  /** Status of the answer to a request for the output. */
  readonly attach?: number
}

/** An engine whose two answers a test writes. */
const engine = Effect.fnUntraced(function* ({ attach = 200, driver, input, podman = true, tty }: Kind) {
  const socketPath = join(yield* temporaryDirectory(), "engine.sock")
  const asked: Array<string> = []
  const open: { log?: ServerResponse; output?: ServerResponse } = {}
  const server = createServer((request, response) => {
    const url = request.url ?? ""
    asked.push(`${request.method} ${url}`)
    if (podman) response.setHeader("Libpod-API-Version", "4.3.1")
    if (url.includes("/json"))
      return void response.end(
        JSON.stringify({
          State: { Status: "running", Running: true, ExitCode: 0, OOMKilled: false },
          Config: { Tty: tty ?? false, OpenStdin: input ?? false },
          HostConfig: { LogConfig: { Type: driver ?? "json-file" } }
        })
      )
    if (url.includes("/attach")) response.statusCode = attach
    response.flushHeaders()
    if (url.includes("/attach")) {
      if (attach !== 200) response.end()
      open.output = response
    } else open.log = response
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(socketPath, resolve))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return { socketPath, asked, open }
})

/** Follows a log, and collects its lines. */
const following = Effect.fnUntraced(function* (socketPath: string, name: string, lines = 0) {
  const found: Array<RawLine> = []
  const state = { ended: false, failed: false }
  const stream = yield* logs(socketPath, name, { lines, follow: true })
  yield* Effect.forkChild(
    Stream.runForEach(stream, (line) => Effect.sync(() => void found.push(line))).pipe(
      Effect.matchEffect({
        onFailure: () => Effect.sync(() => void (state.failed = true)),
        onSuccess: () => Effect.sync(() => void (state.ended = true))
      })
    )
  )
  const texts = () => found.map(({ text }) => text)
  return {
    found,
    state,
    texts,
    reaches: (count: number) =>
      until(
        `${count} lines`,
        Effect.sync(() => found.length >= count)
      )
  }
})

const time = () => new Date().toISOString()

describe("a followed log", () => {
  it.live("has the lines of the output before the log brings them, once", () =>
    Effect.gen(function* () {
      const { asked, open, socketPath } = yield* engine({})
      const log = yield* following(socketPath, "web", 1)
      yield* until(
        "the output is attached",
        Effect.sync(() => open.output !== undefined)
      )
      expect(asked.slice(1)).toEqual([
        "GET /v1.44/containers/web/logs?stdout=1&stderr=1&timestamps=1&tail=1&follow=1",
        "POST /v1.44/containers/web/attach?stream=1&stdin=0&stdout=1&stderr=1"
      ])
      open.log!.write(frame("2026-01-01T00:00:00Z an old line\n"))
      open.output!.write(frame("one\n"))
      open.log!.write(frame(`${time()} one\n`))
      yield* log.reaches(2)
      // The log is silent now.
      open.output!.write(frame("2026-01-01T00:00:00Z a time of its own\n"))
      open.output!.write(frame("to stderr\n", 2))
      yield* log.reaches(4)
      open.log!.write(frame(`${time()} 2026-01-01T00:00:00Z a time of its own\n`))
      open.log!.write(frame(`${time()} to stderr\n`, 2))
      open.log!.write(frame(`${time()} the output lacks it\n`))
      yield* log.reaches(5)
      expect(log.texts()).toEqual([
        "an old line",
        "one",
        "2026-01-01T00:00:00Z a time of its own",
        "to stderr",
        "the output lacks it"
      ])
      expect(log.found.every(({ at }) => at !== null)).toBe(true)
      expect(log.found[3]!.stream).toBe("stderr")
      // The end of the output is not the end of the log.
      open.output!.end()
      open.log!.end(frame(`${time()} last\n`))
      yield* until(
        "the log ended",
        Effect.sync(() => log.state.ended)
      )
      expect(log.texts().at(-1)).toBe("last")
    })
  )

  it.live("of a terminal has no frames", () =>
    Effect.gen(function* () {
      const { open, socketPath } = yield* engine({ tty: true })
      const log = yield* following(socketPath, "web")
      yield* until(
        "the output is attached",
        Effect.sync(() => open.output !== undefined)
      )
      open.output!.write("one\r\n")
      open.log!.write(`${time()} one\r\n`)
      yield* log.reaches(1)
      open.output!.write("two\r\n")
      yield* log.reaches(2)
      expect(log.texts()).toEqual(["one\r", "two\r"])
    })
  )

  it.live.each([
    { what: "Docker", kind: { podman: false } },
    { what: "a container with open standard input", kind: { input: true } },
    { what: "Podman with the journal", kind: { driver: "journald" } }
  ])("attaches not to $what", ({ kind }) =>
    Effect.gen(function* () {
      const { asked, open, socketPath } = yield* engine(kind)
      const log = yield* following(socketPath, "web")
      open.log!.write(frame(`${time()} one\n`))
      yield* log.reaches(1)
      expect(asked.filter((one) => one.includes("attach"))).toEqual([])
      expect(log.texts()).toEqual(["one"])
    })
  )

  it.live("needs no output: a stopped container, or a proxy that admits no POST", () =>
    Effect.gen(function* () {
      for (const attach of [403, 409, 500]) {
        const { asked, open, socketPath } = yield* engine({ attach })
        const log = yield* following(socketPath, "web")
        yield* until(
          "the output was asked for",
          Effect.sync(() => asked.some((one) => one.includes("attach")))
        )
        open.log!.write(frame(`${time()} one\n`))
        yield* log.reaches(1)
        expect(log.state).toEqual({ ended: false, failed: false })
      }
    })
  )

  it.live("fails when the connection of the log breaks", () =>
    Effect.gen(function* () {
      const { open, socketPath } = yield* engine({})
      const log = yield* following(socketPath, "web")
      open.log!.destroy()
      yield* until(
        "the log failed",
        Effect.sync(() => log.state.failed)
      )
    })
  )
})

/** Numbered lines by both streams: slowly, in bursts over the buffer of the engine, and with a line in pieces. */
const script = [
  "n=0",
  'say() { n=$((n+1)); echo "$1 $n"; }',
  "while [ ! -e /tmp/go ]; do echo waiting; sleep 0.05; done",
  "for i in 1 2 3 4 5 6 7 8 9 10; do say slow; echo err $i >&2; sleep 0.02; done",
  "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); say burst; done",
  "for i in 1 2 3; do say slow; sleep 0.3; done",
  `printf '%020000d\\n' 0`,
  "for i in 1 2 3; do say after; sleep 0.3; done",
  "echo end"
].join("; ")

describePeers(["podman", "busybox-static"], "a followed log of Podman", () => {
  it.live(
    "has every line once and in order",
    () =>
      Effect.gen(function* () {
        const podman = yield* Podman.make
        yield* podman.run("clock", { script })
        const log = yield* following(podman.socketPath, "clock", 5)
        yield* log.reaches(10)
        yield* podman.touch("clock", "/tmp/go")
        // Podman without events, as in this test, does not end the log.
        yield* until(
          "the last line",
          Effect.sync(() => log.texts().includes("end")),
          60
        )
        const numbered = log.found
          .filter(({ stream, text }) => stream === "stdout" && /^(slow|burst|after) \d+$/.test(text))
          .map(({ text }) => Number(text.split(" ")[1]))
        expect(new Set(numbered).size).toBe(numbered.length)
        expect(numbered).toEqual(numbered.toSorted((a, b) => a - b))
        expect(numbered).toHaveLength(2_016)
        expect(log.found.filter(({ stream }) => stream === "stderr").map(({ text }) => text)).toEqual(
          Array.from({ length: 10 }, (_, at) => `err ${at + 1}`)
        )
        expect(log.texts().filter((text) => text.startsWith("000"))).toHaveLength(1)
        expect(log.texts().at(-1)).toBe("end")
      }),
    120_000
  )
})
