/** The socket of the IMAP library: the hooks of Node and of the library that it needs, and its flow of data. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { ImapFlow } from "imapflow"
import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { LibrarySocket } from "#daemons/mail-watcher/accounts/sessions/LibrarySocket.ts"
import { account, server, sessions } from "./ScriptedServer.ts"

const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "25 seconds")), 30_000)

/** Bytes that are different for each `seed` and position. */
const noise = (seed: number, length: number) =>
  Buffer.from(Array.from({ length }, (_, at) => 33 + ((at * 7 + seed * 31 + (at >> 8)) % 90)))

/** A server whose FETCH sends each of `mails`. */
const serving = (mails: ReadonlyArray<Buffer>) =>
  server((socket, tag, command) => {
    if (command === "EXAMINE") return socket.write(`* ${mails.length} EXISTS\r\n${tag} OK [READ-ONLY] done\r\n`)
    if (command !== "FETCH") return false
    mails.forEach((mail, index) => {
      socket.write(`* ${index + 1} FETCH (UID ${index + 1} BODY[] {${mail.length}}\r\n`)
      socket.write(mail)
      socket.write(")\r\n")
    })
    socket.write(`${tag} OK done\r\n`)
    return true
  })

/** Reads all messages with the library. */
const fetched = Effect.fnUntraced(function* (mails: ReadonlyArray<Buffer>) {
  const { use } = yield* sessions(yield* serving(mails))
  return yield* use(account, async (client) => {
    await client.mailboxOpen("INBOX", { readOnly: true })
    return (await client.fetchAll("1:*", { uid: true, source: true })).map(({ source }) => source!)
  })
})

describe("socket of the IMAP library", () => {
  live("reads the input of imapflow before imapflow", () =>
    Effect.gen(function* () {
      const { mailCa, port } = yield* server(() => false)
      const socket = new LibrarySocket(createSecureContext({ ca: readFileSync(mailCa) }), () => {})
      let heard = ""
      socket.divert = (bytes) => {
        heard += bytes.toString()
        return false
      }
      const client = new ImapFlow({
        host: "127.0.0.1",
        port,
        secure: true,
        tls: socket.options,
        auth: { user: "ann", pass: "secret words" },
        logger: false
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => socket.connect(client)),
        () => Effect.sync(() => client.close())
      )
      assert.match(
        heard,
        /^\* OK \[CAPABILITY IMAP4rev1\] hi\r\n/,
        "imapflow no longer passes the option `onread` to the socket"
      )
      assert.isTrue(client.usable)
    })
  )

  live("reports a library that creates its socket later", () =>
    Effect.gen(function* () {
      const socket = new LibrarySocket(createSecureContext(), () => {})
      const late = { connect: () => Promise.resolve(), close: () => undefined } as unknown as ImapFlow
      const error = yield* Effect.flip(Effect.tryPromise({ try: () => socket.connect(late), catch: String }))
      assert.include(error, "imapflow created no socket in connect()")
    })
  )

  live("gives imapflow more than it reads at once, without loss", () =>
    Effect.gen(function* () {
      const mails = Array.from({ length: 20 }, (_, index) => noise(index, 1_000_000))
      const found = yield* fetched(mails)
      assert.strictEqual(found.length, mails.length)
      mails.forEach((mail, index) => assert.isTrue(mail.equals(found[index]!), `message ${index + 1}`))
    })
  )

  live("does not mix the input of two connections, which share a buffer", () =>
    Effect.gen(function* () {
      const mails = [0, 1, 2, 3].map((seed) => [noise(seed, 300_000), noise(seed + 10, 200)])
      const found = yield* Effect.all(mails.map(fetched), { concurrency: "unbounded" })
      mails.forEach((sent, at) =>
        sent.forEach((mail, index) => assert.isTrue(mail.equals(found[at]![index]!), `connection ${at}`))
      )
    })
  )
})
