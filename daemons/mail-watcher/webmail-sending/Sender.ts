/**
 * Sends a prepared mail, then stores the copy, sets `\Answered`, deletes the draft and records the recipients.
 * Interrupting the caller does not stop it, so a mail that the server accepted is always recorded.
 */
import { Duration, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { inScope } from "#core/auth/Caller.ts"
import { client as requestClient } from "#core/http/Client.ts"
import {
  type Account,
  MailRefused,
  MailServerUnavailable,
  MailSessions,
  MailSignInRefused
} from "../accounts/Exports.ts"
import { RecentRecipients } from "../people/Exports.ts"
import { inFolder } from "../webmail-changes/Exports.ts"
import type { Answered } from "./AnsweredMessage.ts"
import type { Sent } from "./Api.ts"
import { maxComposed } from "./ComposeMail.ts"
import { RecipientsRefused, TooLarge } from "./Errors.ts"
import * as KeepDraft from "./KeepDraft.ts"
import { replaceFields } from "./MailHeader.ts"
import * as MissingCopies from "./MissingCopies.ts"
import { type NamedAddress, distinctAddresses } from "./NamedAddress.ts"
import * as SentCopy from "./SentCopy.ts"
import * as SendingStore from "./Store.ts"
import { Submission, type SubmissionError } from "./Submission.ts"

export interface Outgoing {
  /** Id of the row in `mail_watcher.sending`. */
  readonly id: number
  readonly messageId: string
  /** Composed mail, with Bcc. */
  readonly raw: Buffer
  readonly recipients: ReadonlyArray<NamedAddress>
  readonly date: Date
  readonly answered: Answered | undefined
  /** The drafts of the mail, deleted after sending. */
  readonly draft: KeepDraft.DraftName
  /** Uploads attached to the mail. */
  readonly uploads: ReadonlyArray<string>
}

/** Retries while the database does not answer after a mail was sent. Unit: milliseconds, tries. */
const recording = { times: 3, schedule: Schedule.spaced(Duration.millis(500)) }

export const dispatch = Effect.fnUntraced(function* (account: Account, mail: Outgoing) {
  const { submit } = yield* Submission
  const { use } = yield* MailSessions
  const sql = yield* SqlClient.SqlClient
  const { address } = yield* requestClient
  const recipients = distinctAddresses(mail.recipients)
  const outcome = yield* submit(
    account,
    { from: account.address, to: recipients.map((to) => to.address) },
    replaceFields(mail.raw, ["bcc"])
  ).pipe(
    // An unknown outcome keeps its key, so the same request never sends again.
    Effect.tapError(({ reason }) => (reason === "Unknown" ? Effect.void : Effect.ignore(SendingStore.failed(mail.id)))),
    Effect.mapError((error) => problemOf(error, mail.messageId))
  )
  const { accepted, rejected } = outcome
  const answer = (sent_copy: SentCopy.SentCopy | false): typeof Sent.Type => ({
    message_id: mail.messageId,
    accepted,
    rejected,
    sent_copy
  })
  const taken = new Set(accepted.map((text) => text.toLowerCase()))
  const record = <E, R>(sentCopy: SentCopy.SentCopy | false, more: Effect.Effect<void, E, R>) =>
    inScope(Effect.andThen(SendingStore.sent(mail.id, answer(sentCopy)), more)).pipe(
      Effect.retry(recording),
      // The mail was sent. An error answer would make the client send it again.
      Effect.catchCause((cause) => Effect.logError(`mail ${mail.id} was sent but could not be recorded`, cause))
    )
  yield* record(
    false,
    Effect.gen(function* () {
      yield* RecentRecipients.note(
        account,
        recipients.filter((to) => taken.has(to.address.toLowerCase()))
      )
      yield* Audit.writeFor({
        tenantId: account.tenant_id,
        action: "mail.sent",
        entity: "webmail_account",
        id: String(account.id),
        address,
        detail: { message_id: mail.messageId, recipients: accepted.length }
      })
      if (mail.uploads.length > 0)
        yield* sql`delete from mail_watcher.upload where account_id = ${account.id} and id in ${sql.in(mail.uploads)}`
    })
  )
  const kept = yield* use(account, (client) => SentCopy.keep(client, mail.messageId, mail.raw, mail.date)).pipe(
    Effect.tapError((error) =>
      Effect.logWarning(`the copy of sent mail ${mail.id} is not stored yet: ${error.detail ?? error._tag}`)
    ),
    Effect.orElseSucceed((): false => false)
  )
  yield* record(kept, kept === false ? MissingCopies.keepLater(account, mail.id, mail.raw) : Effect.void)
  const { answered, draft } = mail
  // A failure is ignored: the mail was sent, and the user sees the flag.
  if (answered !== undefined) {
    yield* Effect.ignore(
      use(account, (client) =>
        inFolder(client, answered.folder, () =>
          client.messageFlagsAdd(String(answered.uid), ["\\Answered"], { uid: true, silent: true })
        )
      )
    )
  }
  yield* removeDraft(account, draft)
  return answer(kept)
}, Effect.uninterruptible)

/** Deletes the drafts of a mail that was sent. A failure is ignored, because the user sees the draft. */
export const removeDraft = (account: Account, name: KeepDraft.DraftName) =>
  name.uid === undefined && name.messageId === undefined
    ? Effect.void
    : Effect.flatMap(MailSessions, ({ use }) => Effect.ignore(use(account, (client) => KeepDraft.remove(client, name))))

const problemOf = ({ detail, reason, rejected }: SubmissionError, messageId: string) => {
  switch (reason) {
    case "Away":
      return new MailServerUnavailable({ detail })
    case "SignInRefused":
      return new MailSignInRefused({ detail })
    case "Refused":
      return new MailRefused({ detail })
    case "RecipientsRefused":
      return new RecipientsRefused({ detail, rejected })
    case "TooLarge":
      return new TooLarge({ detail, limit: maxComposed })
    case "Unknown":
      return SendingStore.unknown(messageId)
  }
}
