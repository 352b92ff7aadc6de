/**
 * The wake word in a browser whose microphone is a WAV file, before a real daemon: recordings, a training, activation,
 * wakes by both engines, equal scores, and a server that goes away. Only in the long run, because a training takes up
 * to two minutes on a busy machine; Page.test.ts and tests/console/wake-word have the parts.
 */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page, WebSocketRoute } from "playwright-core"
import { afterAll, beforeAll, expect, it as test } from "vitest"
import { writeWav } from "#core/speech/WavFile.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { identity } from "#daemons/identity/Daemon.ts"
import { wakeWord } from "#daemons/wake-word/Daemon.ts"
import { openHead } from "#protocols/wake-word/HeadModel.ts"
import { ownEmbeddingFile } from "#protocols/wake-word/OpenExtractor.ts"
import { ownExtractor } from "#protocols/wake-word/OwnExtractor.ts"
import { loadRuntime } from "#protocols/wake-word/Runtime.ts"
import { stepSamples } from "#protocols/wake-word/Shape.ts"
import { runSteps } from "#protocols/wake-word/Steps.ts"
import { makeStream, pushBytes } from "#protocols/wake-word/StreamState.ts"
import { consoleTests, type ConsoleUser, password } from "#support/console/Console.ts"
import { spoken } from "#support/EspeakVoices.ts"
import { ensurePeers } from "#support/peers/install.ts"
import type * as Library from "../../../../console/wake-word/WakeWord.ts"
import { check } from "../operations/Answering.ts"

const it = test.runIf(process.env["SIGNALBOX_TEST_LONG"] === "1")

const word = "computer"
const folder = mkdtempSync(join(tmpdir(), "signalbox-microphone-"))
const recording = join(folder, "microphone.wav")

/** Silence after each word. Unit: samples; 1 s. */
const silence = 16_000

/** The word by several voices, which the microphone repeats without end. */
const speech = async (): Promise<Int16Array> => {
  const clips: Array<Int16Array> = []
  for (const [voice, speed] of [
    ["en-us", 160],
    ["en-gb", 150],
    ["en-us+f3", 170],
    ["en-gb+m3", 145]
  ] as const)
    clips.push(await spoken({ voice, text: word, speed, pitch: 50 }), new Int16Array(silence))
  return Int16Array.from(clips.flatMap((clip) => Array.from(clip)))
}

