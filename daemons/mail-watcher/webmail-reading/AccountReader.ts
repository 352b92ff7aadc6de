/** How an account is read: on its session, once more when that was cut, and with care where its server says more than is read. */
import type { Effect } from "effect"
import type { ImapFlow } from "imapflow"
import type { Account, MailSessions, RawCommands, SessionError } from "../accounts/Exports.ts"

/** What is read from. `careful`: without what a hostile message can make long. */
export interface Source {
  readonly client: ImapFlow
  readonly raw: RawCommands
  readonly careful: boolean
}

/** `work` changes nothing. Not `careful`, but where the server's answer was longer than is read. */
export const readerOf =
  (sessions: MailSessions["Service"]) =>
  <A>(account: Account, work: (source: Source) => Promise<A>): Effect.Effect<A, SessionError> =>
    sessions.use(account, (client, raw) => work({ client, raw, careful: false }), {
      repeat: true,
      careful: (client, raw) => work({ client, raw, careful: true })
    })

/** The same, where it can be done at once; undefined, and whatever fails: it is to be read the other way, which says what is wrong. */
export const readerNowOf =
  (sessions: MailSessions["Service"]) =>
  <A>(account: Account, work: (source: Source) => Promise<A>): Promise<A> | undefined =>
    sessions.useNow(account, (client, raw) => work({ client, raw, careful: false }))
