/**
 * What our code relies on in imapflow beyond its types. A new version that breaks one of these needs a change of
 * accounts/sessions, and shows it here rather than as a slow or hanging mailbox.
 */
import { describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { ImapFlow } from "imapflow"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { createSecureContext, type TLSSocket } from "node:tls"
import { assert } from "vitest"
import { maxLine, ofOneAnswer } from "#daemons/mail-watcher/accounts/sessions/AnswerLimits.ts"
import { server } from "./ScriptedServer.ts"

type Instead = Parameters<typeof server>[0]

/** A signed-in client of a scripted server, with the sockets that Node created during the call of `connect`. */
const signedIn = (instead: Instead, before: (client: ImapFlow) => void = () => {}) =>
  Effect.gen(function* () {
    const { mailCa, port } = yield* server(instead)
    const client = new ImapFlow({
      host: "127.0.0.1",
      port,
      secure: true,
      tls: { secureContext: createSecureContext({ ca: readFileSync(mailCa) }) },
      auth: { user: "ann", pass: "secret words" },
      logger: false,
      disableAutoIdle: true,
      disableAutoEnable: true,
      disableCompression: true,
      ...ofOneAnswer
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => client.close()))
    const errors: Array<unknown> = []
    client.on("error", (error) => void errors.push(error))
    before(client)
    const sockets: Array<Socket> = []
    const created = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket)
    subscribe("net.client.socket", created)
    const connected = client.connect()
    // LibrarySocket finds its socket in this synchronous part of the call.
    unsubscribe("net.client.socket", created)
    yield* Effect.promise(() => connected)
    return { client, errors, sockets }
  })

const test = (name: string, run: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(run(), "25 seconds")), 30_000)

const rejection = (work: Promise<unknown>) =>
  Effect.promise(() =>
    work.then(
      () => undefined,
      (error: unknown) => error as { readonly code?: unknown }
    )
  )

describe("imapflow", () => {
  test("creates exactly one socket, while connect() is called, and passes on the options of TLS", () =>
    Effect.map(
      signedIn(() => false),
      ({ client, sockets }) => {
        assert.lengthOf(sockets, 1)
        assert.isTrue(client.usable)
      }
    ))

  test("runs no command of its own after the sign-in, so raw commands have the connection", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const { client } = yield* signedIn((_, __, command) => {
        said.push(command)
        return false
      })
      const after = said.length
      yield* Effect.promise(() => client.noop())
      assert.deepStrictEqual(said.slice(after), ["NOOP"])
    }))

  test("reads what the server says between commands", () =>
    Effect.gen(function* () {
      let said: TLSSocket | undefined
      const { client } = yield* signedIn((socket, tag, command) => {
        said = socket
        if (command !== "SELECT" && command !== "EXAMINE") return false
        socket.write(`* 3 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 9] ok\r\n${tag} OK [READ-ONLY] done\r\n`)
        return true
      })
      const opened = yield* Effect.promise(() => client.mailboxOpen("INBOX", { readOnly: true }))
      assert.deepStrictEqual([opened.exists, opened.uidValidity, opened.uidNext], [3, 1n, 9])
      said!.write("* 4 EXISTS\r\n")
      yield* Effect.promise(() => client.noop())
      assert.strictEqual(client.mailbox === false ? undefined : client.mailbox.exists, 4)
    }))

  test("ends with a code at a line that is too long, and closes", () =>
    Effect.gen(function* () {
      const { client, errors } = yield* signedIn((socket, _, command) => {
        if (command !== "NOOP") return false
        socket.write(`* OK ${"x".repeat(maxLine + 1_000)}\r\n`)
        return true
      })
      const failed = yield* rejection(client.noop())
      const codes = [failed, ...(errors as Array<{ readonly code?: unknown }>)].map((error) => error?.code)
      assert.include(codes, "LineTooLarge")
      assert.isFalse(client.usable)
    }))

  test("fails running commands with a code, and emits close, when the connection ends", () =>
    Effect.gen(function* () {
      let closed = 0
      const { client } = yield* signedIn(
        (socket, _, command) => {
          if (command !== "NOOP") return false
          socket.destroy()
          return true
        },
        (made) => made.on("close", () => (closed += 1))
      )
      yield* rejection(client.noop())
      assert.strictEqual(closed, 1)
      assert.isFalse(client.usable)
      assert.strictEqual((yield* rejection(client.mailboxOpen("INBOX")))?.code, "NoConnection")
    }))

  test("close() ends waiting commands", () =>
    Effect.gen(function* () {
      const { client } = yield* signedIn((_, __, command) => command === "SELECT")
      const waiting = rejection(client.mailboxOpen("INBOX"))
      client.close()
      assert.isDefined(yield* waiting)
    }))
})
