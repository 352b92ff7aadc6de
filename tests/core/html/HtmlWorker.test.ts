import { it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { expect } from "vitest"
import * as HtmlWorker from "#core/html/HtmlWorker.ts"
import { maxInput, sanitise } from "#core/html/Sanitise.ts"
import { hostile } from "./corpus.ts"

/** A worker thread controlled by the page text. It returns other text unchanged, with the number of the thread. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort, threadId } from "node:worker_threads"
  parentPort.on("message", ({ html }) => {
    if (html === "hang") for (;;);
    if (html === "throw") throw new Error(html)
    if (html === "exit") process.exit(0)
    if (html === "eat") { const held = []; for (;;) held.push(new Array(1e6).fill({})) }
    if (html === "then exit") setTimeout(() => process.exit(0), 1)
    parentPort.postMessage({ html, blocked_images: threadId, links: [], truncated: false })
  })`)}`
)

it.live(
  "cleans like the pure function with the same options, in parallel",
  () =>
    Effect.gen(function* () {
      const worker = yield* HtmlWorker.make()
      const pages = Object.values(hostile)
      const options = { remoteImages: "show", inlineImages: new Map([["a", "/a"]]) } as const
      expect(
        yield* Effect.forEach(pages, (html) => worker.sanitise(html, options), { concurrency: "unbounded" })
      ).toEqual(pages.map((html) => sanitise(html, options)))
      expect(yield* worker.sanitise("x".repeat(maxInput + 5))).toMatchObject({
        truncated: true,
        html: "x".repeat(maxInput)
      })
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "a hanging page and one that kills its thread fail, and the next page has a new thread",
  () =>
    Effect.gen(function* () {
      // Longer than the start of a thread, which counts, takes on a busy machine.
      const worker = yield* HtmlWorker.make({ file, threads: 1, timeout: Duration.seconds(8) })
      const first = yield* worker.sanitise("fine")
      expect(yield* worker.sanitise("fine")).toEqual(first)
      expect(yield* Effect.flip(worker.sanitise("hang"))).toMatchObject({ _tag: "HtmlError", reason: "TimedOut" })
      const second = yield* worker.sanitise("fine")
      expect(second.blocked_images).not.toBe(first.blocked_images)
      for (const way of ["throw", "exit"]) {
        expect(yield* Effect.flip(worker.sanitise(way))).toMatchObject({ reason: "Broken" })
        expect(yield* worker.sanitise("fine")).toMatchObject({ html: "fine" })
      }
      // Exhausting the memory may take longer than the timeout; both outcomes are valid.
      expect(["Broken", "TimedOut"]).toContain((yield* Effect.flip(worker.sanitise("eat"))).reason)
      expect(yield* worker.sanitise("fine")).toMatchObject({ html: "fine" })
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "the death of an idle thread fails no page",
  () =>
    Effect.gen(function* () {
      const worker = yield* HtmlWorker.make({ file, threads: 1 })
      const { blocked_images: dead } = yield* worker.sanitise("then exit")
      const next = Effect.map(worker.sanitise("fine"), (page) => page.blocked_images)
      expect(yield* Effect.repeat(next, { until: (thread) => thread !== dead })).not.toBe(dead)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "refuses pages beyond the queue, and ends the thread of an interrupted caller",
  () =>
    Effect.gen(function* () {
      const worker = yield* HtmlWorker.make({ file, threads: 1, pages: 2 })
      const hanging = yield* Effect.forkChild(worker.sanitise("hang"), { startImmediately: true })
      const waiting = yield* Effect.forkChild(worker.sanitise("fine"), { startImmediately: true })
      expect(yield* Effect.flip(worker.sanitise("fine"))).toMatchObject({ reason: "Full" })
      yield* Fiber.interrupt(hanging)
      expect(yield* Fiber.join(waiting)).toMatchObject({ html: "fine" })
      expect(yield* worker.sanitise("fine")).toMatchObject({ html: "fine" })
    }).pipe(Effect.scoped),
  120_000
)
