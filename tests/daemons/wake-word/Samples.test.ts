import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import { callsOf, noise, prefix, startWakeWord, user, wavOf } from "./WakeWordSuite.ts"

type File = readonly [name: string, bytes: Uint8Array]

const upload = (suite: TestSuite, fields: Record<string, string>, files: ReadonlyArray<File>, tenant = 1) =>
  Effect.promise(async () => {
    const form = new FormData()
    // Fields may follow the files.
    for (const [name, bytes] of files) form.append("files", new Blob([new Uint8Array(bytes)]), name)
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const answer = await fetch(`${suite.base()}${prefix}/samples/upload`, {
      method: "POST",
      body: form,
      headers: user(tenant)
    })
    return { status: answer.status, json: (await answer.json()) as any }
  })

const one = (seed: number): File => [`${seed}.wav`, wavOf(noise(1, seed))]

describe("recordings", () => {
  it.live("are stored by word with 16 kHz, listed, played and deleted with what was derived from them", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      const call = callsOf(suite)
      const sent = yield* upload(suite, { word: "Hallo Computer", speaker: "Anna" }, [
        one(1),
        one(2),
        ["../../etc/slow.wav", wavOf(noise(1, 3), 8_000)]
      ])
      assert.strictEqual(sent.status, 201)
      assert.deepStrictEqual(sent.json.refused, [])
      assert.deepInclude(sent.json.items[0], {
        word: "hallo computer",
        speaker: "Anna",
        name: "1.wav",
        duration_ms: 1_000,
        original_rate: 16_000
      })
      assert.deepInclude(sent.json.items[2], { name: "slow.wav", duration_ms: 2_000, original_rate: 8_000 })
      yield* upload(suite, { word: "licht" }, [one(9)])
      const listed = (yield* call("GET", "/samples?limit=1")).json
      assert.deepStrictEqual([listed.items.length, listed.next_after], [1, "hallo computer"])
      assert.deepInclude(listed.items[0], { word: "hallo computer", count: 3, speakers: 1, duration_ms: 4_000 })
      assert.strictEqual(listed.items[0].samples.length, 3)
      const rest = (yield* call("GET", "/samples?after=hallo%20computer")).json
      assert.deepStrictEqual([rest.items[0].word, rest.next_after], ["licht", null])
      const page = (yield* call("GET", "/samples/Hallo%20Computer?limit=2")).json
      assert.strictEqual(page.items.length, 2)

      const [first] = sent.json.items
      const audio = yield* Effect.promise(() =>
        fetch(`${suite.base()}${prefix}/samples/hallo%20computer/${first.id}/audio`, { headers: user() })
      )
      assert.strictEqual(audio.headers.get("content-type"), "audio/wav")
      assert.deepStrictEqual(
        Buffer.from(yield* Effect.promise(() => audio.arrayBuffer())),
        Buffer.from(wavOf(noise(1, 1)))
      )

      const [training] = yield* suite.sql<any>`insert into wake_word.training
        (tenant_id, word, language, name, seed, size, use_uploads, requested_by)
        values (1, 'hallo computer', 'de', 'x', 1, 'small', true, 'test') returning id`
      yield* suite.sql`insert into wake_word.training_sample (job_id, sample_id, tenant_id, held_out, features)
        select ${training.id}, id, 1, false, '\\x00' from wake_word.sample`
      assert.strictEqual((yield* call("DELETE", `/samples/hallo%20computer/${first.id}`)).status, 204)
      assert.strictEqual((yield* call("DELETE", `/samples/hallo%20computer/${first.id}`)).status, 404)
      assert.deepStrictEqual((yield* call("DELETE", "/samples/hallo%20computer")).json, { deleted: 2 })
      const left = yield* suite.sql<any>`select s.word from wake_word.training_sample t
        join wake_word.sample s on s.id = t.sample_id`
      assert.deepStrictEqual(
        left.map(({ word }) => word),
        ["licht"]
      )
      const audits =
        yield* suite.sql<any>`select action from core.audit where entity_type = 'wakeword_sample' order by id`
      assert.deepStrictEqual(
        audits.map(({ action }) => action.slice("wakeword_sample.".length)),
        ["uploaded", "uploaded", "deleted", "deleted"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("are refused with a reason when they are hostile, and hidden from other tenants", () =>
    Effect.gen(function* () {
      const suite = yield* startWakeWord()
      const good = one(4)
      const mixed = yield* upload(suite, { word: "licht" }, [
        good,
        good,
        ["empty.wav", new Uint8Array()],
        ["text.wav", Buffer.from("<html>")],
        ["cut.wav", good[1].subarray(0, 30)],
        ["long.wav", wavOf(noise(3.1))],
        ["short.wav", wavOf(noise(0.05))]
      ])
      assert.strictEqual(mixed.status, 201)
      assert.deepStrictEqual(mixed.json.refused.map(({ name }: any) => name).toSorted(), [
        "4.wav",
        "cut.wav",
        "empty.wav",
        "long.wav",
        "short.wav",
        "text.wav"
      ])
      for (const { reason } of mixed.json.refused) assert.isAbove(reason.length, 10)
      const again = yield* upload(suite, { word: "licht" }, [good])
      assert.deepStrictEqual([again.status, again.json.code], [422, "files_refused"])
      const refusals = [
        yield* upload(suite, { word: "<script>" }, [good]),
        yield* upload(suite, {}, [good]),
        yield* upload(suite, { word: "licht" }, []),
        yield* upload(suite, { word: "licht", speaker: "x".repeat(61) }, [good]),
        yield* upload(suite, { word: "licht", admin: "1" }, [good]),
        yield* upload(
          suite,
          { word: "licht" },
          Array.from({ length: 21 }, (_, seed) => one(seed))
        )
      ]
      assert.deepStrictEqual(
        refusals.map(({ json, status }) => [status, json.code]),
        refusals.map(() => [422, "invalid_request"])
      )
      const big = yield* upload(suite, { word: "licht" }, [["big.wav", new Uint8Array(5 * 1024 * 1024 + 1)]])
      assert.deepStrictEqual([big.status, big.json.code], [413, "payload_too_large"])
      const other = callsOf(suite, 2)
      assert.deepStrictEqual((yield* other("GET", "/samples")).json.items, [])
      const [{ id }] = mixed.json.items
      assert.strictEqual((yield* other("GET", `/samples/licht/${id}/audio`)).status, 404)
      assert.strictEqual((yield* other("DELETE", "/samples/licht")).status, 404)
      assert.strictEqual((yield* other("GET", "/samples?tenant_id=1")).status, 403)
      assert.strictEqual((yield* callsOf(suite, 1, "wakeword.read")("DELETE", "/samples/licht")).status, 403)
    }).pipe(Effect.scoped)
  )
})
