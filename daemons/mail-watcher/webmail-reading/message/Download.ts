/**
 * Streams a message or a part of it. Each piece is fetched when the previous one was consumed, as separate work on the
 * account's session. A slow client therefore blocks nobody, and an aborted download leaves nothing behind.
 */
import { Effect, Option, Stream } from "effect"
import type { FetchQueryObject, ImapFlow } from "imapflow"
import { type Account, MailSessions, type SessionError, noMessage, openFolder } from "../../accounts/Exports.ts"
import { type Decoder, decoder } from "./Decoders.ts"
import { messageParts } from "./MessageParts.ts"

/** Size of one fetch. Unit: bytes. Reason: few round trips, and little memory per download. */
export const maxPiece = 256 * 1024

export interface Source {
  readonly account: Account
  readonly folder: string
  readonly uid: number
}

interface Opened {
  readonly uidValidity: bigint
  /** Size of the whole message. Unit: bytes. */
  readonly size: number
}

/** Streams the whole message. A missing message fails before the first byte. */
export const rawMessage = Effect.fnUntraced(function* (source: Source) {
  const sessions = yield* MailSessions
  const opened = yield* sessions.use(
    source.account,
    async (client): Promise<Opened> => {
      const { uidValidity } = await openFolder(client, source.folder)
      const found = await client.fetchOne(String(source.uid), { uid: true, size: true }, { uid: true })
      if (found === false || found === undefined) throw noMessage()
      return { uidValidity, size: found.size ?? 0 }
    },
    { repeat: true }
  )
  return pieces(sessions, source, opened, undefined, decoder("8bit"))
})

/** Streams an attachment, decoded. */
export const attachmentFile = Effect.fnUntraced(function* (source: Source, part: string) {
  const sessions = yield* MailSessions
  const { attachment, opened } = yield* sessions.use(
    source.account,
    async (client) => {
      const { uidValidity } = await openFolder(client, source.folder)
      const found = await client.fetchOne(
        String(source.uid),
        { uid: true, size: true, bodyStructure: true },
        { uid: true }
      )
      if (found === false || found === undefined || found.bodyStructure === undefined) throw noMessage()
      const attachment = messageParts(found.bodyStructure).attachments.find((each) => each.part === part)
      if (attachment === undefined) throw noMessage()
      return { attachment, opened: { uidValidity, size: found.size ?? 0 } }
    },
    { repeat: true }
  )
  return { attachment, stream: pieces(sessions, source, opened, part, decoder(attachment.encoding)) }
})

/** Fails when the message disappears during the download, so the client sees an incomplete file. */
const pieces = (
  sessions: MailSessions["Service"],
  { account, folder, uid }: Source,
  { size, uidValidity }: Opened,
  part: string | undefined,
  decode: Decoder
): Stream.Stream<Uint8Array, SessionError> =>
  Stream.paginate(0, (start: number) =>
    sessions
      .use(account, (client) => piece(client, folder, uid, uidValidity, part, start), { repeat: true })
      .pipe(
        Effect.map((bytes): readonly [ReadonlyArray<Uint8Array>, Option.Option<number>] => {
          // A server without support for ranges returns everything at once. The second check ends the stream for a
          // server that never reports the end.
          const last = bytes.length !== maxPiece || start > 2 * size
          const given = [decode.push(bytes), ...(last ? [decode.end()] : [])].filter((each) => each.length > 0)
          return [given, last ? Option.none() : Option.some(start + bytes.length)]
        })
      )
  )

const piece = async (
  client: ImapFlow,
  folder: string,
  uid: number,
  uidValidity: bigint,
  part: string | undefined,
  start: number
): Promise<Buffer> => {
  const open = await openFolder(client, folder, { fresh: false })
  if (open.uidValidity !== uidValidity) throw noMessage()
  const range = { start, maxLength: maxPiece }
  const query: FetchQueryObject =
    part === undefined ? { uid: true, source: range } : { uid: true, bodyParts: [{ key: part, ...range }] }
  const found = await client.fetchOne(String(uid), query, { uid: true })
  if (found === false || found === undefined) throw noMessage()
  return (part === undefined ? found.source : found.bodyParts?.get(part)) ?? Buffer.alloc(0)
}
