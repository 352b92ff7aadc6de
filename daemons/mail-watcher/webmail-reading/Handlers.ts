import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { SearchObject } from "imapflow"
import * as Handlers from "#core/http/Handlers.ts"
import { defaultPage } from "#core/http/Paging.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { AccountsProjection, MailSessions, openFolder } from "../accounts/Exports.ts"
import { readerOf } from "./AccountReader.ts"
import { SortUnsupported } from "./Errors.ts"
import { folderList } from "./FolderList.ts"
import type { ListPageView } from "./Views.ts"
import { listPage } from "./list/MessageList.ts"
import { canSort } from "./list/Selection.ts"
import { threadPage } from "./list/Threads.ts"
import { attachmentFile, rawMessage } from "./message/Download.ts"
import { disposition, safeType, shownImages } from "./message/FileName.ts"
import { fetchMessage } from "./message/MessageFetch.ts"
import { messageView } from "./message/MessageView.ts"
import { WebmailReadingApi } from "./Api.ts"

/** Prevents a downloaded file from running anything in the browser. */
const fileHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "private, no-store"
}

/**
 * Sends the page without its schema: `listPage` returns the encoded form, and encoding fifty messages takes longer than
 * reading them.
 */
const pageAnswer = (page: typeof ListPageView.Encoded) => HttpServerResponse.jsonUnsafe(page)

export const reading = Handlers.group(
  WebmailReadingApi,
  "webmailReading",
  Effect.fn(function* (handlers) {
    const accounts = yield* AccountsProjection
    const sessions = yield* MailSessions

    const read = readerOf(sessions)
    const account = (named: string | undefined) => orUnavailable(accounts.accountOf(named))

    return handlers.handleAll({
      folders: Effect.fnUntraced(function* ({ query }) {
        return { items: yield* read(yield* account(query.account), ({ client }) => folderList(client)) }
      }),
      list: Effect.fnUntraced(function* ({
        params: { folder },
        query: { flagged, order, page = 1, per_page: perPage = defaultPage, sort, unseen, ...query }
      }) {
        const request = {
          page,
          perPage,
          ascending: order === "asc",
          unseen: unseen === "true",
          flagged: flagged === "true",
          ...(sort === undefined ? {} : { sort })
        }
        const found = yield* read(yield* account(query.account), async (source) =>
          sort !== undefined && !canSort(source.client)
            ? (await openFolder(source.client, folder), undefined)
            : listPage(source, folder, request)
        )
        return found === undefined
          ? yield* new SortUnsupported({
              detail: "The mail server does not support sorting.",
              errors: [{ field: "query.sort", message: "the mail server does not support SORT (RFC 5256)" }]
            })
          : pageAnswer(found)
      }),
      show: Effect.fnUntraced(function* ({
        params: { folder, uid },
        query: { images = "block", mark_seen, ...query }
      }) {
        const mailAccount = yield* account(query.account)
        const message = yield* read(mailAccount, ({ careful, client }) =>
          fetchMessage(client, folder, uid, { careful, markSeen: mark_seen === "true" })
        )
        return yield* messageView(message, { folder, account: mailAccount.address, images })
      }),
      raw: Effect.fnUntraced(function* ({ params: { folder, uid }, query }) {
        const stream = yield* rawMessage({ account: yield* account(query.account), folder, uid })
        return HttpServerResponse.stream(stream, {
          contentType: "message/rfc822",
          headers: { ...fileHeaders, "content-disposition": disposition("attachment", `message-${uid}.eml`) }
        })
      }),
      attachment: Effect.fnUntraced(function* ({ params: { folder, part, uid }, query: { inline, ...query } }) {
        const { attachment, stream } = yield* attachmentFile(
          { account: yield* account(query.account), folder, uid },
          part
        )
        const shown = inline === "true" && shownImages.includes(attachment.media_type)
        return HttpServerResponse.stream(stream, {
          contentType: safeType(attachment.media_type),
          headers: {
            ...fileHeaders,
            "content-disposition": disposition(shown ? "inline" : "attachment", attachment.filename)
          }
        })
      }),
      search: Effect.fnUntraced(function* ({
        query: {
          before,
          folder = "INBOX",
          from,
          page = 1,
          per_page: perPage = defaultPage,
          q,
          since,
          subject,
          ...query
        }
      }) {
        const search: SearchObject = {
          ...(q === undefined ? {} : { text: q }),
          ...(from === undefined ? {} : { from }),
          ...(subject === undefined ? {} : { subject }),
          ...(since === undefined ? {} : { since: new Date(`${since}T00:00:00Z`) }),
          ...(before === undefined ? {} : { before: new Date(`${before}T00:00:00Z`) })
        }
        const criteria = Object.keys(search).length === 0 ? {} : { search }
        return pageAnswer(
          yield* read(yield* account(query.account), (source) =>
            listPage(source, folder, { page, perPage, ...criteria })
          )
        )
      }),
      threads: Effect.fnUntraced(function* ({
        params: { folder },
        query: { page = 1, per_page: perPage = defaultPage, ...query }
      }) {
        return yield* read(yield* account(query.account), (source) => threadPage(source, folder, page, perPage))
      })
    })
  })
)
