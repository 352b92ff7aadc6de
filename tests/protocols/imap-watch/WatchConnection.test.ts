import type { Change } from "#protocols/imap-watch/Folders.ts"
import type { ImapWatchError } from "#protocols/imap-watch/ImapWatchError.ts"
import { connect, type WatchConnection } from "#protocols/imap-watch/WatchConnection.ts"
import type { WatchOptions } from "#protocols/imap-watch/WatchOptions.ts"
import { until as eventuallyTrue } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Queue, Redacted, type Scope } from "effect"
import { ImapFlow } from "imapflow"
import { type AddressInfo, connect as dial, createServer, type Socket } from "node:net"
import { createSecureContext } from "node:tls"

const address = "ada@example.test"
const password = "s3cret-pass"
const patience = "25 seconds"
const message = "From: a@example.test\r\nSubject: x\r\n\r\nhi\r\n"

const live = (name: string, test: (server: Dovecot.Dovecot) => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(
    name,
    () =>
      Effect.scoped(
        Effect.timeout(
          Effect.gen(function* () {
            const server = yield* Dovecot.make({ users: [{ address, password }], tls: true })
            yield* server.start
            yield* test(server)
          }),
          patience
        )
      ),
    120_000
  )

const watch = (server: Dovecot.Dovecot, options: Partial<WatchOptions> = {}) =>
  connect({
    host: "127.0.0.1",
    port: server.imapsPort!,
    secureContext: createSecureContext({ ca: server.certificate! }),
    login: { _tag: "Password", user: address, password: Redacted.make(password) },
    ...options
  })

/** A second client of the same mailbox. */
const other = (server: Dovecot.Dovecot) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new ImapFlow({
        host: "127.0.0.1",
        port: server.imapPort,
        secure: false,
        logger: false,
        doSTARTTLS: false,
        auth: { user: address, pass: password }
      })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.sync(() => client.close())
  )

const until = (
  connection: WatchConnection,
  wanted: (change: Change) => boolean
): Effect.Effect<Change, ImapWatchError> =>
  Effect.flatMap(Queue.take(connection.changes), (change) =>
    wanted(change) ? Effect.succeed(change) : until(connection, wanted)
  )

/** The error with which the watch ends. */
const ending = (connection: WatchConnection) =>
  Effect.map(Effect.flip(until(connection, () => false)), ({ reason, retryable }) => ({ tag: reason._tag, retryable }))

/** A TCP proxy between client and server that can be cut, or stopped with open connections. */
const cable = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets: Array<Socket> = []
      const server = createServer((near) => {
        const far = dial(port, "127.0.0.1")
        for (const socket of [near, far]) sockets.push(socket.on("error", () => {}))
        near.pipe(far)
        far.pipe(near)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const cut = () => sockets.forEach((socket) => socket.destroy())
      const hold = () => sockets.forEach((socket) => socket.unpipe().pause())
      return { port: (server.address() as AddressInfo).port, cut, hold, close: () => (cut(), server.close()) }
    }),
    ({ close }) => Effect.sync(close)
  )

