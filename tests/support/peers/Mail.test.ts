import { it } from "@effect/vitest"
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { expect } from "vitest"
import { describePeers } from "./DescribePeers.ts"
import * as Dovecot from "./Dovecot.ts"
import { poll } from "./Loopback.ts"
import { peers } from "./Peers.ts"
import * as Postfix from "./Postfix.ts"
import * as Swaks from "./Swaks.ts"

const user = { address: "alarm@example.test", password: "secret" }
const message = (subject: string) => `From: a@example.test\nTo: ${user.address}\nSubject: ${subject}\n\nbody\n`

/** An IMAP session of this user with INBOX open; the end of the scope cuts it. */
const inbox = (server: Dovecot.Dovecot, password = user.password) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new ImapFlow({
        host: "127.0.0.1",
        port: server.imapsPort ?? server.imapPort,
        secure: server.imapsPort !== undefined,
        ...(server.certificate === undefined ? {} : { tls: { ca: server.certificate } }),
        auth: { user: user.address, pass: password },
        logger: false
      })
      client.on("error", () => {})
      await client.connect()
      await client.mailboxOpen("INBOX")
      return client
    }),
    (client) => Effect.sync(() => client.close())
  )

/** Longest wait for a mail. Unit: milliseconds. Reason: Postfix waits up to 2 s between tries, on two loaded cores. */
const mailWait = 15_000

/** Subjects of the mails in INBOX, once there are `count`, or after `mailWait`. */
const subjects = (client: ImapFlow, count: number) =>
  Effect.promise(async () => {
    const read = async () =>
      client.mailbox !== false && client.mailbox.exists === 0
        ? []
        : (await client.fetchAll("1:*", { envelope: true })).map((mail) => mail.envelope?.subject ?? "")
    return (
      (await poll(async () => {
        await client.noop()
        const found = await read()
        return found.length >= count ? found : undefined
      }, mailWait)) ?? (await read())
    )
  })

/** UIDVALIDITY of the open mailbox. Read it before the session ends. */
const uidValidity = (client: ImapFlow) => (client.mailbox === false ? 0n : client.mailbox.uidValidity)

describePeers(["swaks", "postfix", "dovecot"], "swaks to Postfix to Dovecot", () => {
  it.live(
    "a message arrives word for word, and a sender with a wrong password is refused",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort, authSocket: dovecot.submissionAuthSocket })
        const subject = "CRITICAL:WEBHOOK+http://host/a;b?x=%41;RETRY:2+1 \\n"
        const to = { port: postfix.smtpPort, from: "device@example.test", to: user.address }
        const sent = yield* Swaks.send({
          ...to,
          subject,
          body: "first line\n.\n%TO_ADDRESS% back\\nslash\n",
          headers: { "X-Device": "7" }
        })
        expect(sent.accepted, sent.transcript).toBe(true)
        const client = yield* inbox(dovecot)
        expect(yield* subjects(client, 1)).toEqual([subject])
        const text = yield* Effect.promise(() => client.fetchOne("1", { source: true }))
        expect(text === false || text === undefined ? "" : text.source?.toString()).toMatch(
          /X-Device: 7\r\n\r\nfirst line\r\n\.\r\n%TO_ADDRESS% back\\nslash\r\n/
        )

        const stranger = yield* Swaks.send({
          ...to,
          subject,
          body: "",
          extraArgs: ["--auth-user", user.address, "--auth-password", "wrong"]
        })
        expect(stranger.accepted).toBe(false)
        expect(stranger.transcript).toContain("535")
      }),
    120_000
  )

  it.live(
    "mail waits in the queue while Dovecot is down and arrives after its restart",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        const postfix = yield* Postfix.make({ lmtpPort: dovecot.lmtpPort })
        yield* dovecot.kill9
        yield* Swaks.send({
          port: postfix.smtpPort,
          from: "d@example.test",
          to: user.address,
          subject: "waited",
          body: "x"
        })
        expect(yield* postfix.queueCount).toBe(1)
        // A delivery that is under way at the restart is tried again only after a minute.
        const isDeferred = async () => postfix.log().includes("status=deferred") || undefined
        expect(yield* Effect.promise(() => poll(isDeferred, mailWait)), postfix.log()).toBe(true)
        yield* postfix.restart
        expect(yield* postfix.queueCount).toBe(1)
        yield* dovecot.start
        const found = yield* subjects(yield* inbox(dovecot), 1)
        expect(found, postfix.log()).toEqual(["waited"])
        expect(
          yield* Effect.promise(() =>
            poll(async () => (Effect.runSync(postfix.queueCount) === 0 ? 0 : undefined), mailWait)
          )
        ).toBe(0)
      }),
    120_000
  )
})

