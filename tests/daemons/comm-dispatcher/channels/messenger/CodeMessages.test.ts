import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { MessengerCode, messengerCodeContext } from "#core/contracts/Messenger.ts"
import * as Secrets from "#core/config/Secrets.ts"
import { type CodeEnd, next } from "#daemons/comm-dispatcher/channels/messenger/CodeMessages.ts"
import { type Dispatcher, startDispatcher, until } from "../../Dispatcher.ts"

const chat = "4711"

interface Asked {
  readonly text?: string
  readonly chat?: string
  /** Lifetime of the code from now. Unit: milliseconds. */
  readonly lives?: number
  /** Id of the job for which the envelope is sealed. Default: this job. */
  readonly sealedFor?: string
}

/** Inserts a job into the queue like another daemon. */
const ask = Effect.fnUntraced(function* ({ sql, suite }: Dispatcher, asked: Asked = {}) {
  const id = randomUUID()
  const envelope = yield* Effect.flatMap(Secrets.Secrets, (secrets) =>
    secrets.seal(Redacted.make(asked.text ?? "123456 is your code"), messengerCodeContext(asked.sealedFor ?? id))
  ).pipe(Effect.provide(Secrets.layer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys"))))
  const data = {
    id,
    chat_id: asked.chat ?? chat,
    envelope,
    expires_at: new Date(Date.now() + (asked.lives ?? 60_000)).toISOString()
  }
  yield* sql`insert into pgboss.job (name, data, retry_limit) values (${MessengerCode.queue}, ${sql.json(data)}, 1000000)`
  yield* sql`select pg_notify('signalbox', ${`queue ${MessengerCode.queue}`})`
})

type Counts = Readonly<Partial<Record<CodeEnd, number>>>

/** Number of codes by end, in this process so far. */
const ends = ({ suite }: Dispatcher) =>
  Effect.map(suite.call("GET", "/metrics"), ({ text }): Counts =>
    Object.fromEntries(
      Array.from(
        text.matchAll(/^signalbox_messenger_codes_total\{(?:.*,)?outcome="(\w+)".*\} (\d+)/gm),
        ([, end, n]) => [end, Number(n)]
      )
    )
  )

/** Sends jobs and waits until each has ended. Returns their ends. */
const ended = Effect.fnUntraced(function* (dispatcher: Dispatcher, ...asked: ReadonlyArray<Asked>) {
  const before = yield* ends(dispatcher)
  for (const one of asked) yield* ask(dispatcher, one)
  const since = Effect.map(ends(dispatcher), (now) =>
    Object.entries(now)
      .flatMap(([end, n]) => Array.from({ length: n - (before[end as CodeEnd] ?? 0) }, () => end))
      .toSorted()
  )
  yield* until("all have ended", async () => (await Effect.runPromise(since)).length >= asked.length, 20_000)
  return yield* since
})

const sends = ({ bot }: Dispatcher) => bot.calls.filter(({ method }) => method === "sendMessage").length

it.live("sends the text of the envelope to its chat, and keeps it nowhere", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const dispatcher = yield* startDispatcher()
      expect(yield* ended(dispatcher, { text: "424242 is your code" })).toEqual(["sent"])
      expect(dispatcher.bot.messages.map(({ chatId, text }) => [chatId, text])).toEqual([[chat, "424242 is your code"]])
      expect(yield* dispatcher.sql`select 1 from comm_dispatcher.run`).toEqual([])
      const jobs = yield* dispatcher.sql<{
        row: string
      }>`select to_jsonb(j)::text as row from pgboss.job j where name = ${MessengerCode.queue}`
      expect(jobs.length).toBe(1)
      expect(jobs[0]!.row).not.toContain("424242")
    })
  )
)

it.live(
  "repeats what cannot have arrived, and nothing else",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dispatcher = yield* startDispatcher({ bot: { blocked: ["13"] } })
        dispatcher.bot.failNext("500")
        expect(yield* ended(dispatcher, {})).toEqual(["sent"])
        expect([sends(dispatcher), dispatcher.bot.messages.length]).toEqual([2, 1])
        // The API accepts the message without answering. The code must be sent only once, however long the user waits.
        dispatcher.bot.failNext("cut-after")
        expect(yield* ended(dispatcher, {})).toEqual(["uncertain"])
        expect(yield* ended(dispatcher, { chat: "13" })).toEqual(["refused"])
        expect([sends(dispatcher), dispatcher.bot.messages.length]).toEqual([4, 2])
      })
    ),
  120_000
)

it.live(
  "is completed before it is sent, so that a process killed while it sends leaves nothing to be sent a second time",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dispatcher = yield* startDispatcher({ bot: { delay: () => 1_000 } })
        const asked = yield* Effect.forkChild(ended(dispatcher, {}))
        yield* until("it has arrived", () => dispatcher.bot.messages.length === 1)
        const jobs = yield* dispatcher.sql<{
          state: string
        }>`select state::text as state from pgboss.job where name = ${MessengerCode.queue}`
        expect(jobs).toEqual([{ state: "completed" }])
        expect(yield* Fiber.join(asked)).toEqual(["sent"])
      })
    ),
  120_000
)

it.live(
  "drops what has expired, also while it waits to be repeated, and what does not belong to its job",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dispatcher = yield* startDispatcher({ bot: { perSecond: 0, retryAfter: 7 } })
        expect(yield* ended(dispatcher, { lives: -1 }, { sealedFor: "another" })).toEqual(["expired", "unreadable"])
        expect(sends(dispatcher)).toBe(0)
        // It lives long enough for the first try on a busy machine, and not as long as the pause that the API asks for.
        expect(yield* ended(dispatcher, { lives: 5_000 })).toEqual(["expired"])
        expect([sends(dispatcher), dispatcher.bot.messages.length]).toEqual([1, 0])
      })
    ),
  120_000
)

it.live("without a messenger drops it, and goes on", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const dispatcher = yield* startDispatcher({ env: { SIGNALBOX_MESSENGER_TOKEN: "" } })
      expect(yield* ended(dispatcher, {})).toEqual(["unconfigured"])
      expect(sends(dispatcher)).toBe(0)
    })
  )
)

it("repeats by the other side's pause, and never what may have arrived", () => {
  expect(next({ _tag: "Delivered", detail: "" })).toBe("sent")
  expect(next({ _tag: "Permanent", reason: "" })).toBe("refused")
  expect(next({ _tag: "Retryable", reason: "", reached: "perhaps", retryAfter: 1 })).toBe("uncertain")
  expect(next({ _tag: "Retryable", reason: "", reached: "yes", retryAfter: 7_000 })).toEqual({ again: 7_000 })
  expect(next({ _tag: "Retryable", reason: "", reached: "no" })).toEqual({ again: 2_000 })
})
