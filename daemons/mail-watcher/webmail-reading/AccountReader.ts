/**
 * Reads an account on its session. A read repeats once on a new session when the session was cut, and once in careful
 * mode when the response exceeded our limits.
 */
import type { Effect } from "effect"
import type { ImapFlow } from "imapflow"
import type { Account, MailSessions, RawCommands, SessionError } from "../accounts/Exports.ts"

/** What a read works on. `careful`: skip data that a hostile message can make long. */
export interface Source {
  readonly client: ImapFlow
  readonly raw: RawCommands
  readonly careful: boolean
}

/** Runs `work`, which must change nothing. `careful` is true only in the second attempt after an oversized response. */
export const readerOf =
  (sessions: MailSessions["Service"]) =>
  <A>(account: Account, work: (source: Source) => Promise<A>): Effect.Effect<A, SessionError> =>
    sessions.use(account, (client, raw) => work({ client, raw, careful: false }), {
      repeat: true,
      careful: (client, raw) => work({ client, raw, careful: true })
    })

/** Like `readerOf`, but without waiting. Undefined, or a rejection: use `readerOf`, which also maps the errors. */
export const readerNowOf =
  (sessions: MailSessions["Service"]) =>
  <A>(account: Account, work: (source: Source) => Promise<A>): Promise<A> | undefined =>
    sessions.useNow(account, (client, raw) => work({ client, raw, careful: false }))
