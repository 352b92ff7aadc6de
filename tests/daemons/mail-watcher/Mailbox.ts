/**
 * Helpers for tests of mail changes and sending: put mail into a folder, inspect it with a second client, call the API
 * as its owner.
 */
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { as, password, type Placed } from "./Watcher.ts"
import type { CallOptions } from "#support/TestSuite.ts"

export const base = "/api/v1/mail/webmail"

/** API calls of the owner in tenant 7. Returns the JSON answers. */
export const caller =
  ({ suite }: Placed, tenant = 7) =>
  (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    suite.call(method, `${base}${path}`, {
      ...options,
      headers: { ...as(tenant).headers, ...options.headers },
      ...(body === undefined ? {} : { body })
    })

/** Runs `look` with an independent IMAP client, to see what the server really has. */
export const looking = <A>(
  { dovecot }: Placed,
  address: string,
  look: (client: ImapFlow) => Promise<A>
): Effect.Effect<A> =>
  Effect.promise(async () => {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: dovecot.imapPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user: address, pass: password },
      logger: false,
      disableAutoIdle: true
    })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return await look(client)
    } finally {
      await client.logout()
    }
  })

/** Puts a mail into a folder, which is created. Returns its UID. */
export const put = (
  placed: Placed,
  address: string,
  folder: string,
  lines: ReadonlyArray<string>,
  flags: Array<string> = []
) =>
  looking(placed, address, async (client) => {
    if (folder !== "INBOX") await client.mailboxCreate(folder)
    const kept = await client.append(folder, Buffer.from([...lines, "", "text", ""].join("\r\n")), flags)
    return kept === false ? 0 : kept.uid!
  })

export interface There {
  readonly uid: number
  readonly flags: ReadonlyArray<string>
  readonly raw: string
}

/** All mails in a folder; undefined when it does not exist. */
export const inside = (
  placed: Placed,
  address: string,
  folder: string
): Effect.Effect<ReadonlyArray<There> | undefined> =>
  looking(placed, address, async (client) => {
    if (!(await client.list()).some(({ path }) => path === folder)) return undefined
    if ((await client.mailboxOpen(folder, { readOnly: true })).exists === 0) return []
    const found: Array<There> = []
    for await (const { flags, source, uid } of client.fetch("1:*", { uid: true, flags: true, source: true })) {
      found.push({
        uid,
        flags: [...(flags ?? [])].filter((flag) => flag !== "\\Recent").sort(),
        raw: source?.toString() ?? ""
      })
    }
    return found
  })

export const simple = (subject: string, more: ReadonlyArray<string> = []) => [
  "From: far@far.test",
  "To: ann@example.test",
  `Subject: ${subject}`,
  ...more
]
