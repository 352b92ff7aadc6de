/**
 * The complete daemon with a webhook sink and a bot API double, used over HTTP. With helpers that send triggers and
 * wait for runs.
 */
import { Effect } from "effect"
import { AlarmTrigger } from "#core/contracts/Alarm.ts"
import { commDispatcher } from "#daemons/comm-dispatcher/Daemon.ts"
import { BotApiDouble, type BotApiDoubleOptions } from "#support/BotApiDouble.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import type { FreshDatabase } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"
import { WebhookSink } from "#support/WebhookSink.ts"
import { poll } from "#support/peers/Loopback.ts"

export const sender = "guard@ok.test"
export const runsPath = "/api/v1/workflows/runs"

export interface DispatcherOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly bot?: BotApiDoubleOptions
  readonly database?: FreshDatabase
  /** Length of a RETRY minute. Unit: milliseconds. Default 100. */
  readonly minute?: number
}

export const startDispatcher = Effect.fnUntraced(function* (options: DispatcherOptions = {}) {
  const sink = new WebhookSink()
  const bot = new BotApiDouble(options.bot)
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => sink.start()),
    () => Effect.promise(() => sink.stop())
  )
  const botUrl = yield* Effect.acquireRelease(
    Effect.promise(() => bot.start()),
    () => Effect.promise(() => bot.stop())
  )
  const suite = yield* startSuite({
    daemons: [commDispatcher],
    verifier: fakeUsers,
    ...(options.database === undefined ? {} : { database: options.database }),
    env: {
      SIGNALBOX_ALARM_ALLOWED_DOMAINS: "ok.test",
      SIGNALBOX_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      SIGNALBOX_ALARM_MINUTE_MS: String(options.minute ?? 100),
      SIGNALBOX_MESSENGER_URL: botUrl,
      SIGNALBOX_MESSENGER_TOKEN: bot.token,
      ...options.env
    }
  })
  const token = yield* suite.token

  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    suite.call("POST", "/api/v1/workflows/trigger", { token, body, headers })
  const trigger = (
    subject: string,
    more: { readonly body?: string; readonly from?: string; readonly headers?: Record<string, string> } = {}
  ) => post(bodyOf(subject, more), more.headers)
  const get = (path: string) => suite.call("GET", path, { token })
  const run = (id: string) => Effect.map(get(`${runsPath}/${id}`), (answer) => answer.json)
  /** Waits until `is` accepts the run, and returns it. */
  const runWhen = (id: string, is: (run: any) => boolean, timeout = 30_000) =>
    Effect.flatMap(
      Effect.promise(() =>
        poll(async () => {
          const answer = await Effect.runPromise(get(`${runsPath}/${id}`))
          return answer.status === 200 && is(answer.json) ? answer.json : undefined
        }, timeout)
      ),
      (found) =>
        found === undefined
          ? Effect.flatMap(run(id), (now) => Effect.die(new Error(`not in time: ${JSON.stringify(now)}`)))
          : Effect.succeed(found)
    )
  const ended = (id: string) => runWhen(id, (found) => found.finished_at !== null)
  /** Sends a trigger and waits until its run has ended. */
  const alarm = (subject: string, more: Parameters<typeof trigger>[1] = {}) =>
    Effect.flatMap(trigger(subject, more), (answer) => ended(answer.json.run_id))
  return { suite, sql: suite.sql, sink, url, bot, token, post, trigger, get, run, runWhen, ended, alarm }
})

export type Dispatcher = Effect.Success<ReturnType<typeof startDispatcher>>

export const bodyOf = (subject: unknown, more: { readonly body?: string; readonly from?: string } = {}) => ({
  event_type: "email.alarm.received",
  payload: { email_subject: subject, email_body: more.body ?? "", email_from: more.from ?? sender }
})

/** Inserts a trigger directly into the queue table, like alarm-bridge. */
export const enqueue = (
  sql: Dispatcher["sql"],
  data: Partial<typeof AlarmTrigger.data.Type> & { readonly trigger_key: string }
) =>
  Effect.andThen(
    sql`insert into pgboss.job (name, data, retry_limit) values (${AlarmTrigger.queue}, ${sql.json({
      event_type: "email.alarm.received",
      source: { kind: "imap", mailbox: "alarms@ok.test" },
      tenant_id: 1,
      received_at: new Date().toISOString(),
      ...data
    })}, 1000000)`,
    sql`select pg_notify('signalbox', ${`queue ${AlarmTrigger.queue}`})`
  )

export const until = (what: string, ask: () => boolean | Promise<boolean>, timeout = 10_000) =>
  Effect.promise(async () => {
    if ((await poll(async () => (await ask()) || undefined, timeout)) === undefined)
      throw new Error(`not in time: ${what}`)
  })
