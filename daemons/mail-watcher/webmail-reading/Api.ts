import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { maxPage, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { accountQuery, mailErrors } from "../accounts/Exports.ts"
import { SortUnsupported } from "./Errors.ts"
import { FolderName, PathUid } from "./FieldSchemas.ts"
import { FolderView, ListPageView, MessageView, ThreadPageView } from "./Views.ts"

/** Highest page number. Unit: pages. Reason: more than the smallest pages of any folder. */
const maxPages = 10_000_000

/** Longest search text. Unit: UTF-16 code units. */
const maxQuery = 500

const whole = (maximum: number) =>
  Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

const paging = { page: Schema.optionalKey(whole(maxPages)), per_page: Schema.optionalKey(whole(maxPage)) }
const flag = Schema.optionalKey(Schema.Literals(["true", "false"]))

/** `2026-11-30`. Source: RFC 3339 §5.6, full-date. */
const Day = Schema.String.check(
  Schema.isMaxLength(10),
  Schema.makeFilter((text: string) =>
    /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
    new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
      ? undefined
      : "must be a date such as 2026-11-30"
  )
)

/** Longest part number. Unit: characters. Format: RFC 9051 §7.5.2. */
const maxPart = 100
const Part = Schema.String.check(
  Schema.isMaxLength(maxPart),
  Schema.makeFilter((text: string) =>
    /^[1-9]\d{0,5}(?:\.[1-9]\d{0,5})*$/.test(text) ? undefined : "must be a part number such as 2.1"
  )
)

const needed = "webmail.use" as const
const inFolder = { folder: FolderName }
const message = { folder: FolderName, uid: PathUid }
const words = Schema.optionalKey(plainText(maxQuery))
const filters = {
  sort: Schema.optionalKey(Schema.Literals(["date", "from", "subject", "size"])),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])),
  unseen: flag,
  flagged: flag
}

/** Schemas of the message list, shared with ListLane. */
export const list = {
  params: Schema.Struct(inFolder),
  query: Schema.Struct({ ...accountQuery, ...paging, ...filters }),
  needed
} as const

/** Endpoints that read folders and messages. */
export const reading = HttpApiGroup.make("webmailReading")
  .add(
    HttpApiEndpoint.get("folders", "/folders", {
      query: accountQuery,
      success: Schema.Struct({ items: Schema.Array(FolderView) }),
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Folders with message counts",
          description: "The inbox comes first, then folders with a special use, then the others by name."
        })
      ),
    HttpApiEndpoint.get("list", "/messages/:folder", {
      params: list.params.fields,
      query: list.query.fields,
      success: ListPageView,
      error: [NotFound, SortUnsupported, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Messages of a folder, newest first",
          description:
            "`per_page` defaults to 50. A page beyond the end is empty. `sort` requires a mail server that sorts: " +
            "422 `sort_unsupported` otherwise. `order` defaults to `desc`. `unseen` and `flagged` limit the list to " +
            "such messages."
        })
      ),
    HttpApiEndpoint.get("show", "/messages/:folder/:uid", {
      params: message,
      query: { ...accountQuery, images: Schema.optionalKey(Schema.Literals(["block", "show"])), mark_seen: flag },
      success: MessageView,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "One message",
          description:
            "`html` is sanitised and loads no remote content unless `images=show`. Embedded images become paths of " +
            "attachments, which require the same credentials. `text` is the plain text part, otherwise the text of " +
            "the HTML. The message stays unread unless `mark_seen=true`."
        })
      ),
    HttpApiEndpoint.get("raw", "/messages/:folder/:uid/raw", {
      params: message,
      query: accountQuery,
      success: HttpApiSchema.StreamUint8Array({ contentType: "message/rfc822" }),
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(OpenApi.annotations({ summary: "Raw source of a message" })),
    HttpApiEndpoint.get("attachment", "/messages/:folder/:uid/attachments/:part", {
      params: { ...message, part: Part },
      query: { ...accountQuery, inline: flag },
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Decoded attachment of a message",
          description:
            "The response has the attachment's media type only when browsers do not execute it, otherwise " +
            "`application/octet-stream`. `inline=true` lets pages show PNG, JPEG, GIF and WebP."
        })
      ),
    HttpApiEndpoint.get("search", "/search", {
      query: {
        ...accountQuery,
        ...paging,
        folder: Schema.optionalKey(FolderName),
        q: words,
        from: words,
        subject: words,
        since: Schema.optionalKey(Day),
        before: Schema.optionalKey(Day)
      },
      success: ListPageView,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Search a folder",
          description:
            "`q` matches text anywhere in the message. `folder` defaults to INBOX. `since` (inclusive) and `before` " +
            "(exclusive) limit the day of arrival. Without criteria all messages are listed. Newest first."
        })
      ),
    HttpApiEndpoint.get("threads", "/threads/:folder", {
      params: inFolder,
      query: { ...accountQuery, ...paging },
      success: ThreadPageView,
      error: [NotFound, ...mailErrors]
    })
      .annotate(Requires, needed)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Conversations of a folder, newest first",
          description:
            "`method` names the threading: by the mail server over its newest messages (`REFS`, `REFERENCES`), or " +
            "by this daemon over the messages of the page (`page`) when the server does not thread; `total` then " +
            "counts messages."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/mail/webmail")

export const WebmailReadingApi = Api.make("webmail-reading").add(reading)
