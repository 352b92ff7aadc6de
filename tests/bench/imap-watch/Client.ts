/** Opens connections of one kind, lets them idle, and prints the resident memory per connection in KB. */
import { connect } from "#protocols/imap-watch/WatchConnection.ts"
import { Effect, Redacted } from "effect"
import { ImapFlow } from "imapflow"
import { setTimeout as sleep } from "node:timers/promises"
import { createSecureContext, type ConnectionOptions } from "node:tls"

const [kind, mailboxes, ports] = [process.argv[2]!, Number(process.argv[3]), process.argv.slice(4).map(Number)]
const certificates = JSON.parse(process.env["CERTIFICATES"]!) as Array<string>
const secureContext = createSecureContext({ ca: certificates })
const count = mailboxes * ports.length
const host = "127.0.0.1"

/** Connections opened before the first measurement, so that code and pools are not counted. */
const warm = 20

const open = async (index: number): Promise<unknown> => {
  const user = `u${index % mailboxes}@example.test`
  const port = ports[Math.floor(index / mailboxes)]!
  if (!kind.startsWith("imapflow")) {
    const login = { _tag: "Password", user, password: Redacted.make("pw") } as const
    const scope = connect({ host, port, secureContext, login, without: kind === "idle" ? ["notify"] : [] })
    return new Promise((resolve, reject) =>
      Effect.runCallback(Effect.scoped(Effect.flatMap(scope, (connection) => (resolve(connection), Effect.never))), {
        onExit: reject
      })
    )
  }
  // `imapflow-alone` creates its own TLS context, like an application with a single connection.
  const tls: ConnectionOptions = kind === "imapflow" ? { secureContext } : { ca: certificates }
  const client = new ImapFlow({ host, port, secure: true, logger: false, auth: { user, pass: "pw" }, tls })
  await client.connect()
  await client.mailboxOpen("INBOX")
  void client.idle()
  return client
}

const resident = async (): Promise<number> => {
  for (let round = 0; round < 5; round++) {
    globalThis.gc!()
    await sleep(200)
  }
  return process.memoryUsage.rss()
}

const kept: Array<unknown> = []
for (let index = 0; index < warm; index++) kept.push(await open(index))
const before = await resident()
for (let index = warm; index < count; index++) kept.push(await open(index))
const after = await resident()
process.stdout.write(String((after - before) / 1024 / (kept.length - warm)))
process.exit(0)