let microphone: Int16Array
beforeAll(async () => {
  await ensurePeers(["speech"])
  microphone = await speech()
  writeFileSync(recording, writeWav(Buffer.from(microphone.buffer), 16_000))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const console = consoleTests({
  daemons: [identity, commDispatcher, wakeWord],
  env: { SIGNALBOX_WAKE_WORD_THREADS: "1", SIGNALBOX_WAKE_WORD_NICENESS: "0" },
  browserArgs: [
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-audio-capture=${recording}`
  ]
})

/** Longest wait for a training or a wake. Unit: milliseconds. Reason: a loaded machine. */
const patience = 240_000

let admin: ConsoleUser

const tokenOf = async (page: Page, { email }: ConsoleUser): Promise<string> => {
  const answer = await page.context().request.post(`${console.base}/api/v1/auth/login`, { data: { email, password } })
  return ((await answer.json()) as { readonly access_token: string }).access_token
}

it("records a word, trains it, activates the model and wakes with both engines", async () => {
  admin = await console.user({ role: "admin" })
  const page = await console.open(admin, "/wake-word/recordings", { permissions: ["microphone"] })
  await page.getByLabel("Word or phrase").fill(word)
  await page.getByRole("button", { name: "Record", exact: true }).click()
  await page.getByRole("button", { name: "Upload 1 recording" }).click()
  await page.getByText("1 recording is stored.").waitFor()
  await page.getByRole("link", { name: word }).click()
  const row = page.getByRole("row", { name: /recording-1\.wav/ })
  await row.getByText("3 sec").waitFor()
  await row.getByRole("button", { name: /^Play/ }).click()
  await row.getByRole("button", { name: /^Stop/ }).waitFor()

  await page.getByRole("link", { name: "Models" }).click()
  await page.getByLabel("Word or phrase").fill(word)
  await page.getByLabel("Size").selectOption("small")
  await page.getByRole("button", { name: "Train" }).click()
  const model = page.getByRole("link", { name: "See the model" })
  await model.waitFor({ timeout: patience })
  await model.click()
  await page.getByRole("heading", { level: 1, name: word }).waitFor()
  console.expecting(/status of 409 .*\/models\/.*\/activate/)
  await page.getByRole("button", { name: /^Activate/ }).click()
  await page.getByRole("button", { name: "Activate anyway" }).click()
  await page.getByText("active for all users").waitFor()

  await page.getByRole("link", { name: "Try it" }).click()
  await page.getByRole("button", { name: "Listen" }).click()
  await page.getByText(`Listens for “${word}”. The sound goes to this server.`).waitFor()
  await expect
    .poll(() => page.getByRole("meter").evaluate(({ value }: HTMLMeterElement) => value), { timeout: 30_000 })
    .toBeGreaterThan(0.3)
  const wakes = page.getByRole("log")
  await wakes.getByText("server", { exact: true }).first().waitFor({ timeout: patience })
  await page.getByLabel("Engine").selectOption("browser")
  await page.getByText(`Listens for “${word}” in this browser.`).waitFor({ timeout: patience })
  await wakes.getByText("browser", { exact: true }).first().waitFor({ timeout: patience })
  await check(page, "wake-word-try")
  await page.getByRole("button", { name: "Stop" }).click()
  await page.getByText("Not listening.").waitFor()
}, 600_000)

type Loaded = { readonly library: typeof Library }

/** Loads the library as pages outside of the console do. An expression, because the test runner rewrites imports. */
const load = (page: Page) =>
  page.evaluate("import('/console/wake-word.js').then((library) => void Object.assign(globalThis, { library }))")

/** Scores of the server's engine for the sound, in steps of 80 ms. */
const serverScores = async (file: Uint8Array, sound: Int16Array): Promise<ReadonlyArray<number>> => {
  const runtime = await Effect.runPromise(loadRuntime())
  const embedding = readFileSync(ownEmbeddingFile)
  const session = await Effect.runPromise(runtime.open(embedding))
  const extractor = await ownExtractor(session, createHash("sha256").update(embedding).digest("hex"))
  const head = await Effect.runPromise(openHead(runtime, file, extractor.id))
  const stream = makeStream(extractor.idle)
  const scores: Array<number> = []
  for (let at = 0; at + stepSamples <= sound.length; at += stepSamples) {
    const part = sound.subarray(at, at + stepSamples)
    pushBytes(stream, new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
    scores.push((await runSteps(extractor, [{ stream, head, threshold: head.threshold }]))[0]!.score)
  }
  return scores
}

it("computes the scores of the server in the browser", async () => {
  const page = await console.open(admin, "/wake-word/recordings")
  const token = await tokenOf(page, admin)
  const answer = await page
    .context()
    .request.get(`${console.base}/api/v1/wakeword/models/${word}/file`, {
      headers: { authorization: `Bearer ${token}` }
    })
  expect(answer.status()).toBe(200)
  const expected = await serverScores(new Uint8Array(await answer.body()), microphone)
  await load(page)
  const found = await page.evaluate(
    async ([token, sound]) => {
      const { openBrowserEngine } = (globalThis as unknown as Loaded).library
      const ask = (path: string) => fetch(path, { headers: { authorization: `Bearer ${token}` } })
      const { model } = (await (await ask("/api/v1/wakeword/status")).json()) as Library.WakeWordStatus
      const scores: Array<number> = []
      let next: ((problem: unknown) => void) | undefined
      const engine = await openBrowserEngine(ask, model!.extractor, {
        step: (score) => {
          scores.push(score)
          next?.(undefined)
        },
        failed: (problem) => next?.(problem)
      })
      const samples = Int16Array.from(sound)
      for (let at = 0; at + 1_280 <= samples.length; at += 1_280) {
        const done = new Promise((resolve) => (next = resolve))
        engine.push(samples.slice(at, at + 1_280))
        const problem = await done
        if (problem !== undefined) throw new Error(String(problem))
      }
      engine.close()
      return scores
    },
    [token, Array.from(microphone)] as const
  )
  expect(found.length).toBe(expected.length)
  expect(Math.max(...expected)).toBeGreaterThan(0.1)
  expect(Math.max(...found.map((score, at) => Math.abs(score - expected[at]!)))).toBeLessThan(1e-3)
}, 300_000)

it("reconnects five times at growing distance when the server is gone, and falls back", async () => {
  const links: Array<WebSocketRoute> = []
  const asked: Array<number> = []
  let gone = false
  const page = await console.open(admin, "/wake-word/recordings", {
    permissions: ["microphone"],
    before: async (page) => {
      await page.addInitScript(() => {
        class Recognition {
          onresult: ((event: unknown) => void) | undefined
          start() {
            setTimeout(() =>
              this.onresult?.({ resultIndex: 0, results: [[{ transcript: "Hey Computer", confidence: 0.9 }]] })
            )
          }
          abort() {}
        }
        Object.assign(globalThis, { SpeechRecognition: Recognition })
      })
      await page.routeWebSocket(/wakeword\/ws/, (link) => {
        links.push(link)
        link.connectToServer()
      })
      await page.route("**/api/v1/wakeword/status", (route) => {
        if (!gone) return route.continue()
        asked.push(performance.now())
        return route.abort()
      })
    }
  })
  console.expecting(/ERR_FAILED/)
  const token = await tokenOf(page, admin)
  await load(page)
  const start = () =>
    page.evaluate((token) => {
      const { makeListener } = (globalThis as unknown as Loaded).library
      const [states, wakes]: [Array<Library.ListenerState>, Array<Library.Wake>] = [[], []]
      Object.assign(globalThis, { states, wakes })
      makeListener({
        engine: "server",
        ask: (path) => fetch(path, { headers: { authorization: `Bearer ${token}` } }),
        reconnect: { base: 100 },
        onState: (state) => states.push(state),
        onWake: (wake) => wakes.push(wake)
      }).start()
    }, token)
  const states = () =>
    page.evaluate(() => (globalThis as unknown as { states: ReadonlyArray<Library.ListenerState> }).states)
  const becomes = (kind: Library.ListenerState["kind"]) =>
    expect.poll(async () => (await states()).at(-1)?.kind, { timeout: 30_000 }).toBe(kind)
  /** Starts to listen, and cuts the server off. */
  const cut = async () => {
    gone = false
    await start()
    await becomes("listening")
    gone = true
    await links.at(-1)!.close()
  }
  // A connection that ends comes back with a ticket of its own.
  await start()
  await becomes("listening")
  await links[0]!.close()
  await expect
    .poll(async () => (await states()).map(({ kind }) => kind), { timeout: 30_000 })
    .toEqual(["starting", "listening", "reconnecting", "listening"])
  expect(new Set(links.map((link) => link.url())).size).toBe(2)

  await cut()
  await becomes("fallback")
  const seen = await states()
  const delays = seen.flatMap((state) => (state.kind === "reconnecting" ? [state.delay] : []))
  expect(delays.length).toBe(5)
  expect(asked.length).toBe(5)
  for (const [at, delay] of delays.entries()) expect(delay).toBeGreaterThan(at === 0 ? 99 : delays[at - 1]!)
  expect(seen.at(-1)).toMatchObject({ kind: "fallback", reason: "server_gone", word })
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as { wakes: ReadonlyArray<Library.Wake> }).wakes))
    .toEqual(expect.arrayContaining([expect.objectContaining({ by: "recognition", word })]))

  // A browser without a recognition of its own says why it stopped.
  await page.evaluate(() =>
    Object.assign(globalThis, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined })
  )
  await cut()
  await becomes("stopped")
  expect((await states()).at(-1)).toEqual({ kind: "stopped", reason: "server_gone" })
  expect(asked.length).toBe(10)
}, 120_000)
