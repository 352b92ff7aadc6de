/** The pages of the wake word with answers in place of the daemon: training, models, recordings, and a trial. */
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { consoleTests } from "#support/console/Console.ts"
import { answering, before, check, signedInConsole, type Stub } from "../operations/Answering.ts"
import { languages, model, none, noWords, sample, status, training, weakModel } from "./Answers.ts"

const console = consoleTests({
  ...signedInConsole,
  browserArgs: ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
})

/** Opens a page before these answers. */
const open = async (
  path: string,
  answers: Parameters<typeof answering>[1],
  { before, role = "admin" }: { readonly role?: string; readonly before?: (page: Page) => Promise<unknown> } = {}
) => {
  let stub!: Stub
  const user = await console.user({ role })
  const page = await console.open(user, path, {
    before: async (page) => {
      stub = await answering(page, answers)
      await before?.(page)
    },
    permissions: ["microphone"]
  })
  return { page, stub, user }
}

it("says what to do while there is nothing", async () => {
  const { page } = await open("/wake-word", {
    "GET /api/v1/wakeword/languages": languages,
    "GET /api/v1/wakeword/training": none,
    "GET /api/v1/wakeword/models": none,
    "GET /api/v1/wakeword/samples": noWords,
    "GET /api/v1/wakeword/status": status()
  })
  await page.getByText("Type a word above.").waitFor()
  await page.getByText("Train a word: its model appears here").waitFor()
  await check(page, "wake-word-empty")
  await page.getByRole("link", { name: "Recordings" }).click()
  await page.getByText("There are no recordings yet.").waitFor()
  await check(page, "wake-word-recordings-empty")
  await page.getByRole("link", { name: "Try it" }).click()
  await page.getByText("No model is active, so the browser's own recognition").waitFor()
  await check(page, "wake-word-try-empty")
}, 120_000)

it("trains a word, shows its phases live and cancels it", async () => {
  let trainings = [training("older", { id: "old", state: "failed", problem: "espeak-ng is gone" })]
  const { page, stub, user } = await open("/wake-word", {
    "GET /api/v1/wakeword/languages": languages,
    "GET /api/v1/wakeword/training": () => ({ items: trainings, next_before: null }),
    "GET /api/v1/wakeword/models": { items: [model("hey-computer-1", { active: true }), weakModel], next_before: null },
    "POST /api/v1/wakeword/train": ({ payload }) => {
      trainings = [training(payload.word), ...trainings]
      return trainings[0]!
    },
    "POST /api/v1/wakeword/training/:job_id/cancel": () => {
      trainings = [{ ...trainings[0]!, state: "cancelled", finished_at: before(0) }, ...trainings.slice(1)]
      return trainings[0]!
    }
  })
  await page.getByLabel("Word or phrase").fill("  hello   house ")
  await page.getByLabel("Size").selectOption("small")
  await page.getByRole("button", { name: "Train" }).click()
  const phases = page.getByRole("list", { name: "Phases of hello house" })
  await phases.waitFor()
  expect(stub.asked("POST /api/v1/wakeword/train").map(({ payload }) => payload)).toEqual([
    { word: "hello house", language: "en", size: "small", use_uploads: true }
  ])
  expect(await phases.getByRole("listitem").count()).toBe(7)

  await page.locator(".shell[data-live=open]").waitFor()
  const progress = { job_id: trainings[0]!.id, word: "hello house", name: "hello-house-1", problem: null }
  const current = phases.locator("[aria-current=step]")
  await console.emit(
    "wakeword.training.progress",
    { ...progress, state: "running", phase: "train", progress: 0.73 },
    { tenantId: user.tenant }
  )
  await current.getByText("73%").waitFor()
  expect(await current.textContent()).toContain("Train the network")
  await check(page, "wake-word")

  await page.getByRole("button", { name: /^Cancel.*hello house/ }).click()
  await page.getByRole("button", { name: "Really cancel?" }).click()
  await page.getByText("cancelled", { exact: true }).waitFor()
  expect(await phases.count()).toBe(0)
}, 120_000)

