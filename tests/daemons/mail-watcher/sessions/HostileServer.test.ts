/** Mail servers that never come to an end: what they say is bounded, and how long they take. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result, type Scope } from "effect"
import { writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createServer, type TLSSocket } from "node:tls"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import * as SignInCheck from "#daemons/mail-watcher/accounts/SignInCheck.ts"
import * as MailSessions from "#daemons/mail-watcher/sessions/MailSessions.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { makeCertificate } from "../webmail/Certificate.ts"

/** One that is signed in to, unless `instead` has said something else to a command; `said`: bytes that left for the client. */
const server = Effect.fnUntraced(function*(instead: (socket: TLSSocket, tag: string, command: string) => boolean) {
  const { certificate, key } = yield* makeCertificate
  const sockets = new Set<TLSSocket>()
  const listening = createServer({ key, cert: certificate }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.write("* OK [CAPABILITY IMAP4rev1] hi\r\n")
    socket.on("data", (bytes: Buffer) => {
      for (const line of bytes.toString().split("\r\n").filter((text: string) => text !== "")) {
        const [tag = "", command = ""] = line.split(" ")
        if (!instead(socket, tag, command.toUpperCase())) socket.write(`${tag} OK done\r\n`)
      }
    })
  })
  yield* Effect.promise(() => new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve)))
  yield* Effect.addFinalizer(() => Effect.sync(() => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  }))
  const mailCa = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(mailCa, certificate)
  return { mailCa, port: (listening.address() as AddressInfo).port, said: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) }
})

const guard = GuardedHost.layer({ allowCidrs: ["127.0.0.0/8"] })

const sessions = ({ mailCa, port }: { readonly mailCa: string; readonly port: number }, limits: MailSessions.SessionLimits = {}) => {
  const logins = Layer.succeed(MailLogins, MailLogins.of({
    imap: () => Effect.succeed({ host: "127.0.0.1", port, foreign: true }),
    submission: () => Effect.die("not asked"),
    login: () => Effect.succeed({ user: "ann", secret: { _tag: "Password", value: Redacted.make("secret words") } })
  }))
  return Effect.map(Layer.build(MailSessions.layer({ mailCa }, limits).pipe(Layer.provide([logins, guard]))), (context) => Effect.provide(MailSessions.MailSessions, context)).pipe(Effect.flatten)
}

const check = ({ mailCa, port }: { readonly mailCa: string; readonly port: number }, patience?: number) =>
  Effect.gen(function*() {
    const { check } = yield* SignInCheck.SignInCheck
    return yield* Effect.result(check({ host: "127.0.0.1", port, user: "ann", password: Redacted.make("secret words") }))
  }).pipe(Effect.provide(SignInCheck.layer({ mailCa }, patience).pipe(Layer.provide(guard))))

const account = { id: 1, address: "ann@example.test" } as Account

/** Says this for as long as somebody takes it. */
const forEver = (socket: TLSSocket, text: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once("drain", () => setImmediate(more))
  }
  more()
  return true
}

const outcome = (result: Result.Result<unknown, { readonly _tag: string; readonly detail?: string | undefined }>) =>
  Result.isFailure(result) ? [result.failure._tag, result.failure.detail] : ["done", undefined]

const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) => it.live(name, () => Effect.scoped(Effect.timeout(test(), "25 seconds")), 30_000)

/** Now and then a word, never the answer. */
const trickling = server((socket, _tag, command) => {
  if (command !== "LOGIN" && command !== "AUTHENTICATE") return false
  const timer = setInterval(() => socket.destroyed ? clearInterval(timer) : socket.write("* OK still here\r\n"), 100)
  return true
})

describe("a mail server that comes to no end", () => {
  live("does not keep whoever reads, nor whoever adds an account, beyond their patience", () =>
    Effect.gen(function*() {
      const place = yield* trickling
      const { use } = yield* sessions(place, { signInTimeout: 700 })
      const away = ["MailServerUnavailable", "The mail server does not answer."]
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.noop()))), away)
      assert.deepStrictEqual(outcome(yield* check(place, 700)), away)
    }))

  live("does not get the password that it repeats into an answer or a log", () =>
    Effect.gen(function*() {
      const place = yield* server((socket, tag, command) =>
        (command === "LOGIN" || command === "AUTHENTICATE") && (socket.write(`${tag} NO [AUTHENTICATIONFAILED] not with secret words\r\n`), true))
      const { use } = yield* sessions(place)
      const refused = ["MailSignInRefused", "not with …"]
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.noop()))), refused)
      assert.deepStrictEqual(outcome(yield* check(place)), refused)
    }))

  live("is not listened to when it lists folders without an end", () =>
    Effect.gen(function*() {
      let asked = 0
      // The library asks once while it signs in.
      const place = yield* server((socket, _tag, command) =>
        command === "LIST" && ++asked > 1 && forEver(socket, Array.from({ length: 500 }, (_, at) => `* LIST () "/" "folder${at}${"x".repeat(40)}"\r\n`).join("")))
      const { use } = yield* sessions(place, { workTimeout: 15_000 })
      const before = place.said()
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.list()))), ["MailRefused", "The mail server's answer is longer than is read here."])
      assert.isBelow(place.said() - before, 8 * 1024 * 1024)
    }))

  live("is heard of no line without an end while it is signed in to", () =>
    Effect.gen(function*() {
      const place = yield* server((socket, _tag, command) => (command === "LOGIN" || command === "AUTHENTICATE") && forEver(socket, "x".repeat(65_536)))
      assert.strictEqual(outcome(yield* check(place, 3_000))[0], "MailRefused")
      assert.isBelow(place.said(), 16 * 1024 * 1024)
    }))
})
