/** Open sessions at real Dovecots with the shipped file, cut by mail-admin. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { expect } from "vitest"
import * as Door from "#support/Door.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import { freePort } from "#support/peers/Loopback.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, mailServer, startAdmin } from "../Admin.ts"
import { shipped } from "../Shipped.ts"

const key = "a-key-of-doveadm"
const users = ["ann", "bob"].map((name) => ({ address: `${name}@a.test`, password: "secret" }))

/** Opens a signed-in mail client. The returned effect tells whether it is still connected. */
const open = (port: number, user: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new ImapFlow({
          host: "127.0.0.1",
          port,
          secure: false,
          doSTARTTLS: false,
          auth: { user, pass: "secret" },
          logger: false
        })
        client.on("error", () => {})
        await client.connect()
        return client
      }),
      (client) => Effect.sync(() => client.close())
    ),
    (client) => Effect.sync(() => client.usable)
  )

const jobs = ({ sql }: TestSuite, state: string) =>
  Effect.map(
    sql<{
      count: number
    }>`select count(*)::int as count from pgboss.job where name = 'mail.sessions.cut' and state::text = ${state}`,
    ([row]) => row!.count
  )

for (const version of ["2.3", "2.4"] as const) {
  describePeers([peerOf(version)], `sessions at Dovecot ${version}`, () => {
    it.live(
      "end when their mailbox is suspended, deleted or gets a new password, also after an outage of doveadm; other sessions stay",
      () =>
        Effect.gen(function* () {
          const doveadm = yield* freePort
          const dovecot = yield* Dovecot.make({
            version,
            users,
            settings: [
              shipped(version, "96-signalbox-doveadm.conf", { "port = 8089": `port = ${doveadm}`, DOVEADM_KEY: key })
            ]
          })
          const door = yield* Door.make({ port: doveadm })
          const suite = yield* startAdmin({
            env: { ...mailServer, SIGNALBOX_DOVEADM_URL: `http://127.0.0.1:${door.port}/`, SIGNALBOX_DOVEADM_KEY: key }
          })
          const { account, domain, post, put, remove } = callsOf(suite, as(7))
          const { id: a } = yield* domain("a.test")
          const { id: ann } = yield* account(a, "ann")
          const bob = yield* open(dovecot.imapPort, "bob@a.test")
          const waiting = jobs(suite, "created")
          const opened = open(dovecot.imapPort, "ann@a.test")

          for (const change of [
            post(`accounts/${ann}/suspend`),
            put(`accounts/${ann}`, { password: "four other words now" }),
            remove(`accounts/${ann}`)
          ]) {
            const sessions = [yield* opened, yield* opened]
            yield* door.set("shut")
            yield* change
            yield* until(
              "it was tried in vain",
              Effect.map(jobs(suite, "retry"), (count) => count > 0)
            )
            expect(yield* Effect.all(sessions)).toEqual([true, true])
            yield* door.set("open")
            expect(yield* waiting).toBe(1)
            yield* until(
              "they are cut",
              Effect.map(Effect.all(sessions), (usable) => usable.every((one) => !one))
            )
            // Deletes the job, so that its repetition does not count for the next change.
            yield* suite.sql`delete from pgboss.job where name = 'mail.sessions.cut'`
          }
          expect(yield* bob).toBe(true)
          yield* put(`accounts/${(yield* account(a, "bob")).id}`, { quota_mb: 5 })
          expect(yield* waiting).toBe(0)
        }),
      120_000
    )
  })
}

it.live("without doveadm no job is queued, and health reports it", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { account, domain, post } = callsOf(suite, as(7))
      const { id } = yield* account((yield* domain("a.test")).id, "ann")
      expect((yield* post(`accounts/${id}/suspend`)).status).toBe(200)
      const [found] = yield* suite.sql<{
        count: number
      }>`select count(*)::int as count from pgboss.job where name = 'mail.sessions.cut'`
      expect(found!.count).toBe(0)
      expect((yield* suite.call("GET", "/health")).json.components.session_cuts).toMatchObject({
        status: "unconfigured"
      })
    })
  )
)
