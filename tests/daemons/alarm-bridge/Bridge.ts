// An alarm-bridge for tests, and the triggers that it sent, read from the queue.
import { Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import * as Log from "#core/log/Log.ts"
import { alarmBridge } from "#daemons/alarm-bridge/Daemon.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { poll } from "#support/peers/Loopback.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"

export type Trigger = (typeof AlarmTrigger)["data"]["Type"]

export interface BridgeOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly mailboxes?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly database?: FreshDatabase
}

export const startBridge = ({ database, env, mailboxes }: BridgeOptions) =>
  startSuite({
    daemons: [alarmBridge],
    verifier: fakeUsers,
    ...(database === undefined ? {} : { database }),
    env: {
      SIGNALBOX_ALARM_SMTP_PORT: "0",
      ...(mailboxes === undefined ? {} : { SIGNALBOX_ALARM_MAILBOXES: JSON.stringify(mailboxes) }),
      ...env
    }
  })

/** All triggers ever sent, oldest first. */
export const triggers = (bridge: TestSuite) =>
  Effect.map(
    bridge.sql<{
      data: Trigger
    }>`select data from pgboss.job where name = ${AlarmTrigger.queue} order by created_on, data ->> 'trigger_key'`,
    (rows) => rows.map((row) => row.data)
  )

const subjectsOf = (found: ReadonlyArray<Trigger>) => found.map((trigger) => trigger.payload.email_subject)

/** Subjects of all triggers, once there are `count`, or after `seconds`. */
export const subjects = (bridge: TestSuite, count: number, seconds = 15) =>
  Effect.gen(function* () {
    const deadline = performance.now() + seconds * 1_000
    while (true) {
      const found = subjectsOf(yield* triggers(bridge))
      if (found.length >= count || performance.now() > deadline) return found
      yield* Effect.sleep(20)
    }
  })

export const status = (bridge: TestSuite) =>
  Effect.gen(function* () {
    const answer = yield* bridge.call("GET", "/api/v1/alarm-bridge/status", { token: yield* bridge.token })
    if (answer.status !== 200) return yield* Effect.die(new Error(`status: ${answer.status} ${answer.text}`))
    return answer.json
  })

/** Waits until `ready` accepts the status, and returns it. */
export const statusWhen = (bridge: TestSuite, ready: (status: any) => boolean, seconds = 15) =>
  Effect.gen(function* () {
    const seen = yield* Effect.promise(() =>
      poll(
        async () => {
          const now = await Effect.runPromise(status(bridge))
          return ready(now) ? now : undefined
        },
        seconds * 1_000,
        50
      )
    )
    return (
      seen ?? (yield* Effect.die(new Error(`not within ${seconds} s; last: ${JSON.stringify(yield* status(bridge))}`)))
    )
  })

/** Waits until the only mailbox is watched, and returns the status. */
export const watched = (bridge: TestSuite) =>
  statusWhen(bridge, ({ mailboxes }) => mailboxes[0]?.detection !== null && mailboxes[0]?.error === null)

/** Waits until the SMTP listener is open, and returns its port. */
export const smtpPort = (bridge: TestSuite): Effect.Effect<number, any> =>
  Effect.map(
    statusWhen(bridge, ({ smtp }) => smtp.state === "listening"),
    ({ smtp }) => smtp.port
  )

/** Runs a test with our own logger at debug level, and passes its lines to the test instead of printing them. */
export const withLog = <A, E, R>(test: (log: () => string) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const write = process.stderr.write
    process.stderr.write = ((line: string | Uint8Array) => {
      lines.push(String(line))
      return true
    }) as typeof write
    return test(() => lines.join("")).pipe(
      Effect.provide(Log.layer({ service: "test", level: "debug", format: "logfmt" })),
      Effect.ensuring(Effect.sync(() => (process.stderr.write = write)))
    )
  })
