/** A scripted mail server, and the sessions of one account with it. */
import { Effect, Layer, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createServer, type TLSSocket } from "node:tls"
import type { Account } from "#daemons/mail-watcher/accounts/Account.ts"
import * as GuardedHost from "#daemons/mail-watcher/accounts/GuardedHost.ts"
import { MailLogins } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import * as MailSessions from "#daemons/mail-watcher/accounts/sessions/MailSessions.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { makeCertificate } from "../../webmail-sending/Certificate.ts"

export const account = { id: 1, address: "ann@example.test" } as Account

/** A server that accepts the sign-in unless `instead` handles a command. `said`: number of bytes sent to the client. */
export const server = Effect.fnUntraced(function* (
  instead: (socket: TLSSocket, tag: string, command: string, line: string) => boolean
) {
  const { certificate, key } = yield* makeCertificate
  const sockets = new Set<TLSSocket>()
  const listening = createServer({ key, cert: certificate }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.write("* OK [CAPABILITY IMAP4rev1] hi\r\n")
    socket.on("data", (bytes: Buffer) => {
      for (const line of bytes
        .toString()
        .split("\r\n")
        .filter((text: string) => text !== "")) {
        const [tag = "", command = ""] = line.split(" ")
        if (!instead(socket, tag, command.toUpperCase(), line)) socket.write(`${tag} OK done\r\n`)
      }
    })
  })
  yield* Effect.promise(() => new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      listening.close()
    })
  )
  const mailCa = join(yield* temporaryDirectory(), "ca.pem")
  writeFileSync(mailCa, certificate)
  return {
    mailCa,
    port: (listening.address() as AddressInfo).port,
    said: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  }
})

export const guard = GuardedHost.layer({ allowCidrs: ["127.0.0.0/8"] })

export const sessions = (
  { mailCa, port }: { readonly mailCa: string; readonly port: number },
  limits: MailSessions.SessionLimits = {}
) => {
  const logins = Layer.succeed(
    MailLogins,
    MailLogins.of({
      imap: () => Effect.succeed({ host: "127.0.0.1", port, foreign: true }),
      submission: () => Effect.die("not asked"),
      login: () => Effect.succeed({ user: "ann", secret: { _tag: "Password", value: Redacted.make("secret words") } })
    })
  )
  return Effect.map(
    Layer.build(MailSessions.layer({ mailCa }, limits).pipe(Layer.provide([logins, guard]))),
    (context) => Effect.provide(MailSessions.MailSessions, context)
  ).pipe(Effect.flatten)
}
