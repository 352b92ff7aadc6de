/** Mail servers with endless answers: size and duration are limited. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result, type Scope } from "effect"
import type { TLSSocket } from "node:tls"
import * as SignInCheck from "#daemons/mail-watcher/accounts/SignInCheck.ts"
import { account, guard, server, sessions } from "./ScriptedServer.ts"

const check = ({ mailCa, port }: { readonly mailCa: string; readonly port: number }, patience?: number) =>
  Effect.gen(function* () {
    const { check } = yield* SignInCheck.SignInCheck
    return yield* Effect.result(
      check({ host: "127.0.0.1", port, user: "ann", password: Redacted.make("secret words") })
    )
  }).pipe(Effect.provide(SignInCheck.layer({ mailCa }, patience).pipe(Layer.provide(guard))))

/** Sends the text for as long as the client reads. */
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

const live = (name: string, test: () => Effect.Effect<unknown, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "25 seconds")), 30_000)

/** Sends untagged responses from time to time, but never the answer. */
const trickling = server((socket, _tag, command) => {
  if (command !== "LOGIN" && command !== "AUTHENTICATE") return false
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("* OK still here\r\n")), 100)
  return true
})

describe("mail server with endless answers", () => {
  live("does not keep whoever reads, nor whoever adds an account, beyond their patience", () =>
    Effect.gen(function* () {
      const place = yield* trickling
      const { use } = yield* sessions(place, { signInTimeout: 700 })
      const away = ["MailServerUnavailable", "The mail server does not answer."]
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.noop()))), away)
      assert.deepStrictEqual(outcome(yield* check(place, 700)), away)
    })
  )

  live("does not get the password that it repeats into an answer or a log", () =>
    Effect.gen(function* () {
      const place = yield* server(
        (socket, tag, command) =>
          (command === "LOGIN" || command === "AUTHENTICATE") &&
          (socket.write(`${tag} NO [AUTHENTICATIONFAILED] not with secret words\r\n`), true)
      )
      const { use } = yield* sessions(place)
      const refused = ["MailSignInRefused", "not with …"]
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.noop()))), refused)
      assert.deepStrictEqual(outcome(yield* check(place)), refused)
    })
  )

  live("is not listened to when it lists folders without an end", () =>
    Effect.gen(function* () {
      let asked = 0
      // The library sends LIST once during the sign-in.
      const place = yield* server(
        (socket, _tag, command) =>
          command === "LIST" &&
          ++asked > 1 &&
          forEver(
            socket,
            Array.from({ length: 500 }, (_, at) => `* LIST () "/" "folder${at}${"x".repeat(40)}"\r\n`).join("")
          )
      )
      const { use } = yield* sessions(place, { workTimeout: 15_000 })
      const before = place.said()
      assert.deepStrictEqual(outcome(yield* Effect.result(use(account, (client) => client.list()))), [
        "MailRefused",
        "The mail server's answer is too long."
      ])
      assert.isBelow(place.said() - before, 8 * 1024 * 1024)
    })
  )

  live("is heard of no line without an end while it is signed in to", () =>
    Effect.gen(function* () {
      const place = yield* server(
        (socket, _tag, command) =>
          (command === "LOGIN" || command === "AUTHENTICATE") && forEver(socket, "x".repeat(65_536))
      )
      assert.strictEqual(outcome(yield* check(place, 15_000))[0], "MailRefused")
      assert.isBelow(place.said(), 16 * 1024 * 1024)
    })
  )
})
