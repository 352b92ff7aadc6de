/** A submission server for tests, on smtp-server: implicit TLS, sign-in, and refusals chosen by the test. */
import { Effect, type Scope } from "effect"
import { SMTPServer } from "smtp-server"
import { freePort } from "#support/peers/Loopback.ts"
import { password } from "../Watcher.ts"
import { makeCertificate } from "./Certificate.ts"

export interface Taken {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly user: string
  readonly tls: boolean
  readonly raw: string
}

export interface Behaviour {
  /** Reply code to the message; `cut`: the connection ends when the message is complete. */
  readonly data?: number | "cut"
  /** Runs when a mail is complete, before it is answered. */
  readonly meanwhile?: () => Promise<void>
  readonly signIn?: boolean
}

export interface SubmissionServer {
  readonly port: number
  /** Certificate as PEM. */
  readonly certificate: string
  readonly mails: ReadonlyArray<Taken>
  readonly behave: (behaviour: Behaviour) => void
  readonly close: Effect.Effect<void>
  readonly open: Effect.Effect<void>
}

/** The mail token that it accepts. */
export const token = "token.of.ann"

export const make: Effect.Effect<SubmissionServer, never, Scope.Scope> = Effect.gen(function* () {
  const { certificate, key } = yield* makeCertificate
  const mails: Array<Taken> = []
  let now: Behaviour = {}
  const start = (port: number) =>
    Effect.promise(
      () =>
        new Promise<SMTPServer>((resolve) => {
          const server: SMTPServer = new SMTPServer({
            secure: true,
            cert: certificate,
            key,
            logger: false,
            authMethods: ["XOAUTH2", "PLAIN", "LOGIN"],
            onAuth: (auth, _session, done) =>
              (auth.method === "XOAUTH2" ? auth.accessToken === token : auth.password === password) &&
              now.signIn !== false
                ? done(null, { user: auth.username! })
                : // Some servers repeat the credentials in the refusal.
                  done(Object.assign(new Error(`no to ${auth.password ?? auth.accessToken}`), { responseCode: 535 })),
            onRcptTo: ({ address }, _session, done) =>
              done(
                address.startsWith("nobody@") ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null
              ),
            onData: (stream, session, done) => {
              const chunks: Array<Buffer> = []
              stream.on("data", (chunk: Buffer) => chunks.push(chunk))
              stream.on("end", () => {
                if (now.data === "cut") {
                  for (const connection of server.connections as Iterable<any>) connection._socket.destroy()
                  return
                }
                if (now.data !== undefined)
                  return done(Object.assign(new Error("as the test wants it"), { responseCode: now.data }))
                const { mailFrom, rcptTo } = session.envelope
                mails.push({
                  from: mailFrom === false ? "" : mailFrom.address,
                  to: rcptTo.map(({ address }) => address),
                  user: String(session.user),
                  tls: session.secure,
                  raw: Buffer.concat(chunks).toString()
                })
                void (now.meanwhile?.() ?? Promise.resolve()).then(() => done())
              })
            }
          })
          server.on("error", () => {})
          server.listen(port, "127.0.0.1", () => resolve(server))
        })
    )
  const port = yield* freePort
  let server: SMTPServer | undefined = yield* start(port)
  const close = Effect.suspend(() => {
    const open = server
    server = undefined
    return open === undefined
      ? Effect.void
      : Effect.promise(() => new Promise<void>((resolve) => open.close(() => resolve())))
  })
  yield* Effect.addFinalizer(() => close)
  return {
    port,
    certificate,
    mails,
    behave: (behaviour) => {
      now = behaviour
    },
    close,
    open: Effect.flatMap(start(port), (opened) => Effect.sync(() => void (server = opened)))
  }
})
