/**
 * A tenant that sends as much as it can does not delay the alarms of others: they go while its own queue is long. The
 * long run also measures the delay: at most two seconds besides the wait for the call lock.
 */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "#support/Postgres.ts"
import { answers } from "#support/switch/Callee.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import { bodyOf, type Dispatcher, startDispatcher } from "../Dispatcher.ts"

const long = process.env["SIGNALBOX_TEST_LONG"] === "1"
/** Shortened wait for the call lock. Unit: milliseconds. */
const lockWait = 2_000
/** Longest additional delay in the long run. Unit: milliseconds. */
const allowed = 2_000
const rounds = long ? 100 : 3

const hostile = { authorization: "Bearer user:2:*" }
const victim = { authorization: "Bearer user:3:*" }

/** Targets of the hostile tenant that no attempt has begun. */
const waitingOf = ({ sql }: Dispatcher, channel: string) =>
  Effect.map(
    sql<{ waiting: number }>`select count(*)::int as waiting from comm_dispatcher.target
      where tenant_id = 2 and channel = ${channel} and record->>'begun' = '0'`,
    ([row]) => row!.waiting
  )

/** Sends alarms one after another and waits until each has begun. Returns their delays in milliseconds. */
const delaysOf = Effect.fnUntraced(function* (
  dispatcher: Dispatcher,
  channel: string,
  send: (round: number) => Effect.Effect<string>
) {
  const delays: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const run = yield* dispatcher.runWhen(
      yield* send(round),
      (found) => found.targets[0].attempts.length > 0 && found.targets[0].channel === channel,
      60_000
    )
    delays.push(Date.parse(run.targets[0].attempts[0].started_at) - Date.parse(run.created_at))
    expect(yield* waitingOf(dispatcher, channel), `waiting behind alarm ${round}`).toBeGreaterThan(20)
  }
  return delays.toSorted((a, b) => a - b)
})

const sent = ({ json, status }: { readonly status: number; readonly json: any }) => {
  expect([status, json]).toMatchObject([202, { run_id: expect.any(String) }])
  return json.run_id as string
}

it.live(
  "calls",
  () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ callee: () => answers })
      const dispatcher = yield* startDispatcher({
        env: {
          SIGNALBOX_SWITCH_HOST: "127.0.0.1",
          SIGNALBOX_SWITCH_PORT: String(double.port),
          SIGNALBOX_SWITCH_PASSWORD: double.password,
          SIGNALBOX_SIP_GATEWAY: "trunk",
          SIGNALBOX_SPEECH_DIR: yield* temporaryDirectory("speech"),
          SIGNALBOX_CALL_LOCK_WAIT_MS: String(lockWait),
          SIGNALBOX_CALLS_PER_HOUR: "3600"
        }
      })
      const { suite, token } = dispatcher
      const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
        Effect.map(suite.call("POST", `/api/v1/${path}`, { body, headers }), sent)
      let number = 0
      const next = () => `+49301${String(100_000 + ++number)}`
      // Calls of a minute and more, of the highest severity.
      for (let batch = 0; batch < 4; batch++) {
        const channels = Array.from({ length: 20 }, () => ({ channel: "call", target: next(), pause_ms: 60_000 }))
        yield* post("comm/notify", { text: "x", severity: "ALERT", channels }, hostile)
      }
      yield* dispatcher.runWhen(
        yield* post("workflows/trigger", bodyOf(`ALERT:CALL+${next()}`), hostile),
        ({ targets }) => targets.length > 0
      )
      const mails = yield* delaysOf(dispatcher, "call", (round) =>
        post("workflows/trigger", bodyOf(`INFO:CALL+${next()}`, { body: `m${round}` }), { "x-service-token": token })
      )
      const alarms = yield* delaysOf(dispatcher, "call", (round) =>
        post("workflows/trigger", bodyOf(`INFO:CALL+${next()}`, { body: `a${round}` }), victim)
      )
      if (long) for (const delays of [mails, alarms]) expect(delays.at(-2)).toBeLessThan(lockWait + allowed)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "messages and webhooks",
  () =>
    Effect.gen(function* () {
      const dispatcher = yield* startDispatcher({ env: { SIGNALBOX_MESSENGER_RATE: "2" } })
      const { suite, token, url } = dispatcher
      // Webhooks of users may not reach this machine, where the slow hosts of the test are.
      yield* suite.sql`create function private_for_all() returns trigger language plpgsql as
        'begin new.private_ranges := true; return new; end'`
      yield* suite.sql`create trigger private_for_all before insert on comm_dispatcher.run
        for each row execute function private_for_all()`
      const post = (body: unknown, headers: Readonly<Record<string, string>>) =>
        Effect.map(suite.call("POST", "/api/v1/comm/notify", { body, headers }), sent)
      // Hosts that keep each request for as long as they may, and messages for a minute at the allowed rate.
      const hosts = yield* Effect.forEach(Array.from({ length: 20 }), () => {
        const slow = new WebhookSink()
        slow.behaviour = { delay: 9_000 }
        return Effect.acquireRelease(
          Effect.promise(() => slow.start()),
          () => Effect.promise(() => slow.stop())
        )
      })
      for (let batch = 0; batch < 6; batch++) {
        const webhooks = hosts.map((host) => ({ channel: "webhook", target: `${host}/${batch}` }))
        const messages = hosts.map((_, chat) => ({ channel: "messenger", target: String(1 + batch * 20 + chat) }))
        yield* post({ text: "x", severity: "ALERT", channels: webhooks }, hostile)
        yield* post({ text: "x", severity: "ALERT", channels: messages }, hostile)
      }
      for (const headers of [victim, { "x-service-token": token }]) {
        const webhooks = yield* delaysOf(dispatcher, "webhook", (round) =>
          post({ text: "x", channels: [{ channel: "webhook", target: `${url}/fast/${round}` }] }, headers)
        )
        const messages = yield* delaysOf(dispatcher, "messenger", (round) =>
          post({ text: "x", channels: [{ channel: "messenger", target: String(9_000 + round) }] }, headers)
        )
        if (long) for (const delays of [messages, webhooks]) expect(delays.at(-2)).toBeLessThan(allowed)
      }
    }).pipe(Effect.scoped),
  120_000
)
