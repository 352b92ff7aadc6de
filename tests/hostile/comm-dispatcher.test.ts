/**
 * Hostile requests to comm-dispatcher: each gets a clear problem or a ledger entry, and no answer reveals internals.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { connect } from "node:net"
import { maxBodyLength } from "#core/contracts/Alarm.ts"
import { maxBodySize } from "#core/http/BodyBounds.ts"
import { type Dispatcher, runsPath, sender, startDispatcher } from "../daemons/comm-dispatcher/Dispatcher.ts"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(Started, startDispatcher({ env: { SIGNALBOX_ADMIN_CHAT_ID: "4711" } }))
}

const trigger = "/api/v1/workflows/trigger"
const event_type = "email.alarm.received"
const payload = { email_subject: "INFO:SMS+4915112345678", email_body: "", email_from: sender }

/** Text that reveals internals: SQL, stack traces, files, schemas, engines. */
const inside =
  /\bselect\b|\binsert\b|SqlError|PgConnection|Query failed|node_modules|\.ts:\d|at \w+ \(|comm_dispatcher\.|pgboss|violates|syntax error/i

const assertProblem = (
  answer: { readonly status: number; readonly headers: Headers; readonly text: string; readonly json: any },
  status: number,
  code: string
) => {
  assert.deepStrictEqual([answer.status, answer.json?.code], [status, code], answer.text.slice(0, 500))
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  assert.notMatch(answer.text, inside)
  assert.isBelow(answer.text.length, 4_000, "an answer does not repeat what was sent")
}

const refusals: ReadonlyArray<readonly [string, unknown, number, string, ReadonlyArray<string>?]> = [
  ["no JSON", "{not json", 400, "bad_request"],
  ["cut JSON", '{"event_type": "', 400, "bad_request"],
  ["nothing", "", 422, "invalid_request"],
  ["null", "null", 422, "invalid_request"],
  ["a list", [], 422, "invalid_request"],
  ["a number", 3, 422, "invalid_request"],
  ["a string", '"email.alarm.received"', 422, "invalid_request"],
  ["no fields", {}, 422, "invalid_request", ["payload.event_type", "payload.payload"]],
  ["an event type that is a number", { event_type: 7, payload }, 422, "invalid_request", ["payload.event_type"]],
  [
    "an endless event type",
    { event_type: "x".repeat(10_000), payload },
    422,
    "invalid_request",
    ["payload.event_type"]
  ],
  [
    "an unknown event type",
    { event_type: "email.alarm.received'; drop table run;--", payload },
    422,
    "unknown_event_type"
  ],
  ["an event type with NUL", { event_type: `${event_type}\0`, payload }, 422, "unknown_event_type"],
  ["no payload", { event_type }, 422, "invalid_request", ["payload.payload"]],
  ["a payload that is a list", { event_type, payload: [payload] }, 422, "invalid_request"],
  [
    "fields of wrong types",
    { event_type, payload: { email_subject: {}, email_body: 1, email_from: null } },
    422,
    "invalid_request",
    ["payload.payload.email_subject", "payload.payload.email_body", "payload.payload.email_from"]
  ],
  ["a prototype", '{"__proto__": {"event_type": "email.alarm.received"}}', 422, "invalid_request"],
  ["deep nesting", "[".repeat(50_000) + "]".repeat(50_000), 422, "invalid_request"]
]

/** Subjects (or payloads) that are accepted, rejected and stored; the ledger shows the reason. */
const judged: ReadonlyArray<readonly [string, Partial<typeof payload>, RegExp]> = [
  ["an empty subject", { email_subject: "" }, /empty/],
  ["an unknown channel", { email_subject: "INFO:PIGEON+42" }, /Unknown channel “PIGEON”/],
  ["NUL", { email_subject: "INFO:SMS+4915112345678\0" }, /control character U\+0000/],
  ["control characters", { email_subject: "INFO:\u001b[2JSMS+4915112345678" }, /control character U\+001B/],
  ["100,000 characters", { email_subject: `INFO:WEBHOOK+http://x.test/${"a".repeat(100_000)}` }, /longer than 2000/],
  ["bidi marks in a URL's scheme", { email_subject: "INFO:WEBHOOK+\u202ehttp://x.test/" }, /webhook address/],
  ["a lone surrogate", { email_subject: "INFO:\ud800+1" }, /./],
  [
    "a header injected into the subject",
    { email_subject: "INFO:WEBHOOK+http://x.test/\r\nX-Evil: 1" },
    /webhook address/
  ],
  ["SQL", { email_subject: "'; drop table comm_dispatcher.run; --" }, /severity/],
  [
    "51 targets",
    { email_subject: `INFO:${Array.from({ length: 51 }, (_, i) => `MESSENGER+${i + 1}`).join(";")}` },
    /50/
  ],
  ["21 attempts", { email_subject: "INFO:MESSENGER+1;RETRY:21x1m" }, /20/],
  ["no sender", { email_from: "" }, /names no sender/],
  ["two readings of the sender", { email_from: `<thief@bad.test> <${sender}>` }, /more than one way/],
  ["NUL in the sender", { email_from: `${sender}\0` }, /more than one way/],
  ["a header injected into the sender", { email_from: `${sender}\r\nBcc: x@bad.test` }, /more than one way/],
  ["an endless sender", { email_from: `${"a".repeat(100_000)}@ok.test` }, /more than one way/]
]

describe("hostile requests to comm-dispatcher", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    for (const [name, body, status, code, fields] of refusals) {
      it.effect(`refuses ${name}`, () =>
        Effect.gen(function* () {
          const { get, post } = yield* Started
          const before = (yield* get(`${runsPath}?limit=1`)).json.items[0]?.seq
          const answer = yield* post(body)
          assertProblem(answer, status, code)
          if (fields !== undefined)
            assert.deepStrictEqual(
              answer.json.errors.map((error: { field: string }) => error.field).sort(),
              [...fields].sort()
            )
          assert.strictEqual((yield* get(`${runsPath}?limit=1`)).json.items[0]?.seq, before)
        })
      )
    }

    for (const [name, part, reason] of judged) {
      it.effect(`keeps ${name} in the ledger with its reason`, () =>
        Effect.gen(function* () {
          const { ended, post } = yield* Started
          const answer = yield* post({
            event_type,
            payload: {
              ...payload,
              ...part,
              ...(part.email_subject === undefined
                ? { email_subject: `INFO:MESSENGER+${Math.floor(Math.random() * 1e9) + 1}` }
                : {})
            }
          })
          assert.strictEqual(answer.status, 202, answer.text)
          const run = yield* ended(answer.json.run_id)
          assert.strictEqual(run.state, "rejected")
          assert.match(run.reason, reason)
          assert.notMatch(run.reason, inside)
          assert.isAtMost(run.subject.length, 2_000)
          assert.isTrue(run.subject.isWellFormed() && !JSON.stringify(run).includes("\\u0000"))
        })
      )
    }

    it.effect("delivers an alarm whose text no database holds, with the marks replaced", () =>
      Effect.gen(function* () {
        const { alarm, sink, url } = yield* Started
        const run = yield* alarm(`INFO:WEBHOOK+${url}/nul`, { body: "a\0b\ud800c \u202e \u{1F525}" })
        assert.strictEqual(run.state, "delivered")
        assert.strictEqual(
          JSON.parse(sink.requests.find(({ path }) => path === "/nul")!.body).body,
          "a\uFFFDb\uFFFDc \u202e \u{1F525}"
        )
      })
    )

    it.effect("cuts a huge text, and says so, rather than losing the alarm", () =>
      Effect.gen(function* () {
        const { alarm, sink, url } = yield* Started
        const run = yield* alarm(`INFO:WEBHOOK+${url}/huge`, { body: "\u{1F525}".repeat(maxBodyLength) })
        assert.strictEqual(run.state, "delivered")
        assert.isAtMost(run.body.length, maxBodyLength)
        assert.isTrue(run.body.endsWith("\u{1F525} … (cut)"))
        assert.strictEqual(JSON.parse(sink.requests.find(({ path }) => path === "/huge")!.body).body, run.body)
      })
    )

    it.effect("refuses what is larger than a body may be", () =>
      Effect.gen(function* () {
        const { post } = yield* Started
        assertProblem(
          yield* post({ event_type, payload: { ...payload, email_body: "x".repeat(maxBodySize) } }),
          413,
          "payload_too_large"
        )
      })
    )

    it.effect("refuses fields it does not know", () =>
      Effect.gen(function* () {
        const { post } = yield* Started
        const answer = yield* post({
          event_type,
          operator: true,
          admit: "127.0.0.1:1",
          tenant_id: 9,
          payload: { ...payload, email_from: "x@bad.test", operator: true }
        })
        assertProblem(answer, 422, "invalid_request")
      })
    )

    it.effect("refuses wrong ids, keys and queries", () =>
      Effect.gen(function* () {
        const { get, suite, token } = yield* Started
        for (const id of [
          "0",
          "-1",
          "null",
          "%00",
          "1%20or%201=1",
          "00000000-0000-0000-0000-00000000000",
          "{00000000-0000-4000-8000-000000000000}"
        ]) {
          assertProblem(yield* get(`${runsPath}/${id}`), 404, "not_found")
        }
        for (const query of [
          "limit=-1",
          "limit=1e9",
          "limit=0x10;",
          "before=-1",
          "before=1%27",
          "state=%00",
          "severity=alert",
          "limit=1&limit=2"
        ]) {
          assertProblem(yield* get(`${runsPath}?${query}`), 422, "invalid_request")
        }
        for (const key of ["", "k".repeat(256)]) {
          assertProblem(
            yield* suite.call("POST", trigger, {
              token,
              body: { event_type, payload },
              headers: { "idempotency-key": key }
            }),
            422,
            "invalid_request"
          )
        }
      })
    )

    it.effect("survives a request whose header is injected or cut", () =>
      Effect.gen(function* () {
        const { get, suite } = yield* Started
        const { port } = new URL(suite.base())
        const raw = (text: string) =>
          Effect.promise(
            () =>
              new Promise<string>((resolve) => {
                let said = ""
                const socket = connect(Number(port), "127.0.0.1", () => socket.end(text))
                socket.on("data", (chunk) => void (said += chunk.toString()))
                socket.on("close", () => resolve(said))
                socket.on("error", () => resolve(said))
              })
          )
        for (const text of [
          `POST ${trigger} HTTP/1.1\r\nHost: x\r\nx-service-token: a\0b\r\n\r\n`,
          `POST ${trigger} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
          `POST ${trigger} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n`
        ]) {
          const said = yield* raw(text)
          assert.match(said, /^HTTP\/1\.1 400 /)
          assert.notMatch(said, inside)
        }
        assert.strictEqual((yield* get("/health")).status, 200)
      })
    )
  })
})
