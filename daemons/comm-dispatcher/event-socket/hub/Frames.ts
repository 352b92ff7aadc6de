/**
 * Frames of the event socket. Pure. Both sides send JSON objects with `type` and `data`; an event also has an `id`,
 * from which the client can resume. Control frame types contain no dot, event types always do.
 */
import { Result, Schema } from "effect"
import * as ws from "ws"
import { type FedEvent, parsePosition, type Position, positionText } from "#core/events/EventFeed.ts"
import { Pattern } from "../Pattern.ts"

/** Longest frame of a client. Unit: bytes. Reason: a token and fifty patterns. */
export const maxClientFrame = 16 * 1024

/** Maximum number of patterns per connection. */
export const maxPatterns = 50

/** Close codes beyond RFC 6455 §7.4.1: 4000 plus the HTTP status. */
export const closing = {
  goingAway: [1001, "the server stops; reconnect with last_event_id"],
  badFrame: [4400, "unknown or invalid frame"],
  unauthenticated: [4401, 'send {"type":"auth","data":{"token":"…"}} first, and again before the token expires'],
  authTimeout: [4408, "no auth frame in time"],
  lost: [4410, "events after last_event_id were deleted; reload and connect without it"],
  slow: [4413, "the client reads too slowly; reconnect with last_event_id"],
  tooMany: [4429, "too many connections"]
} as const satisfies Readonly<Record<string, readonly [number, string]>>
export type Closing = keyof typeof closing

const Patterns = Schema.Array(Pattern).check(Schema.isMinLength(1), Schema.isMaxLength(maxPatterns))

const ClientFrame = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({
      type: Schema.Literal("auth"),
      data: Schema.Struct({
        token: Schema.optionalKey(Schema.String),
        service_token: Schema.optionalKey(Schema.String)
      })
    }),
    Schema.Struct({
      type: Schema.Literal("subscribe"),
      data: Schema.Struct({ patterns: Patterns, last_event_id: Schema.optionalKey(Schema.NullOr(Schema.String)) })
    }),
    Schema.Struct({ type: Schema.Literal("unsubscribe"), data: Schema.Struct({ patterns: Patterns }) }),
    Schema.Struct({ type: Schema.Literal("ping"), data: Schema.optionalKey(Schema.Unknown) })
  ])
)
export type ClientFrame = typeof ClientFrame.Type

const decode = Schema.decodeUnknownResult(ClientFrame)

/** A client's frame, or its problem in a sentence without text of the frame. */
export const read = (text: string): Result.Result<ClientFrame, string> =>
  Result.mapError(decode(text), () => 'expected {"type": "auth" | "subscribe" | "unsubscribe" | "ping", "data": {…}}')

/** The position to resume from; `bad` for an invalid id. */
export const resumeFrom = (id: string | null | undefined): Position | undefined | "bad" =>
  id === undefined || id === null ? undefined : (parsePosition(id) ?? "bad")

/** A control frame. */
export const control = (type: "auth_ok" | "subscribed" | "unsubscribed" | "pong" | "error", data: object): string =>
  JSON.stringify({ type, data })

/** An event as one wire frame, built once for all clients. Source: RFC 6455 §5.2. */
export const eventFrame = ({ at, data, type }: FedEvent): Buffer => {
  const payload = Buffer.from(`{"id":"${positionText(at)}","type":${JSON.stringify(type)},"data":${data}}`)
  return Buffer.concat(framing.frame(payload, { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: false }))
}

/** An API of the library that its types omit. */
const framing = (ws as unknown as { readonly Sender: unknown }).Sender as {
  readonly frame: (
    data: Buffer,
    options: {
      readonly fin: boolean
      readonly rsv1: boolean
      readonly opcode: number
      readonly mask: boolean
      readonly readOnly: boolean
    }
  ) => ReadonlyArray<Buffer>
}
