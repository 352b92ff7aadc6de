/** Helpers for watch tests: the events, the watch status, and a second client of the mailbox. */
import { Effect } from "effect"
import { ImapFlow } from "imapflow"
import { until } from "#support/Frame.ts"
import type * as Dovecot from "#support/peers/Dovecot.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { password } from "../Watcher.ts"

export interface NewMessage {
  readonly account: string
  readonly folder: string
  readonly message: { readonly uid: number; readonly from_addr: string; readonly subject: string }
}

type Sql = Pick<TestSuite, "sql">

export const newMessages = ({ sql }: Sql, account: string) =>
  Effect.map(
    sql<{
      data: NewMessage
    }>`select data from core.event where type = 'mail.new_message' and data->>'account' = ${account} order by id`,
    (rows) => rows.map(({ data }) => data)
  )

/** Announced messages as `folder subject`. */
export const told = (suite: Sql, account: string) =>
  Effect.map(newMessages(suite, account), (all) => all.map(({ folder, message }) => `${folder} ${message.subject}`))

/** The latest announced counters of a folder. */
export const counters = ({ sql }: Sql, account: string, folder: string) =>
  Effect.map(
    sql<{ data: { exists: number; unseen: number } }>`select data from core.event where type = 'mail.folder_update'
      and data->>'account' = ${account} and data->>'folder' = ${folder} order by id desc limit 1`,
    ([row]) => row?.data
  )

export const untilTold = (suite: Sql, account: string, expected: ReadonlyArray<string>) =>
  until(
    `told of ${expected.length}: ${expected.at(-1)}`,
    Effect.map(told(suite, account), (all) => expected.every((one) => all.includes(one)))
  )

export const watchRow = ({ sql }: Sql, account: number) =>
  Effect.map(
    sql<{
      mode: string
      folders: number
      last_failure: string | null
      next_try_at: Date | null
    }>`select mode, folders, last_failure, next_try_at from mail_watcher.watch where account_id = ${account}`,
    ([row]) => row
  )

export const untilMode = (suite: Sql, account: number, mode: string) =>
  until(
    `watched by ${mode}`,
    Effect.map(watchRow(suite, account), (row) => row?.mode === mode)
  )

export const mail = (subject: string) =>
  `From: Ann <ann@sender.test>\r\nMessage-ID: <${subject}@sender.test>\r\nSubject: ${subject}\r\n\r\n${subject}\r\n`

/** Runs one action with a second client of the mailbox. */
export const elsewhere = <A>(
  dovecot: Dovecot.Dovecot,
  address: string,
  work: (client: ImapFlow) => Promise<A>
): Effect.Effect<A> =>
  Effect.promise(async () => {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: dovecot.imapPort,
      secure: false,
      logger: false,
      doSTARTTLS: false,
      auth: { user: address, pass: password }
    })
    client.on("error", () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.logout()
    }
  })