it("explains a refused activation, activates anyway, and shows the curve", async () => {
  let active = "hey-computer-1"
  const models = () => [model("hey-computer-1"), weakModel].map((one) => ({ ...one, active: one.name === active }))
  const { page, stub } = await open("/wake-word", {
    "GET /api/v1/wakeword/languages": languages,
    "GET /api/v1/wakeword/training": none,
    "GET /api/v1/wakeword/models": () => ({ items: models(), next_before: null }),
    "GET /api/v1/wakeword/models/:name": ({ params: [name] }) => models().find((one) => one.name === name)!,
    "POST /api/v1/wakeword/models/:name/activate": ({ params: [name], query }) => {
      if (query.get("force") !== "true")
        return {
          status: 409,
          problem: { code: "gate_refused", title: "The model does not reach the bounds", reasons: weakModel.gate }
        }
      active = name!
      return models()[1]!
    },
    "POST /api/v1/wakeword/models/:name/deactivate": () => {
      active = ""
      return models()[1]!
    },
    "DELETE /api/v1/wakeword/models/:name": () => ({
      status: 409,
      problem: { code: "model_active", title: "The model is active" }
    })
  })
  console.expecting(/status of 409 .*\/wakeword\/models/)
  const row = page.getByRole("row", { name: /trial-2/ })
  await row.getByRole("button", { name: /^Activate/ }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByText("2.4 false accepts an hour, more than 0.5").waitFor()
  await check(page, "wake-word-gate")
  await dialog.getByRole("button", { name: "Activate anyway" }).click()
  await row.getByText("active", { exact: true }).waitFor()
  expect(await dialog.count()).toBe(0)
  expect(stub.asked("POST /api/v1/wakeword/models/:name/activate").map(({ query }) => query.get("force"))).toEqual([
    null,
    "true"
  ])

  await page.getByRole("button", { name: /^Delete.*hey-computer-1/ }).click()
  await page.getByRole("button", { name: "Really delete?" }).click()
  await page.getByText("The model is active. Deactivate it first.").waitFor()

  await page.getByRole("link", { name: "trial-2" }).click()
  await page.getByRole("img", { name: /Curve over thresholds. At 0.45: / }).waitFor()
  await page.getByText("2.4 an hour (1 in 3.2 h)").waitFor()
  await check(page, "wake-word-model")
  await page.route("**/wakeword/models/trial-2/file", (route) => route.fulfill({ body: "onnx" }))
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Download" }).click()
  expect((await download).suggestedFilename()).toBe("trial-2.onnx")
  await page.getByRole("button", { name: "Deactivate" }).click()
  await page.getByRole("button", { name: "Really? Then nothing listens." }).click()
  await page.getByText("not active", { exact: true }).waitFor()
}, 120_000)

/** Takes no microphone in an audio context of another rate, as Firefox: the page then resamples by itself. */
const refuseRates = (page: Page) =>
  page.addInitScript(() => {
    const Plain = AudioContext
    globalThis.AudioContext = class extends Plain {
      override createMediaStreamSource(stream: MediaStream) {
        if (this.sampleRate === 16_000) throw new DOMException("another rate", "NotSupportedError")
        return super.createMediaStreamSource(stream)
      }
    }
  })

/** Loudest sample of the WAV file in a form. */
const loudest = (form: Buffer): number => {
  const at = form.indexOf("data", form.indexOf("RIFF")) + 4
  const length = form.readUInt32LE(at)
  expect(length).toBe(96_000)
  return Math.max(...Array.from({ length: length / 2 }, (_, index) => Math.abs(form.readInt16LE(at + 4 + index * 2))))
}

it("records, uploads, plays and deletes recordings", async () => {
  let samples = [sample(1), sample(2)]
  const uploads: Array<Buffer> = []
  const answers = {
    "GET /api/v1/wakeword/samples/:word": () => ({ items: samples, next_before: null }),
    "GET /api/v1/wakeword/samples": noWords,
    "DELETE /api/v1/wakeword/samples/:word/:id": ({ params: [, id] }) => {
      samples = samples.filter((one) => String(one.id) !== id)
    },
    "DELETE /api/v1/wakeword/samples/:word": { deleted: 2 }
  } satisfies Parameters<typeof answering>[1]
  const { page, stub } = await open("/wake-word/recordings/hey%20computer", answers, { before: refuseRates })
  await page.route("**/api/v1/wakeword/samples/upload", (route) => {
    uploads.push(route.request().postDataBuffer()!)
    samples = [sample(3), ...samples]
    return route.fulfill({
      status: 201,
      json: {
        items: [sample(3)],
        refused: [{ name: "song.mp3", reason: "the WAV file cannot be used: it is no RIFF/WAVE file" }]
      }
    })
  })
  // The recording ends by itself after three seconds of the browser's own beeping microphone.
  const meter = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        new MutationObserver(() => {
          const found = document.querySelector("meter")
          if (found !== null) resolve(found.ariaLabel ?? "")
        }).observe(document.body, { childList: true, subtree: true })
      )
  )
  await page.getByRole("button", { name: "Record", exact: true }).click()
  expect(await meter).toBe("Level of the microphone")
  await page.getByLabel("Who speaks").fill("Anna")
  const waiting = page.getByRole("list", { name: "Recordings to upload" })
  await waiting.getByText("recording-1.wav", { exact: true }).waitFor()
  await waiting.getByText("96 kB").waitFor()
  await page
    .locator("input[type=file]")
    .setInputFiles([{ name: "song.mp3", mimeType: "audio/mpeg", buffer: Buffer.from("ID3") }])
  await page.getByRole("button", { name: "Upload 2 recordings" }).click()
  await page.getByText("1 recording is stored.").waitFor()
  await page.getByText("song.mp3: the WAV file cannot be used").waitFor()
  await page.getByRole("row", { name: /recording-3\.wav/ }).waitFor()
  expect(uploads.length).toBe(1)
  const form = uploads[0]!.toString("latin1")
  expect(form).toContain('name="word"\r\n\r\nhey computer\r\n')
  expect(form).toContain('name="speaker"\r\n\r\nAnna\r\n')
  expect(form).toMatch(/filename="recording-1\.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF/)
  expect(loudest(uploads[0]!)).toBeGreaterThan(1_000)
  await check(page, "wake-word-recordings")

  await page.getByRole("button", { name: /^Delete.*recording-1/ }).click()
  await page.getByRole("button", { name: "Really delete?" }).click()
  await page.getByRole("row", { name: /recording-1\.wav/ }).waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Delete all of this word" }).click()
  await page.getByRole("button", { name: /^Really delete all/ }).click()
  await page.getByText("There are no recordings yet.").waitFor()
  expect(stub.asked("DELETE /api/v1/wakeword/samples/:word").length).toBe(1)
}, 120_000)

