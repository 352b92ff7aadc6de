/**
 * What tests of changes and of sending share: mail that lies in a folder, a look at it by another client, calls as its
 * owner.
 */
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { as, password, type Placed } from "./Watcher.ts"
import type { CallOptions } from "#support/TestSuite.ts"

export const base = "/api/v1/mail/webmail"

/** Answered JSON of a call by the owner of tenant 7. */
export const caller =
  ({ suite }: Placed, tenant = 7) =>
  (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    suite.call(method, `${base}${path}`, {
      ...options,
      headers: { ...as(tenant).headers, ...options.headers },
      ...(body === undefined ? {} : { body })
    })

/** A client that nobody here wrote the use of: it looks at what is really there. */
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

/** Puts a mail in a folder, which is made; answers its uid. */
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

/** Everything in a folder; undefined: there is none. */
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
