/** Builds the answer about a fetched message. A worker thread sanitises the HTML. */
import { escaped } from "#core/html/Escape.ts"
import { Effect } from "effect"
import { Unavailable } from "#core/http/Problem.ts"
import { HtmlWorker } from "#core/html/HtmlWorker.ts"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { addresses, oneLine, sentAt } from "../HeaderText.ts"
import { shownImages } from "./FileName.ts"
import type { FetchedMessage } from "./MessageFetch.ts"
import type { Attachment, Block } from "./MessageParts.ts"
import { runningText } from "./PartText.ts"

/** Longest text in an answer. Unit: UTF-16 code units. */
const maxText = 1024 * 1024

/**
 * Maximum number of message IDs read from References. Reason: a long thread has hundreds; threading needs the first and
 * the last ones.
 */
const maxReferences = 200

export interface Shown {
  readonly folder: string
  /** Address of the account, for the URLs of inline images. */
  readonly account: string
  readonly images: "block" | "show"
}

export const messageView = Effect.fnUntraced(function* (message: FetchedMessage, shown: Shown) {
  const { envelope, flags, internalDate, size, tree, uid } = message
  const { html, text, ...marks } = yield* body(message, shown)
  const ids = (text: string | undefined, most: number) => messageIds([text ?? ""], most)
  return {
    uid,
    folder: shown.folder,
    subject: oneLine(envelope.subject),
    from: addresses(envelope.from),
    to: addresses(envelope.to),
    cc: addresses(envelope.cc),
    bcc: addresses(envelope.bcc),
    reply_to: addresses(envelope.replyTo),
    date: sentAt(envelope.date, internalDate),
    message_id: ids(envelope.messageId, 1)[0] ?? null,
    in_reply_to: ids(envelope.inReplyTo, 1)[0] ?? null,
    references: ids(message.references.replace(/^references:/i, ""), maxReferences),
    flags: Array.from(flags, (flag) => oneLine(flag)),
    seen: flags.has("\\Seen"),
    flagged: flags.has("\\Flagged"),
    answered: flags.has("\\Answered"),
    size,
    html,
    text,
    attachments: tree.attachments.map(({ content_id, filename, inline, media_type, part, size }) => ({
      part,
      filename,
      media_type,
      size,
      content_id,
      inline
    })),
    ...marks
  }
})

const body = Effect.fnUntraced(function* (
  { texts, tree: { attachments, blocks }, truncated, uid }: FetchedMessage,
  shown: Shown
) {
  const textOf = (part: Block["plain"]) => (part === undefined ? undefined : texts.get(part.part))
  const plain = blocks.map((block) => textOf(block.plain))
  const written = () =>
    runningText(
      plain
        .filter((text) => text !== undefined)
        .map((text) => text.trimEnd())
        .join("\n\n"),
      maxText
    )
  if (blocks.every(({ html }) => html === undefined))
    return { html: null, text: written(), blocked_images: 0, truncated }
  const page = blocks.map((block, index) => textOf(block.html) ?? asHtml(plain[index] ?? "")).join("\n<hr>\n")
  const whole = plain.every((text) => text !== undefined)
  const worker = yield* HtmlWorker
  return yield* worker
    .sanitise(page, {
      inlineImages: inlineImages(uid, attachments, shown),
      remoteImages: shown.images,
      plainText: !whole
    })
    .pipe(
      Effect.map((clean) => ({
        html: clean.html as string | null,
        text: whole ? written() : runningText(clean.text ?? "", maxText),
        blocked_images: clean.blocked_images,
        truncated: truncated || clean.truncated
      })),
      Effect.catch((error) =>
        error.reason === "Full"
          ? Effect.fail(new Unavailable({ detail: "Too many messages are being prepared right now. Try again." }))
          : // Its HTML is beyond cleaning: nothing of it is shown.
            Effect.succeed({ html: null, text: written(), blocked_images: 0, truncated: true })
      )
    )
})

const asHtml = (text: string): string => `<div style="white-space: pre-wrap">${escaped(text)}</div>`

/**
 * URLs of images that the page references by Content-ID. `data:` URLs would repeat a large image for every reference.
 */
const inlineImages = (
  uid: number,
  attachments: ReadonlyArray<Attachment>,
  { account, folder }: Shown
): ReadonlyMap<string, string> => {
  const here = (part: string) =>
    `/api/v1/mail/webmail/messages/${encodeURIComponent(folder)}/${uid}/attachments/${part}` +
    `?inline=true&account=${encodeURIComponent(account)}`
  return new Map(
    attachments.flatMap(({ content_id, media_type, part }) =>
      content_id !== null && shownImages.includes(media_type) ? [[content_id, here(part)] as const] : []
    )
  )
}
