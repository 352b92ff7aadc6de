import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { phases } from "#daemons/wake-word/training/Phases.ts"
import { trainingTopic } from "#daemons/wake-word/training/Store.ts"
import { until } from "#support/Frame.ts"
import { SpeechDouble } from "#support/SpeechDouble.ts"
import { addModel, callsOf, prefix, startWakeWord, user, wavOf, noise } from "./WakeWordSuite.ts"

const job = { word: "Computer", language: "de", size: "small" }

describe("training", () => {
  it.live(
    "runs seven phases in order, tells their progress, and stores one model with its measurements",
    () =>
      Effect.gen(function* () {
        const speech = new SpeechDouble()
        const ttsUrl = yield* Effect.acquireRelease(
          Effect.promise(() => speech.start()),
          () => Effect.promise(() => speech.stop())
        )
        const suite = yield* startWakeWord({ env: { SIGNALBOX_TTS_URL: ttsUrl } })
        const call = callsOf(suite)
        const languages = (yield* call("GET", "/languages")).json
        assert.deepStrictEqual(
          languages.map(({ language }: any) => language),
          ["de", "en"]
        )
        for (const speaker of ["Anna", "Bert", "Cleo"]) {
          const form = new FormData()
          form.set("word", "computer")
          form.set("speaker", speaker)
          form.append("files", new Blob([new Uint8Array(wavOf(noise(1, speaker.charCodeAt(0))))]), "a.wav")
          const sent = yield* Effect.promise(() =>
            fetch(`${suite.base()}${prefix}/samples/upload`, { method: "POST", body: form, headers: user() })
          )
          assert.strictEqual(sent.status, 201)
        }
        const accepted = yield* call("POST", "/train", job)
        assert.strictEqual(accepted.status, 202)
        assert.deepInclude(accepted.json, { word: "computer", name: "computer", state: "waiting", seed: 1 })
        const id = accepted.json.id as string
        yield* until(
          "the training ends",
          Effect.map(call("GET", `/training/${id}`), ({ json }) => json.finished_at !== null),
          240
        )
        const ended = (yield* call("GET", `/training/${id}`)).json
        assert.deepStrictEqual([ended.state, ended.problem, ended.attempts], ["done", null, 1])
        // It was announced: without an announcement it begins with the next look, after up to 20 s.
        assert.isBelow(Date.parse(ended.started_at) - Date.parse(ended.created_at), 10_000)
        assert.deepStrictEqual(
          ended.phases,
          phases.map((phase) => ({ phase, progress: 1 }))
        )
        // The cloud is not asked: no stand-in names it.
        assert.deepStrictEqual(
          speech.calls.map(({ provider, text }) => [provider, text]),
          [
            ["local_gpu", "computer"],
            ["local_fast", "computer"]
          ]
        )
        const told = yield* suite.sql<any>`select data from core.event
          where type = 'wakeword.training.progress' and data->>'job_id' = ${id} order by id`
        const order = told.map(({ data }) => data.phase).filter((phase, at, all) => phase !== all[at - 1])
        assert.deepStrictEqual(order, [null, ...phases])
        assert.strictEqual(told.at(-1).data.state, "done")

        const model = (yield* call("GET", "/models/computer")).json
        assert.deepInclude(model, { word: "computer", language: "de", active: false, job_id: id, seed: 1 })
        assert.isAbove(model.metrics.utterances, 19)
        assert.strictEqual(model.metrics.uploads, 2)
        assert.isAbove(model.metrics.voices.length, 1)
        assert.isAbove(model.curve.length, 10)
        assert.isNotEmpty(model.gate)
        const refused = yield* call("POST", "/models/computer/activate")
        assert.deepStrictEqual([refused.status, refused.json.code], [409, "gate_refused"])
        assert.strictEqual((yield* call("POST", "/models/computer/activate?force=true")).status, 200)
        assert.strictEqual((yield* call("GET", "/status")).json.state, "listening")
        // Nothing of the training stays: neither files nor what was derived from recordings.
        const rows = yield* suite.sql`select 1 from wake_word.training_sample`
        assert.strictEqual(rows.length, 0)
        const folder = join(suite.env["SIGNALBOX_DATA_DIR"]!, "wake-word", "trainings")
        yield* until(
          "the folder is empty",
          Effect.sync(() => !existsSync(folder) || readdirSync(folder).length === 0),
          20
        )
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "limits open trainings, refuses names and languages, and cancels within seconds",
    () =>
      Effect.gen(function* () {
        const suite = yield* startWakeWord({ env: { SIGNALBOX_WAKE_WORD_TRAININGS: "2" } })
        const call = callsOf(suite)
        yield* addModel(suite, "taken")
        const refusals = [
          yield* call("POST", "/train", { ...job, name: "taken" }),
          yield* call("POST", "/train", { ...job, language: "xx" }),
          yield* call("POST", "/train", { ...job, word: "<b>" }),
          yield* call("POST", "/train", { ...job, word: "" })
        ]
        assert.deepStrictEqual(
          refusals.map(({ json, status }) => [status, json.code]),
          [
            [409, "model_name_taken"],
            [409, "language_unknown"],
            [422, "invalid_request"],
            [422, "invalid_request"]
          ]
        )
        const first = (yield* call("POST", "/train", { ...job, size: "full" })).json
        const second = (yield* call("POST", "/train", job)).json
        assert.deepStrictEqual([second.name, second.position], ["computer-2", 1])
        assert.strictEqual((yield* call("POST", "/train", job)).json.code, "training_quota")
        const state = (id: string) => Effect.map(call("GET", `/training/${id}`), ({ json }) => json)
        yield* until(
          "the first runs",
          Effect.map(state(first.id), ({ phases: [one] }) => one.progress > 0),
          60
        )
        assert.strictEqual((yield* callsOf(suite, 2)("POST", `/training/${first.id}/cancel`)).status, 404)
        const cancelled = yield* call("POST", `/training/${first.id}/cancel`)
        assert.deepStrictEqual([cancelled.status, cancelled.json.state], [200, "cancelled"])
        assert.strictEqual((yield* call("POST", `/training/${first.id}/cancel`)).json.code, "training_ended")
        yield* until(
          "the second runs",
          Effect.map(state(second.id), (job) => job.state !== "waiting"),
          30
        )
        assert.strictEqual((yield* call("POST", `/training/${second.id}/cancel`)).status, 200)
        assert.deepStrictEqual(
          (yield* call("GET", "/training")).json.items.map(({ state }: any) => state),
          ["cancelled", "cancelled"]
        )
        assert.deepStrictEqual((yield* callsOf(suite, 2)("GET", "/training")).json.items, [])
        assert.strictEqual((yield* callsOf(suite, 1, "wakeword.read")("POST", "/train", job)).status, 403)
      }).pipe(Effect.scoped),
    120_000
  )

  it.live(
    "fails clearly on a full disk, and the active model stays",
    () =>
      Effect.gen(function* () {
        const suite = yield* startWakeWord()
        const call = callsOf(suite)
        yield* addModel(suite, "computer")
        yield* call("POST", "/models/computer/activate")
        const id = "00000000-0000-4000-8000-000000000001"
        const folder = join(suite.env["SIGNALBOX_DATA_DIR"]!, "wake-word", "trainings", id)
        yield* suite.sql`insert into wake_word.training
            (id, tenant_id, word, language, name, seed, size, use_uploads, requested_by)
          values (${id}, 1, 'computer', 'de', 'second', 1, 'small', true, 'test')`
        mkdirSync(folder, { recursive: true })
        symlinkSync("/dev/full", join(folder, "samples_tts.bin"))
        yield* suite.sql`select pg_notify('signalbox', ${trainingTopic})`
        yield* until(
          "the training ends",
          Effect.map(call("GET", `/training/${id}`), ({ json }) => json.finished_at !== null),
          60
        )
        const ended = (yield* call("GET", `/training/${id}`)).json
        assert.deepStrictEqual(
          [ended.state, ended.problem, ended.phase],
          ["failed", "The disk of the data directory is full.", "samples_tts"]
        )
        const status = (yield* call("GET", "/status")).json
        assert.deepStrictEqual([status.state, status.model.name], ["listening", "computer"])
        assert.strictEqual((yield* call("GET", "/models")).json.items.length, 1)
      }).pipe(Effect.scoped),
    120_000
  )
})
