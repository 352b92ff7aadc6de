import { Clock, Effect, Result } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { type Account, MailSessions, accountOf } from "../accounts/Exports.ts"
import * as AnsweredMessage from "./AnsweredMessage.ts"
import { type Sent, WebmailSendingApi } from "./Api.ts"
import * as KeepDraft from "./KeepDraft.ts"
import { type DraftBody, maxRecipients } from "./MailBody.ts"
import { mailDate, replaceFields } from "./MailHeader.ts"
import { distinctAddresses } from "./NamedAddress.ts"
import { newMessageId, prepare } from "./PrepareMail.ts"
import { dispatch, removeDraft } from "./Sender.ts"
import { SendingLimiter } from "./SendingLimiter.ts"
import * as SendingStore from "./Store.ts"
import * as StoredDraft from "./StoredDraft.ts"

const invalid = (field: string, message: string) => new InvalidRequest({ errors: [{ field, message }] })

/** Runs `work` within the account's sending limits. A slow foreign server delays only the mails of its own users. */
const limited = <A, E, R>(account: Account, work: Effect.Effect<A, E, R>) => sending.run(account, orUnavailable(work))
const sending = new SendingLimiter()

const accountIn = (query: { readonly account?: string }) => orUnavailable(accountOf(query.account))

/** Fails unless the number of recipients is between 1 and `maxRecipients`. */
const counted = (recipients: number, field: string) =>
  recipients === 0
    ? Effect.fail(invalid(field, "must name at least one recipient"))
    : recipients > maxRecipients
      ? Effect.fail(invalid(field, `must name at most ${maxRecipients} recipients in total`))
      : Effect.void

export const send = Handlers.group(WebmailSendingApi, "webmailSend", (handlers) =>
  handlers.handle("send", ({ headers, payload, query }) =>
    Effect.flatMap(accountIn(query), (account) =>
      limited(
        account,
        Effect.gen(function* () {
          const { bcc = [], cc = [], to = [] } = payload
          yield* counted(to.length + cc.length + bcc.length, "payload.to")
          const key = headers["idempotency-key"]
          const before = SendingStore.repeated(account, key, payload)
          const known = yield* before
          const draft = KeepDraft.nameOf(account, payload.draft, payload.draft_key)
          if (known !== undefined) {
            // The client did not get the first answer, so it may have saved the draft again meanwhile.
            yield* removeDraft(account, draft)
            return known as typeof Sent.Type
          }
          const messageId = newMessageId(account)
          const prepared = yield* Effect.result(prepare(account, payload, messageId))
          if (Result.isFailure(prepared)) {
            // The first request with this key may have finished meanwhile and consumed the uploads.
            const meanwhile = yield* before
            return meanwhile === undefined ? yield* prepared.failure : (meanwhile as typeof Sent.Type)
          }
          const { answered, content, raw } = prepared.success
          const recipients = [...content.to, ...content.cc, ...content.bcc]
          return yield* once(account, { key, request: payload, messageId, recipients: recipients.length }, (id) =>
            dispatch(account, {
              id,
              messageId,
              raw,
              recipients,
              date: content.date,
              answered,
              draft,
              uploads: payload.attachments ?? []
            })
          )
        })
      )
    )
  )
)

/**
 * Answer of an earlier request with the same key, or the answer of `run`. A disconnecting client does not interrupt it.
 */
const once = <E, R>(
  account: Account,
  mail: SendingStore.Begun,
  run: (id: number) => Effect.Effect<typeof Sent.Type, E, R>
) =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      const begun = yield* SendingStore.begin(account, mail)
      return begun._tag === "Sent" ? (begun.answer as typeof Sent.Type) : yield* run(begun.id)
    })
  )

export const drafts = Handlers.group(
  WebmailSendingApi,
  "webmailDrafts",
  Effect.fn(function* (handlers) {
    const { use } = yield* MailSessions
    const keep = Effect.fnUntraced(function* (account: Account, body: typeof DraftBody.Type, uid?: number) {
      const name = KeepDraft.nameOf(account, uid, body.draft_key)
      const messageId = name.messageId ?? newMessageId(account)
      const { content, raw } = yield* prepare(account, body, messageId)
      const kept = yield* use(account, (client) => KeepDraft.keep(client, name, { raw, date: content.date }))
      return { ...kept, message_id: messageId }
    })
    return handlers.handleAll({
      create: ({ payload, query }) =>
        Effect.flatMap(accountIn(query), (account) => limited(account, keep(account, payload))),
      replace: ({ params, payload, query }) =>
        Effect.flatMap(accountIn(query), (account) => limited(account, keep(account, payload, params.uid))),
      remove: ({ params, query }) =>
        orUnavailable(
          Effect.gen(function* () {
            const account = yield* accountOf(query.account)
            const name = KeepDraft.nameOf(account, params.uid, undefined)
            if (!(yield* use(account, (client) => KeepDraft.remove(client, name))))
              return yield* new NotFound({ detail: "The draft does not exist." })
          })
        ),
      send: ({ headers, params, query }) =>
        Effect.flatMap(accountIn(query), (account) =>
          limited(
            account,
            Effect.gen(function* () {
              const key = headers["idempotency-key"]
              const before = yield* SendingStore.repeated(account, key, { draft: params.uid })
              if (before !== undefined) return before as typeof Sent.Type
              const draft = yield* use(account, (client) => StoredDraft.read(client, params.uid))
              const recipients = distinctAddresses(draft.recipients)
              yield* counted(recipients.length, "path.uid")
              if (draft.from.length !== 1 || draft.from[0]!.toLowerCase() !== account.address)
                return yield* invalid("path.uid", "The sender of the draft is not the address of the account")
              const messageId = draft.messageId ?? newMessageId(account)
              const { inReplyTo } = draft
              const answered =
                inReplyTo === undefined
                  ? undefined
                  : yield* use(account, (client) => AnsweredMessage.find(client, inReplyTo))
              const date = new Date(yield* Clock.currentTimeMillis)
              const raw = replaceFields(
                draft.raw,
                ["date", "message-id"],
                [`Date: ${mailDate(date)}`, `Message-ID: ${messageId}`]
              )
              return yield* once(
                account,
                { key, request: { draft: params.uid }, messageId, recipients: recipients.length },
                (id) =>
                  dispatch(account, {
                    id,
                    messageId,
                    raw,
                    recipients,
                    date,
                    answered,
                    draft: KeepDraft.nameOf(account, params.uid, undefined),
                    uploads: []
                  })
              )
            })
          )
        )
    })
  })
)
