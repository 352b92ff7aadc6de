/** An SMTP relay for tests, on smtp-server: keeps accepted mail, refuses mail, stays silent, or is unreachable. */
import { Effect, type Scope } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { freePort } from "./peers/Loopback.ts"

export interface SunkMail {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly mail: Email
}

export interface MailSink {
  readonly mails: ReadonlyArray<SunkMail>
  readonly port: number
  /** Answer to DATA from now on; 250 accepts, `silent` sends no answer. */
  readonly connections: () => number
  /** Sets the reply code to mails from now on; 250 accepts them, `silent` sends no reply. */
  behave: (answer: number | "silent") => void
  /** Stops listening. `open` listens on the same port again. */
  readonly close: Effect.Effect<void>
  readonly open: Effect.Effect<void>
}

/** Listens on a free loopback port until the end of the scope. */
export const make = (options: SMTPServerOptions = {}): Effect.Effect<MailSink, never, Scope.Scope> =>
  Effect.gen(function* () {
    const mails: Array<SunkMail> = []
    let answer: number | "silent" = 250
    let connections = 0
    const start = (port: number) =>
      Effect.promise(
        () =>
          new Promise<SMTPServer>((resolve) => {
            const server: SMTPServer = new SMTPServer({
              authOptional: true,
              logger: false,
              disabledCommands: ["STARTTLS"],
              onConnect: (_session, done) => {
                connections += 1
                done()
              },
              onData: (stream, session, done) => {
                const chunks: Array<Buffer> = []
                stream.on("data", (chunk: Buffer) => chunks.push(chunk))
                stream.on("end", () => {
                  if (answer === "silent") return
                  if (answer !== 250)
                    return done(Object.assign(new Error("as the test wants it"), { responseCode: answer }))
                  const raw = Buffer.concat(chunks).toString()
                  void PostalMime.parse(raw).then((mail) => {
                    const { mailFrom, rcptTo } = session.envelope
                    mails.push({
                      from: mailFrom === false ? "" : mailFrom.address,
                      to: rcptTo.map(({ address }) => address),
                      raw,
                      mail
                    })
                    done()
                  })
                })
              },
              ...options
            })
            server.on("error", () => {})
            server.listen(port, "127.0.0.1", () => resolve(server))
          })
      )
    const stop = (server: SMTPServer) =>
      Effect.promise(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const port = yield* freePort
    let server: SMTPServer | undefined = yield* start(port)
    const close = Effect.suspend(() => {
      const open = server
      server = undefined
      return open === undefined ? Effect.void : stop(open)
    })
    yield* Effect.addFinalizer(() => close)
    return {
      mails,
      port,
      connections: () => connections,
      behave: (wanted) => {
        answer = wanted
      },
      close,
      open: Effect.flatMap(start(port), (opened) => Effect.sync(() => void (server = opened)))
    }
  })