describePeers(["dovecot"], "Dovecot", () => {
  it.live(
    "tells an idling client of a delivery",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], tls: true })
        const client = yield* inbox(dovecot)
        expect(client.capabilities.has("IDLE")).toBe(true)
        const told = new Promise<number>((resolve) =>
          client.once("exists", (event: { count: number }) => resolve(event.count))
        )
        void client.idle()
        yield* dovecot.deliver(user.address, message("one"))
        expect(yield* Effect.promise(() => told)).toBe(1)
      }),
    120_000
  )

  it.live(
    "offers no IDLE when told so, and still answers NOOP with the news",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], idle: false })
        const client = yield* inbox(dovecot)
        expect(client.capabilities.has("IDLE")).toBe(false)
        expect(client.capabilities.has("UIDPLUS")).toBe(true)
        yield* dovecot.deliver(user.address, message("one"))
        expect(yield* subjects(client, 1)).toEqual(["one"])
      }),
    120_000
  )

  it.live(
    "a reset mailbox is empty, has a higher UIDVALIDITY and cuts the session that watched it",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        yield* dovecot.deliver(user.address, message("old"))
        const before = yield* inbox(dovecot)
        const seen = [uidValidity(before)]
        const cut = new Promise<void>((resolve) => before.once("close", () => resolve()))
        yield* dovecot.resetMailbox(user.address)
        yield* Effect.promise(() => cut)
        yield* dovecot.deliver(user.address, message("new"))
        const after = yield* inbox(dovecot)
        expect(yield* subjects(after, 1)).toEqual(["new"])
        seen.push(uidValidity(after))
        yield* dovecot.resetMailbox(user.address)
        seen.push(uidValidity(yield* inbox(dovecot)))
        expect(seen).toEqual([...new Set(seen)].sort())
      }),
    120_000
  )

  it.live(
    "two run side by side and know nothing of each other; both keep their mail over restart and SIGKILL",
    () =>
      Effect.gen(function* () {
        const [first, second] = yield* Effect.all([Dovecot.make({ users: [user] }), Dovecot.make({ users: [user] })], {
          concurrency: 2
        })
        yield* first.deliver(user.address, message("first"))
        yield* second.deliver(user.address, message("second"))
        yield* Effect.all([first.restart, Effect.andThen(second.kill9, second.start)], { concurrency: 2 })
        expect(yield* subjects(yield* inbox(first), 1)).toEqual(["first"])
        expect(yield* subjects(yield* inbox(second), 1)).toEqual(["second"])
      }),
    120_000
  )

  it.live(
    "a changed password counts at once, without the penalty of a real host; new users can sign in",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user] })
        yield* inbox(dovecot)
        yield* dovecot.setPassword(user.address, "another")
        const took: Array<number> = []
        for (const wrong of ["secret", "secret", "secret"]) {
          const started = performance.now()
          expect(yield* Effect.exit(Effect.scoped(inbox(dovecot, wrong)))).toMatchObject({ _tag: "Failure" })
          took.push(performance.now() - started)
        }
        // The penalty is 4 s or more from the second login on. A busy machine does not delay both that much.
        expect(Math.min(...took.slice(1))).toBeLessThan(3_000)
        yield* inbox(dovecot, "another")
        yield* dovecot.addUser({ address: "b@example.test", password: "b" })
        yield* dovecot.deliver("b@example.test", message("for b"))
        expect(yield* Effect.flip(dovecot.deliver("nobody@example.test", message("x")))).toMatchObject({
          reason: "CommandFailed"
        })
      }),
    120_000
  )

  it.live(
    "leaves no process and no folder behind",
    () =>
      Effect.gen(function* () {
        const ours = () =>
          readdirSync(tmpdir()).filter((name) => name.startsWith(`signalbox-peer-${process.pid}-`)).length
        const before = ours()
        const port = yield* Effect.scoped(
          Effect.gen(function* () {
            const dovecot = yield* Dovecot.make({ users: [user] })
            expect(ours()).toBe(before + 1)
            return dovecot.imapPort
          })
        )
        expect(ours()).toBe(before)
        expect(
          yield* Effect.promise(() =>
            fetch(`http://127.0.0.1:${port}`).then(
              () => "answers",
              () => "gone"
            )
          )
        ).toBe("gone")
      }),
    120_000
  )
})

describePeers(["dovecot24"], "Dovecot 2.4 in its folder", () => {
  it.live(
    "takes mail, keeps it over a restart, serves it by TLS, without IDLE when told so, and follows its users",
    () =>
      Effect.gen(function* () {
        const dovecot = yield* Dovecot.make({ users: [user], version: "2.4", tls: true, idle: false })
        yield* dovecot.deliver(user.address, message("one"))
        yield* dovecot.restart
        const client = yield* inbox(dovecot)
        expect(client.capabilities.has("IDLE")).toBe(false)
        expect(yield* subjects(client, 1)).toEqual(["one"])
        expect(yield* dovecot.sessions(user.address)).toBe(1)
        yield* dovecot.resetMailbox(user.address)
        expect(yield* subjects(yield* inbox(dovecot), 0)).toEqual([])
        yield* dovecot.setPassword(user.address, "another")
        yield* inbox(dovecot, "another")
        yield* dovecot.addUser({ address: "b@example.test", password: "b" })
        yield* dovecot.deliver("b@example.test", message("for b"))
      }),
    120_000
  )

  it.live(
    "offers IDLE, and leaves nothing in the folder",
    () =>
      Effect.gen(function* () {
        const folder = `${peers.dovecot24.newer?.folder}/tmp`
        const ours = () =>
          readdirSync(folder).filter((name) => name.startsWith(`signalbox-peer-${process.pid}-`)).length
        yield* Effect.scoped(
          Effect.gen(function* () {
            const dovecot = yield* Dovecot.make({ users: [user], version: "2.4" })
            expect((yield* inbox(dovecot)).capabilities.has("IDLE")).toBe(true)
            expect(ours()).toBe(1)
          })
        )
        expect(ours()).toBe(0)
      }),
    120_000
  )
})