it("listens with the browser's own recognition while no model is active", async () => {
  const { page } = await open(
    "/wake-word/try",
    { "GET /api/v1/wakeword/status": status() },
    {
      before: (page) =>
        page.addInitScript(() => {
          class Recognition {
            onresult: ((event: unknown) => void) | undefined
            start() {
              const results = [[{ transcript: "so hey Computer what", confidence: 0.87 }]]
              // Interim results repeat the sentence.
              setTimeout(() => this.onresult?.({ resultIndex: 0, results }))
              setTimeout(() => this.onresult?.({ resultIndex: 0, results }))
            }
            abort() {}
          }
          Object.assign(globalThis, { SpeechRecognition: Recognition })
        })
    }
  )
  await page.getByLabel("Word for the browser's recognition").fill("hey computer")
  await page.getByRole("button", { name: "Listen" }).click()
  await page.getByText("No model is active. The browser's own recognition listens for “hey computer”.").waitFor()
  const wakes = page.getByRole("log").getByRole("listitem")
  await wakes.getByText("0.87").waitFor()
  expect(await wakes.count()).toBe(1)
  await page.getByRole("button", { name: "Stop" }).click()

  await page.evaluate(() =>
    Object.assign(globalThis, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined })
  )
  await page.getByRole("button", { name: "Listen" }).click()
  await page.getByText("It has stopped. No model is active. This browser has no recognition of its own.").waitFor()
}, 120_000)

it("says that the connection is gone, and how often it reconnects", async () => {
  const address = `${console.base.replace("http", "ws")}/wakeword/ws?ticket=t`
  const { page } = await open(
    "/wake-word/try",
    {
      "GET /api/v1/wakeword/status": status({
        state: "listening",
        model: model("hey-computer-1", { active: true }),
        websocket_url: address
      })
    },
    { before: (page) => page.routeWebSocket(address, (link) => link.close({ code: 1001 })) }
  )
  // The scores need the model's files, which this daemon does not have.
  console.expecting(/status of 404 .*\/wakeword\/active\//)
  await page.getByRole("button", { name: "Listen" }).click()
  await page.getByText(/^The connection is gone\. Reconnect \d of 5 in \d+\.\d s\.$/).waitFor()
  await page.getByText(/Reconnect [2-5] of 5/).waitFor()
  await page.getByRole("button", { name: "Stop" }).click()
  await page.getByText("Not listening.").waitFor()
}, 120_000)

it("shows models to users who may only read, without buttons", async () => {
  const { page } = await open(
    "/wake-word",
    {
      "GET /api/v1/wakeword/training": none,
      "GET /api/v1/wakeword/models": { items: [model("hey-computer-1")], next_before: null }
    },
    { role: "user" }
  )
  await page.getByRole("row", { name: /hey-computer-1/ }).waitFor()
  expect(await page.getByRole("button", { name: /^(Train|Activate|Delete)/ }).count()).toBe(0)
}, 120_000)