describePeers(["dovecot"], "with a real Dovecot", () => {
  live("NOTIFY tells of two folders over one connection, and of folders made and deleted", (server) =>
    Effect.gen(function* () {
      const client = yield* other(server)
      yield* Effect.promise(() => client.mailboxCreate("Entwürfe"))
      const connection = yield* watch(server)
      expect(connection.mode).toBe("notify")
      expect((yield* until(connection, ({ folder }) => folder === "Entwürfe")).status).toMatchObject({
        messages: 0,
        uidNext: 1
      })
      yield* server.deliver(address, message)
      const delivered = yield* until(connection, ({ folder, status }) => folder === "INBOX" && status.uidNext === 2)
      expect(delivered).toMatchObject({
        kind: "status",
        status: { messages: 1, unseen: 1, uidValidity: expect.any(Number) }
      })
      yield* Effect.promise(() => client.append("Entwürfe", message))
      yield* until(connection, ({ folder, status }) => folder === "Entwürfe" && status.uidNext === 2)
      yield* Effect.promise(() => client.mailboxCreate("Neuä"))
      yield* until(connection, ({ folder, kind }) => folder === "Neuä" && kind === "listed")
      yield* Effect.promise(() => client.mailboxDelete("Neuä"))
      yield* until(connection, ({ folder, kind }) => folder === "Neuä" && kind === "gone")
      expect(yield* server.sessions(address)).toBe(2)
    })
  )

  live("IDLE tells of a delivery, an expunge and flags, without a look between", (server) =>
    Effect.gen(function* () {
      const connection = yield* watch(server, { without: ["notify"], lookEvery: Duration.hours(1) })
      expect(connection.mode).toBe("idle")
      yield* server.deliver(address, message)
      expect((yield* until(connection, ({ kind }) => kind === "exists")).status).toMatchObject({ messages: 1 })
      const client = yield* other(server)
      yield* Effect.promise(() => client.mailboxOpen("INBOX"))
      yield* Effect.promise(() => client.messageFlagsAdd("1", ["\\Seen"]))
      yield* until(connection, ({ kind }) => kind === "flags")
      yield* Effect.promise(() => client.messageDelete("1"))
      expect((yield* until(connection, ({ kind }) => kind === "expunge")).status).toMatchObject({ messages: 0 })
    })
  )

  live("IDLE is renewed, and what happens elsewhere is seen by looking: renamed, deleted, made again", (server) =>
    Effect.gen(function* () {
      const client = yield* other(server)
      yield* Effect.promise(() => client.mailboxCreate("Werk"))
      const connection = yield* watch(server, { without: ["notify"], lookEvery: Duration.millis(50) })
      const first = yield* until(connection, ({ folder, kind }) => folder === "Werk" && kind === "status")
      yield* Effect.promise(() => client.append("Werk", message))
      yield* until(connection, ({ folder, status }) => folder === "Werk" && status.uidNext === 2)
      yield* Effect.promise(() => client.mailboxRename("Werk", "Work"))
      const names = [
        yield* until(connection, ({ folder }) => folder === "Work"),
        yield* until(connection, ({ kind }) => kind === "gone")
      ]
      expect(names.map(({ folder, kind }) => [folder, kind])).toEqual([
        ["Work", "listed"],
        ["Werk", "gone"]
      ])
      // A new client, because the other one has the old folder in its cache.
      const third = yield* other(server)
      yield* Effect.promise(() => third.mailboxCreate("Werk"))
      const again = yield* until(connection, ({ folder, kind }) => folder === "Werk" && kind === "status")
      expect(again.status.uidValidity).not.toBe(first.status.uidValidity)
      // IDLE still works after many renewals.
      yield* server.deliver(address, message)
      yield* until(connection, ({ folder, status }) => folder === "INBOX" && status.messages === 1)
    })
  )

  live("NOTIFY and the looks beside it learn of a renamed folder", (server) =>
    Effect.gen(function* () {
      const client = yield* other(server)
      yield* Effect.promise(() => client.mailboxCreate("Werk"))
      const connection = yield* watch(server, { lookEvery: Duration.millis(50) })
      yield* until(connection, ({ folder }) => folder === "Werk")
      yield* Effect.promise(() => client.mailboxRename("Werk", "Work"))
      yield* until(connection, ({ folder }) => folder === "Work")
      yield* until(connection, ({ folder, kind }) => folder === "Werk" && kind === "gone")
    })
  )

  live("the folder that IDLE stands on is deleted: the watching ends and can begin again", (server) =>
    Effect.gen(function* () {
      const client = yield* other(server)
      yield* Effect.promise(() => client.mailboxCreate("Werk"))
      const connection = yield* watch(server, { without: ["notify"], folder: "Werk", lookEvery: Duration.millis(100) })
      yield* Effect.promise(() => client.mailboxDelete("Werk"))
      expect(yield* ending(connection)).toEqual({ tag: "Bye", retryable: true })
    })
  )

  live("without IDLE it looks", (server) =>
    Effect.gen(function* () {
      const connection = yield* watch(server, { without: ["notify", "idle"], lookEvery: Duration.millis(50) })
      expect(connection.mode).toBe("poll")
      yield* server.deliver(address, message)
      yield* until(connection, ({ folder, status }) => folder === "INBOX" && status.uidNext === 2)
    })
  )

  for (const [mode, without] of [
    ["notify", []],
    ["idle", ["notify"]],
    ["poll", ["notify", "idle"]]
  ] as const) {
    live(`${mode}: says what came to a folder on the same connection, and goes on watching all`, (server) =>
      Effect.gen(function* () {
        const client = yield* other(server)
        yield* Effect.promise(() => client.mailboxCreate("Entwürfe"))
        const connection = yield* watch(server, { without, lookEvery: Duration.hours(1) })
        expect(connection.mode).toBe(mode)
        yield* server.deliver(
          address,
          'From: "evil@x.test" <Ann@example.test>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMessage-ID: <1@x>\r\n\r\nhi\r\n'
        )
        yield* Effect.promise(() => client.append("Entwürfe", message))
        for (const folder of ["INBOX", "Entwürfe", "INBOX"]) {
          const arrived = yield* connection.arrivals(folder, 1)
          expect(arrived).toMatchObject({
            next: 2,
            more: false,
            uidValidity: expect.any(Number),
            messages: [{ uid: 1, internalDate: expect.any(Date), size: expect.any(Number) }]
          })
          expect(arrived.messages[0]).toMatchObject(
            folder === "INBOX"
              ? { fromAddr: "Ann@example.test", subject: "Grüße", messageId: "<1@x>", isDelivered: true }
              : { fromAddr: "a@example.test", subject: "x", messageId: "", isDelivered: false }
          )
          expect(yield* connection.arrivals(folder, 2)).toMatchObject({ messages: [], next: 2, more: false })
        }
        expect(yield* Effect.flip(connection.arrivals("Nowhere", 1))).toMatchObject({
          reason: { _tag: "Rejected" },
          step: "EXAMINE"
        })
        expect(yield* server.sessions(address)).toBe(2)
        // Both folders are still watched.
        yield* Queue.clear(connection.changes)
        yield* server.deliver(address, message)
        yield* Effect.promise(() => client.append("Entwürfe", message))
        const inbox = ({ folder, status }: Change) => folder === "INBOX" && status.messages === 2
        if (mode === "idle") yield* until(connection, inbox)
        if (mode !== "notify") yield* connection.look
        const seen = [yield* until(connection, (change) => change.folder === "Entwürfe" && change.status.uidNext === 3)]
        if (mode === "notify")
          seen.push(connection.folders.get("INBOX")?.messages === 2 ? seen[0]! : yield* until(connection, inbox))
        expect(connection.folders.get("INBOX")).toMatchObject({
          messages: 2,
          ...(mode === "idle" ? {} : { uidNext: 3 })
        })
      })
    )
  }

  live("gives what came in pages, over gaps of any width", (server) =>
    Effect.gen(function* () {
      const client = yield* other(server)
      const connection = yield* watch(server)
      yield* Effect.promise(() => client.mailboxOpen("INBOX"))
      for (let index = 0; index < 205; index++) yield* Effect.promise(() => client.append("INBOX", message))
      const first = yield* connection.arrivals("INBOX", 1)
      expect([first.messages.length, first.next, first.more]).toEqual([200, 201, true])
      const second = yield* connection.arrivals("INBOX", first.next)
      expect([second.messages.map(({ uid }) => uid), second.next, second.more]).toEqual([
        [201, 202, 203, 204, 205],
        206,
        false
      ])
      yield* Effect.promise(() => client.messageDelete("1:204"))
      const gap = yield* connection.arrivals("INBOX", 1)
      expect([gap.messages.map(({ uid }) => uid), gap.next, gap.more]).toEqual([[205], 206, false])
      yield* Effect.promise(() => client.messageDelete("1:*"))
      expect(yield* connection.arrivals("INBOX", 1)).toMatchObject({ messages: [], next: 206, more: false })
    })
  )

  live("what comes while a folder is read is told, too", (server) =>
    Effect.gen(function* () {
      const connection = yield* watch(server, { lookEvery: Duration.hours(1) })
      for (let index = 1; index <= 30; index++) {
        yield* Effect.all([server.deliver(address, message), connection.arrivals("INBOX", 1)], { concurrency: 2 })
        if (connection.folders.get("INBOX")?.uidNext !== index + 1)
          yield* until(connection, ({ folder, status }) => folder === "INBOX" && status.uidNext === index + 1)
      }
    })
  )

  live("a wrong password and a certificate that nobody trusts are told apart, and nothing of the password", (server) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        watch(server, { login: { _tag: "Password", user: address, password: Redacted.make("n0t-this") } })
      )
      expect(refused).toMatchObject({
        step: "LOGIN",
        reason: { _tag: "Refused", code: "AUTHENTICATIONFAILED" },
        retryable: false
      })
      expect(JSON.stringify(refused) + refused.message).not.toContain("n0t-this")
      const untrusted = yield* Effect.flip(watch(server, { secureContext: createSecureContext() }))
      expect(untrusted).toMatchObject({
        step: "connect",
        reason: { _tag: "NotConnected", why: "DEPTH_ZERO_SELF_SIGNED_CERT" }
      })
    })
  )

  live(
    "the server killed, the session kicked: both are ends, and the start of a new server a new beginning",
    (server) =>
      Effect.gen(function* () {
        const first = yield* watch(server)
        yield* server.kick(address)
        expect((yield* ending(first)).tag).toMatch(/^(Bye|Lost)$/)
        const second = yield* watch(server)
        yield* server.kill9
        expect(yield* ending(second)).toEqual({ tag: expect.stringMatching(/^(Bye|Lost)$/), retryable: true })
        expect((yield* Effect.flip(watch(server))).reason._tag).toBe("NotConnected")
        yield* server.start
        const third = yield* watch(server)
        yield* until(third, ({ folder }) => folder === "INBOX")
      })
  )

  live("a cut connection ends at once; one that stands but is dead, with the next look", (server) =>
    Effect.gen(function* () {
      const line = yield* cable(server.imapsPort!)
      const first = yield* watch(server, { port: line.port })
      line.cut()
      expect(yield* ending(first)).toEqual({ tag: "Lost", retryable: true })
      for (const without of [[], ["notify"]] as const) {
        const connection = yield* watch(server, {
          port: line.port,
          without,
          lookEvery: Duration.millis(300),
          stepTimeout: Duration.seconds(3)
        })
        line.hold()
        expect(yield* ending(connection)).toEqual({ tag: "Timeout", retryable: true })
      }
    })
  )

  live("it ends with its scope", (server) =>
    Effect.gen(function* () {
      yield* Effect.scoped(watch(server))
      // Dovecot writes the line after the session has left its list.
      const gone = Effect.map(
        server.sessions(address),
        (sessions) => sessions === 0 && server.log().includes("Logged out")
      )
      yield* eventuallyTrue("the session has logged out", gone)
    })
  )
})
