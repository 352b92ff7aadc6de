/** Submission of a mail to a mail server, and servers that are refused. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Result } from "effect"
import { writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { type MailLogin, MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import * as Submission from "#daemons/mail-watcher/webmail-sending/Submission.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { password } from "../Watcher.ts"
import * as SubmissionServer from "./SubmissionServer.ts"

const raw = Buffer.from("From: ann@example.test\r\nSubject: a\r\n\r\n.text\r\n")
const envelope = { from: "ann@example.test", to: ["a@far.test"] }

class Server extends Context.Service<Server, SubmissionServer.SubmissionServer & { readonly ca: string }>()(
  "test/Server"
) {
  static readonly layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const server = yield* SubmissionServer.make
      const ca = join(yield* temporaryDirectory(), "ca.pem")
      writeFileSync(ca, server.certificate)
      return { ...server, ca }
    })
  )
}

const submit = (options: {
  readonly port: number
  readonly ca?: string | undefined
  readonly allow?: string
  readonly foreign?: boolean
  readonly login?: MailLogin["secret"]
}) => {
  const server = Effect.succeed({ host: "127.0.0.1", port: options.port, foreign: options.foreign ?? true })
  const logins = Layer.succeed(
    MailLogins,
    MailLogins.of({
      imap: () => server,
      submission: () => server,
      login: () =>
        Effect.succeed({
          user: "ann@example.test",
          secret: options.login ?? { _tag: "Password", value: Redacted.make(password) }
        })
    })
  )
  const parts = Submission.layer({ mailCa: options.ca }).pipe(
    Layer.provide([logins, GuardedHost.layer({ allowCidrs: [options.allow ?? "127.0.0.0/8"] })])
  )
  return Effect.result(
    Effect.provide(
      Effect.flatMap(Submission.Submission, (submission) => submission.submit({} as never, envelope, raw)),
      parts
    )
  )
}

const failed = (result: Result.Result<unknown, Submission.SubmissionError>) =>
  Result.isFailure(result) ? [result.failure.reason, result.failure.detail] : ["sent", ""]

/** A server that sends what a test wants. */
const rude = (speak: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly port: number; readonly stop: () => void }>((resolve) => {
          const server = createServer((socket) => {
            socket.on("error", () => undefined)
            speak(socket)
          })
          server.listen(0, "127.0.0.1", () =>
            resolve({ port: (server.address() as any).port, stop: () => server.close() })
          )
        })
    ),
    ({ stop }) => Effect.sync(stop)
  )

describe("submission", () => {
  layer(Server.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "signs in by token or password and sends the mail unchanged",
      () =>
        Effect.gen(function* () {
          const { ca, mails, port } = yield* Server
          const byToken = yield* submit({
            port,
            ca,
            foreign: false,
            login: { _tag: "Token", value: Redacted.make(SubmissionServer.token) }
          })
          assert.deepStrictEqual(byToken, Result.succeed({ accepted: ["a@far.test"], rejected: [] }))
          assert.deepStrictEqual([mails.at(-1)!.user, mails.at(-1)!.raw], ["ann@example.test", raw.toString()])
          assert.isTrue(Result.isSuccess(yield* submit({ port, ca })))
          assert.strictEqual(mails.length, 2)
        }),
      120_000
    )

    it.effect(
      "hides a password that the server repeats",
      () =>
        Effect.gen(function* () {
          const { ca, port } = yield* Server
          assert.deepStrictEqual(
            failed(yield* submit({ port, ca, login: { _tag: "Password", value: Redacted.make("wrong secret") } })),
            ["SignInRefused", "535 no to …"]
          )
          assert.strictEqual(
            failed(yield* submit({ port, ca, login: { _tag: "Token", value: Redacted.make("wrong.token") } }))[0],
            "SignInRefused"
          )
        }),
      120_000
    )

    it.effect(
      "refuses private addresses and untrusted certificates",
      () =>
        Effect.gen(function* () {
          const { ca, mails, port } = yield* Server
          const before = mails.length
          assert.deepStrictEqual(failed(yield* submit({ port, ca, allow: "10.0.0.0/8" })), [
            "Away",
            "127.0.0.1 is not on the public internet."
          ])
          assert.strictEqual(failed(yield* submit({ port }))[0], "Away")
          assert.strictEqual(mails.length, before)
        }),
      120_000
    )

    it.effect(
      "reports servers without TLS, with endless answers or hang-ups as away",
      () =>
        Effect.gen(function* () {
          const plain = yield* rude((socket) => socket.write("220 hello\r\n"))
          const shut = yield* rude((socket) => socket.destroy())
          const flood = yield* rude((socket) => {
            const pour = () => socket.writable && socket.write(Buffer.alloc(65_536, "2"), pour)
            pour()
          })
          for (const { port } of [plain, shut, flood])
            assert.deepStrictEqual(failed(yield* submit({ port })), ["Away", "The mail server cannot be reached."])
        }).pipe(Effect.scoped),
      120_000
    )
  })
})
