import { it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { expect } from "vitest"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { until } from "#support/Frame.ts"
import { eventually } from "#support/Processes.ts"
import { freshDatabase, temporaryDirectory } from "#support/Postgres.ts"
import { startBridge, status, statusWhen, subjects, triggers, watched, withLog } from "../Bridge.ts"

const user = { address: "alarm@example.test", password: "opensesame" }
const message = (subject: string) =>
  `From: Device <device@example.test>\nTo: ${user.address}\nSubject: ${subject}\nMessage-ID: <${subject}@device.test>\n\nbody of ${subject}\n`

const mailbox = (dovecot: Dovecot.Dovecot, more: Readonly<Record<string, unknown>> = {}) => ({
  name: "alarms",
  host: "127.0.0.1",
  port: dovecot.imapPort,
  tls: "none",
  user: user.address,
  password: user.password,
  ...more
})

/** Starts a bridge in its own scope, so that a test can stop it. */
const stoppable = Effect.fnUntraced(function* (options: Parameters<typeof startBridge>[0]) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const bridge = yield* Scope.provide(startBridge(options), scope)
  return { bridge, stop: Scope.close(scope, Exit.void) }
})

describePeers(["dovecot"], "a mailbox", () => {
  it.live(
    "with IDLE: a new mail becomes one trigger with its words; what lay there before does not",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        yield* dovecot.deliver(user.address, message("old"))
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot)] })
        expect((yield* watched(bridge)).mailboxes[0]).toMatchObject({
          detection: "idle",
          state: "running",
          last_seen_uid: 1,
          last_mail_at: null
        })
        yield* dovecot.deliver(user.address, message("new"))
        expect(yield* subjects(bridge, 1)).toEqual(["new"])
        const [trigger] = yield* triggers(bridge)
        expect(trigger).toMatchObject({
          trigger_key: expect.stringMatching(/^imap:alarms:\d+:2$/),
          event_type: "email.alarm.received",
          payload: { email_subject: "new", email_body: "body of new", email_from: "device@example.test" },
          source: { kind: "imap", mailbox: "alarms", message_id: "<new@device.test>" },
          tenant_id: 1
        })
        expect((yield* status(bridge)).mailboxes[0]).toMatchObject({
          last_seen_uid: 2,
          last_mail_at: expect.any(String),
          error: null
        })
      }),
    120_000
  )

  it.live(
    "without IDLE: it is asked",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], idle: false })
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot)], env: { SIGNALBOX_ALARM_POLL_SECONDS: "1" } })
        expect((yield* watched(bridge)).mailboxes[0].detection).toBe("polling")
        yield* dovecot.deliver(user.address, message("one"))
        yield* dovecot.deliver(user.address, message("two"))
        expect(yield* subjects(bridge, 2)).toEqual(["one", "two"])
      }),
    120_000
  )

  it.live(
    "the first start takes old mail when told so, and over TLS with an authority of one's own",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], tls: true })
        for (let index = 1; index <= 45; index++) yield* dovecot.deliver(user.address, message(`old ${index}`))
        const ca = `${yield* temporaryDirectory()}/ca.pem`
        writeFileSync(ca, dovecot.certificate!)
        const secure = { port: dovecot.imapsPort, tls: "implicit", ca }
        const bridge = yield* startBridge({
          mailboxes: [mailbox(dovecot, secure)],
          env: { SIGNALBOX_ALARM_FIRST_START: "take" }
        })
        // 45 mails are more than two pages.
        const keys = Array.from({ length: 45 }, (_, index) => index + 1)
        expect(new Set(yield* subjects(bridge, 45))).toEqual(new Set(keys.map((key) => `old ${key}`)))
        expect(
          (yield* triggers(bridge)).map((trigger) => Number(trigger.trigger_key.split(":")[3])).sort((a, b) => a - b)
        ).toEqual(keys)
      }),
    120_000
  )

  it.live(
    "STARTTLS before the password is said; a certificate that is not good stops it",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], tls: true })
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot, { tls: "starttls" })] })
        const seen = yield* statusWhen(bridge, ({ mailboxes }) => mailboxes[0].error !== null)
        expect(seen.mailboxes[0].error).toMatch(/cannot be reached/)
        const trusting = yield* startBridge({ mailboxes: [mailbox(dovecot, { tls: "starttls", tls_verify: false })] })
        yield* watched(trusting)
        yield* eventually("Dovecot's word about TLS", () => dovecot.log().includes("TLS"))
      }),
    120_000
  )

  it.live(
    "nothing is skipped or doubled when the bridge or Dovecot stops, is killed, or cuts the session",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const database = yield* freshDatabase
        const options = { mailboxes: [mailbox(dovecot)], database }
        const first = yield* stoppable(options)
        yield* watched(first.bridge)
        yield* dovecot.deliver(user.address, message("1"))
        expect(yield* subjects(first.bridge, 1)).toEqual(["1"])
        yield* first.stop

        yield* dovecot.deliver(user.address, message("2 while it was stopped"))
        const second = (yield* stoppable(options)).bridge
        expect(yield* subjects(second, 2)).toEqual(["1", "2 while it was stopped"])

        yield* dovecot.kill9
        yield* statusWhen(second, ({ mailboxes }) => mailboxes[0].error !== null)
        yield* dovecot.start
        yield* dovecot.deliver(user.address, message("3 after SIGKILL"))
        expect(yield* subjects(second, 3)).toHaveLength(3)

        yield* dovecot.kick(user.address)
        yield* dovecot.deliver(user.address, message("4 after a kick"))
        yield* dovecot.restart
        yield* dovecot.deliver(user.address, message("5 after a restart"))
        expect(yield* subjects(second, 5)).toEqual([
          "1",
          "2 while it was stopped",
          "3 after SIGKILL",
          "4 after a kick",
          "5 after a restart"
        ])
        yield* watched(second)
        yield* dovecot.deliver(user.address, message("6"))
        expect(yield* subjects(second, 6)).toHaveLength(6)
      }),
    120_000
  )

  it.live(
    "after a reset only what was not taken before is an alarm, however often it is reset",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot)] })
        yield* watched(bridge)
        yield* dovecot.deliver(user.address, message("1"))
        yield* dovecot.deliver(user.address, message("2"))
        expect(yield* subjects(bridge, 2)).toEqual(["1", "2"])
        for (const subject of ["3", "4"]) {
          yield* dovecot.resetMailbox(user.address)
          yield* dovecot.deliver(user.address, message(subject))
          expect(yield* subjects(bridge, Number(subject))).toHaveLength(Number(subject))
          yield* watched(bridge)
        }
        expect(yield* subjects(bridge, 4)).toEqual(["1", "2", "3", "4"])

        // Simulates a restored backup: the cursor has a different UIDVALIDITY, and the mails in the mailbox were
        // already taken.
        yield* bridge.sql`update alarm_bridge.mailbox_cursor set uid_validity = uid_validity - 1, last_uid = 40`
        yield* dovecot.kick(user.address)
        yield* dovecot.deliver(user.address, message("5"))
        expect(yield* subjects(bridge, 5)).toEqual(["1", "2", "3", "4", "5"])
        // Mails that arrived before the first start stay old.
        yield* bridge.sql`update alarm_bridge.mailbox_cursor set uid_validity = uid_validity + 1, first_seen_at = now() + interval '1 hour', newest_at = null`
        yield* bridge.sql`delete from alarm_bridge.taken_mail`
        yield* dovecot.kick(user.address)
        yield* statusWhen(
          bridge,
          ({ mailboxes }) => mailboxes[0].last_seen_uid === 2 && mailboxes[0].detection === "idle"
        )
        expect(yield* subjects(bridge, 5)).toHaveLength(5)
      }),
    120_000
  )

  it.live(
    "of two processes one has the mailbox, and the other knows that it is elsewhere",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const database = yield* freshDatabase
        const one = yield* startBridge({ mailboxes: [mailbox(dovecot)], database })
        const two = yield* startBridge({ mailboxes: [mailbox(dovecot)], database })
        yield* watched(one).pipe(Effect.race(watched(two)))
        for (let index = 1; index <= 30; index++) yield* dovecot.deliver(user.address, message(String(index)))
        expect((yield* subjects(one, 30)).sort()).toEqual(
          Array.from({ length: 30 }, (_, index) => String(index + 1)).sort()
        )
        // The mailbox may be on its way to the process that started last.
        yield* until(
          "one process has the mailbox, and the other knows it",
          Effect.gen(function* () {
            const states = [yield* status(one), yield* status(two)].map(({ mailboxes }) => mailboxes[0].state)
            return states.sort().join() === "elsewhere,running"
          }),
          30
        )
      }),
    120_000
  )

  it.live(
    "a wrong password is told without saying it, and asked again politely; a new one is taken up from its file",
    () =>
      withLog((log) =>
        Effect.gen(function* () {
          const dovecot = yield* Dovecot.make({ users: [user] })
          const file = `${yield* temporaryDirectory()}/password`
          writeFileSync(file, "wrongpassword\n")
          const { password: _, ...rest } = mailbox(dovecot)
          // Begin of the last look that did not see the refusal. The refusal itself may be seen late.
          let unseen = performance.now()
          const bridge = yield* startBridge({ mailboxes: [{ ...rest, password_file: file }] })
          let seen = yield* status(bridge)
          yield* until(
            "the refusal is told",
            Effect.gen(function* () {
              const began = performance.now()
              seen = yield* status(bridge)
              if (seen.mailboxes[0].error !== null) return true
              unseen = began
              return false
            }),
            30
          )
          expect(seen.mailboxes[0].error).toMatch(/refuses user or password/)
          const health = yield* bridge.call("GET", "/health")
          expect(health.json).toMatchObject({ status: "degraded", components: { mailboxes: { status: "degraded" } } })
          writeFileSync(file, `${user.password}\n`)
          yield* watched(bridge)
          expect(performance.now() - unseen).toBeGreaterThan(1_000)
          yield* dovecot.deliver(user.address, message("in"))
          expect(yield* subjects(bridge, 1)).toEqual(["in"])
          expect(log()).toMatch(/refuses user or password/)
          expect(`${log()}${health.text}${JSON.stringify(seen)}`).not.toMatch(/wrongpassword|opensesame/)
        })
      ),
    120_000
  )

  it.live(
    "mail stays as it is: nothing is marked as read or deleted",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot)] })
        yield* watched(bridge)
        yield* dovecot.deliver(user.address, message("one"))
        expect(yield* subjects(bridge, 1)).toEqual(["one"])
        const { ImapFlow } = yield* Effect.promise(() => import("imapflow"))
        const flags = yield* Effect.promise(async () => {
          const client = new ImapFlow({
            host: "127.0.0.1",
            port: dovecot.imapPort,
            secure: false,
            auth: { user: user.address, pass: user.password },
            logger: false
          })
          await client.connect()
          await client.mailboxOpen("INBOX", { readOnly: true })
          const found = await client.fetchOne("1", { flags: true })
          client.close()
          return found === false || found === undefined ? undefined : [...(found.flags ?? [])]
        })
        expect(flags?.filter((flag) => flag !== "\\Recent")).toEqual([])
        // One mail must cost only a few commands. Dovecot logs the bytes that we sent. The pause lets a command loop
        // show.
        yield* Effect.sleep(1_000)
        yield* dovecot.kick(user.address)
        const sent = yield* eventually("Dovecot's account of both sessions", () => {
          const sessions = [...dovecot.log().matchAll(/in=(\d+) out=/g)]
          return sessions.length >= 2 && Math.max(...sessions.map(([, bytes]) => Number(bytes)))
        })
        expect(sent).toBeLessThan(1_000)
      }),
    120_000
  )

  it.live(
    "a mail of 2 MB, one of garbage and one that says nothing each become a trigger",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const bridge = yield* startBridge({ mailboxes: [mailbox(dovecot)] })
        yield* watched(bridge)
        const attachment = `--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n${`${"A".repeat(76)}\n`.repeat(27_000)}`
        yield* dovecot.deliver(
          user.address,
          `From: a@x.test\nSubject: large\nContent-Type: multipart/mixed; boundary=b\n\n${attachment}--b\nContent-Type: text/plain\n\nafter it\n--b--\n`
        )
        yield* dovecot.deliver(user.address, "\u0001\u0002\u00ff garbage without a header\n")
        yield* dovecot.deliver(user.address, "X-Nothing: at all\n\n")
        expect(yield* subjects(bridge, 3)).toEqual(["large", "", ""])
        expect((yield* triggers(bridge))[0]!.payload.email_body).toBe("after it")
      }),
    120_000
  )

  it.live(
    "a message that the server cannot give holds up nothing for good, and becomes an alarm all the same",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const options = { mailboxes: [mailbox(dovecot)], database: yield* freshDatabase }
        const first = yield* stoppable(options)
        yield* watched(first.bridge)
        yield* first.stop
        for (const subject of ["1", "2", "3"]) yield* dovecot.deliver(user.address, message(subject))
        // Makes the existing file of the second mail unreadable.
        const found = spawnSync(
          "sh",
          ["-c", `grep -rl 'Subject: 2' ${tmpdir()}/signalbox-peer-${process.pid}-dovecot-*/homes/*/Maildir/new`],
          { encoding: "utf8" }
        )
        const file = found.stdout.trim()
        expect(file).not.toBe("")
        chownSync(file, 0, 0)
        chmodSync(file, 0)
        const bridge = yield* startBridge(options)
        expect(yield* subjects(bridge, 3, 40)).toEqual(["1", "", "3"])
        expect((yield* triggers(bridge)).map((trigger) => trigger.trigger_key.split(":")[3])).toEqual(["1", "2", "3"])
      }),
    120_000
  )
})
