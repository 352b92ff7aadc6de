/**
 * What is said over the event socket. Pure. Clients send JSON objects with `type` and `data`; so do we, and an event has `id` besides, to
 * be shown when the client comes back. Control frames have names without a dot, events always have one.
 */
import { Result, Schema } from "effect"
import * as ws from "ws"
import { type FedEvent, parsePosition, type Position, positionText } from "#core/events/EventFeed.ts"
import { Pattern } from "../Pattern.ts"

/** Longest frame of a client. Unit: bytes. Reason: a token and fifty patterns. */
export const maxClientFrame = 16 * 1024

/** Patterns of one connection. Unit: patterns. */
export const maxPatterns = 50

/** Why a connection is closed, beyond RFC 6455 §7.4.1. The numbers are HTTP's and 4000. */
export const closing = {
  goingAway: [1001, "the server stops; come back with last_event_id"],
  badFrame: [4400, "not a frame that is understood here"],
  unauthenticated: [4401, 'send {"type":"auth","data":{"token":"…"}} first, and anew before the token expires'],
  authTimeout: [4408, "no auth frame in time"],
  lost: [4410, "events behind last_event_id were deleted; load anew and connect without it"],
  slow: [4413, "the client reads too slowly; come back with last_event_id"],
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

/** A client's frame, or what is wrong with it in a sentence that holds nothing of it. */
export const read = (text: string): Result.Result<ClientFrame, string> =>
  Result.mapError(decode(text), () => 'expected {"type": "auth" | "subscribe" | "unsubscribe" | "ping", "data": {…}}')

/** Where a client says that it stands; a text when that is none of our ids. */
export const resumeFrom = (id: string | null | undefined): Position | undefined | "bad" =>
  id === undefined || id === null ? undefined : (parsePosition(id) ?? "bad")

/** A control frame. */
export const control = (type: "auth_ok" | "subscribed" | "unsubscribed" | "pong" | "error", data: object): string =>
  JSON.stringify({ type, data })

/** An event as one frame on the wire, made once for all who get it. Source: RFC 6455 §5.2. */
export const eventFrame = ({ at, data, type }: FedEvent): Buffer => {
  const payload = Buffer.from(`{"id":"${positionText(at)}","type":${JSON.stringify(type)},"data":${data}}`)
  return Buffer.concat(framing.frame(payload, { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: false }))
}

/** Part of the library that its types leave out. */
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
