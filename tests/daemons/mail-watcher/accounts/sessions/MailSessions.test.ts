/** The shared IMAP session: one per account, with turns, an idle timeout and limits. */
import { describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert } from "vitest"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import { openFolder } from "#daemons/mail-watcher/accounts/sessions/OpenFolder.ts"
import { maxLine } from "#daemons/mail-watcher/accounts/sessions/AnswerLimits.ts"
import { layer, MailSessions, type SessionLimits } from "#daemons/mail-watcher/accounts/sessions/MailSessions.ts"
import { until } from "#support/Frame.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

const address = (id: number) => `user${id}@example.test`
const account = (id: number) => ({ id, address: address(id) }) as Account

const started = Effect.fnUntraced(function* (
  limits: SessionLimits = {},
  allowCidrs: ReadonlyArray<string> = ["127.0.0.0/8"]
) {
  const dovecot = yield* Dovecot.make({
    users: [1, 2, 3].map((id) => ({ address: address(id), password: "secret words" })),
    tls: true
  })
  yield* dovecot.start
  const mailCa = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(mailCa, dovecot.certificate!)
  const logins = Layer.succeed(
    MailLogins,
    MailLogins.of({
      imap: () => Effect.succeed({ host: "127.0.0.1", port: dovecot.imapsPort!, foreign: true }),
      submission: () => Effect.die("not asked"),
      login: (account) =>
        Effect.succeed({ user: account.address, secret: { _tag: "Password", value: Redacted.make("secret words") } })
    })
  )
  const context = yield* Layer.build(
    layer({ mailCa }, limits).pipe(Layer.provide(Layer.mergeAll(logins, GuardedHost.layer({ allowCidrs }))))
  )
  const sessions = yield* Effect.provide(MailSessions, context)
  /** Waits until the server counts this number of sessions of the user. */
  const counted = (id: number, wanted: number) =>
    Effect.flatMap(dovecot.sessions(address(id)), (count) =>
      count === wanted ? Effect.void : Effect.fail("not yet")
    ).pipe(
      Effect.tapError(() => Effect.sleep("50 millis")),
      Effect.retry({ times: 200 })
    )
  return { counted, dovecot, sessions }
})

const noop = (client: { readonly noop: () => Promise<void> }) => client.noop()

describe("sessions", () => {
  it.live(
    "are shared per account and serialise work",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { counted, sessions } = yield* started()
          const order: Array<string> = []
          const work = (name: string) =>
            sessions.use(account(1), async (client) => {
              order.push(`${name} begins`)
              await client.noop()
              await client.noop()
              order.push(`${name} ends`)
            })
          yield* Effect.all([work("a"), work("b"), work("c")], { concurrency: "unbounded" })
          for (let at = 0; at < order.length; at += 2)
            assert.strictEqual(order[at + 1], order[at]!.replace("begins", "ends"))
          yield* counted(1, 1)
          // An interrupted caller's work is completed before the next caller starts.
          let [begun, done] = [false, false]
          const left = yield* Effect.forkChild(
            sessions.use(account(1), async (client) => {
              begun = true
              await client.noop()
              await new Promise((resolve) => setTimeout(resolve, 50))
              done = true
            })
          )
          yield* until(
            "the work has begun",
            Effect.sync(() => begun)
          )
          yield* Effect.forkChild(Fiber.interrupt(left))
          assert.isTrue(yield* sessions.use(account(1), async () => done))
        })
      ),
    120_000
  )

  it.live(
    "close when idle, when dropped, and for other accounts",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { counted, sessions } = yield* started({ sessions: 2 })
          yield* sessions.use(account(1), noop)
          yield* sessions.use(account(2), noop)
          yield* sessions.use(account(3), noop)
          yield* counted(1, 0)
          yield* counted(2, 1)
          // The account moved to a different address, so the open session is not reused.
          yield* sessions.use({ ...account(2), address: address(3) }, noop)
          yield* counted(2, 0)
          yield* sessions.use(account(2), noop)
          yield* sessions.drop(2)
          yield* counted(2, 0)
          const short = yield* started({ idle: Duration.millis(50) })
          yield* short.sessions.use(account(1), noop)
          yield* short.counted(1, 0)
        })
      ),
    120_000
  )

  it.live(
    "reconnect for reads and for unstarted work after an idle cut",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { dovecot, sessions } = yield* started()
          let tries = 0
          const cut = (repeat: boolean) =>
            Effect.exit(
              sessions.use(
                account(1),
                async (client) => {
                  tries += 1
                  // Simulates a server that closes the session at this moment.
                  if (tries === 1) client.close()
                  await client.noop()
                },
                { repeat }
              )
            )
          yield* sessions.use(account(1), noop)
          assert.strictEqual((yield* cut(true))._tag, "Success")
          assert.strictEqual(tries, 2)
          tries = 0
          assert.strictEqual((yield* cut(false))._tag, "Failure")
          yield* dovecot.restart
          yield* sessions.use(account(1), noop)
        })
      ),
    120_000
  )

  it.live(
    "close after slow work and oversized responses",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const short = yield* started({ workTimeout: 2_000 })
          const failed = yield* Effect.flip(
            short.sessions.use(account(1), async (client) => {
              await openFolder(client, "INBOX")
              await client.idle()
            })
          )
          assert.strictEqual(failed._tag, "MailServerUnavailable")
          yield* short.counted(1, 0)
          const { dovecot, sessions } = yield* started()
          yield* dovecot.deliver(
            address(2),
            `From: a@far.test\r\nTo: ${Array.from({ length: maxLine / 20 }, (_, at) => `a${at}@far.test`).join(",\r\n ")}\r\n\r\ntext\r\n`
          )
          const envelope = (careful: boolean) => async (client: Parameters<typeof openFolder>[0]) => {
            await openFolder(client, "INBOX")
            return (await client.fetchAll("1", { uid: true, envelope: !careful })).length
          }
          assert.strictEqual((yield* Effect.flip(sessions.use(account(2), envelope(false))))._tag, "MailRefused")
          assert.strictEqual(yield* sessions.use(account(2), envelope(false), { careful: envelope(true) }), 1)
          assert.strictEqual(
            (yield* Effect.flip(sessions.use(account(2), (client) => openFolder(client, "nowhere"))))._tag,
            "NotFound"
          )
        })
      ),
    120_000
  )

  it.live(
    "refuse private networks that are not allowed",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { sessions } = yield* started({}, [])
          assert.strictEqual((yield* Effect.flip(sessions.use(account(1), noop)))._tag, "MailServerUnavailable")
        })
      ),
    120_000
  )
})
