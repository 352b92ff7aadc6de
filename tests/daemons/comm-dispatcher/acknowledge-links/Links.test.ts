/** A message with a link, and what the link does. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sender, startDispatcher } from "../Dispatcher.ts"

it.live(
  "the link of a message shows its alarm, and acknowledges it by a POST only",
  () =>
    Effect.gen(function* () {
      const { bot, run, runWhen, suite, trigger, url, sink, sql } = yield* startDispatcher({
        env: { SIGNALBOX_PUBLIC_URL: "https://box.example.org/", SIGNALBOX_ALARM_LANGUAGE: "en" },
        minute: 60_000
      })
      sink.behaviour = { status: 503 }
      const { json } = yield* trigger(`CRITICAL:MESSENGER+4711;WEBHOOK+${url}/pager;RETRY:20x1m`, {
        body: "The pump stands still.\nLook at it."
      })
      yield* runWhen(
        json.run_id,
        ({ targets }) => targets[0].state === "delivered" && targets[1].attempts[0]?.state === "failed"
      )
      const text = bot.messages.map(({ text }) => text).join("\n")
      const [, token] =
        /\n\nAcknowledge: https:\/\/box\.example\.org\/console\/acknowledge#([\w-]{54})$/.exec(text) ?? []
      assert.isDefined(token, text)

      // No token and no sign-in.
      const ask = (what: string, token: unknown) =>
        suite.call("POST", `/api/v1/alarm-links/${what}`, { body: { token } })
      const shown = yield* ask("show", token)
      assert.strictEqual(shown.status, 200, shown.text)
      const { received_at, ...alarm } = shown.json
      assert.isString(received_at)
      assert.deepStrictEqual(alarm, {
        title: "The pump stands still.",
        severity: "CRITICAL",
        state: "running",
        delivered_count: 1,
        target_count: 2,
        acknowledged_at: null,
        acknowledged_by: null
      })
      for (const method of ["GET", "HEAD"] as const)
        for (const path of ["show", "acknowledge"])
          assert.notStrictEqual((yield* suite.call(method, `/api/v1/alarm-links/${path}?token=${token}`)).status, 200)
      assert.isNull((yield* run(json.run_id)).acknowledged_at)

      for (const wrong of ["", "A".repeat(54), `${token!.slice(1)}A`]) {
        const refused = yield* ask("acknowledge", wrong)
        assert.strictEqual(refused.status, 404)
        assert.strictEqual(refused.json.code, "link_gone")
      }
      assert.isNull((yield* run(json.run_id)).acknowledged_at)

      const done = yield* ask("acknowledge", token)
      assert.strictEqual(done.status, 200, done.text)
      assert.strictEqual(done.json.acknowledged_by, "link to messenger 4711")
      const after = yield* run(json.run_id)
      assert.strictEqual(after.state, "acknowledged")
      assert.strictEqual(after.acknowledged_by, "link to messenger 4711")
      assert.strictEqual((yield* ask("acknowledge", token)).json.acknowledged_at, done.json.acknowledged_at)
      const entries = yield* sql`select actor, detail from core.audit where action = 'run.acknowledged'`
      assert.deepStrictEqual(
        entries.map(({ actor }) => actor),
        ["link"]
      )
    }),
  120_000
)

it.live(
  "lists are filtered by acknowledgement and text, and have titles and targets",
  () =>
    Effect.gen(function* () {
      const { alarm, get, suite, token, trigger, ended, url } = yield* startDispatcher()
      const open = yield* alarm(`INFO:WEBHOOK+${url}/a`, { body: "50 % of disk_1 used\nmore" })
      const taken = yield* alarm(`INFO:WEBHOOK+${url}/b;WEBHOOK+${url}/c`, { body: "The door is open" })
      const acknowledge = yield* suite.call("POST", `/api/v1/workflows/runs/${taken.id}/acknowledge`, { token })
      assert.strictEqual(acknowledge.status, 200, acknowledge.text)
      const refused = yield* trigger("INFO:nonsense", { from: sender })
      yield* ended(refused.json.run_id)
      const list = (query: string) =>
        Effect.map(get(`/api/v1/workflows/runs?${query}`), ({ json }) => json.items as ReadonlyArray<any>)
      const ids = (query: string) => Effect.map(list(query), (items) => items.map(({ id }) => id))
      assert.deepStrictEqual(yield* ids("acknowledged=false"), [open.id])
      assert.deepStrictEqual(yield* ids("acknowledged=true"), [taken.id])
      assert.deepStrictEqual(yield* ids("q=DOOR"), [taken.id])
      // `%` and `_` are text.
      assert.deepStrictEqual(yield* ids("q=50%20%25%20of%20disk_"), [open.id])
      assert.deepStrictEqual(yield* ids("q=disk%251"), [])
      assert.deepStrictEqual(yield* ids(`q=${open.id}`), [open.id])
      const [row] = yield* list("q=door")
      assert.strictEqual(row.title, "The door is open")
      assert.deepStrictEqual(
        row.targets.map(({ channel, position, state, target }: any) => [position, channel, target, state]),
        [
          [0, "webhook", `${url}/b`, "delivered"],
          [1, "webhook", `${url}/c`, "delivered"]
        ]
      )
    }),
  120_000
)
