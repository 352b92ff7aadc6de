/**
 * Declaration of a request from one daemon to another, kept in core/contracts, and its failures. Requests.ts asks,
 * Responder.ts answers.
 */
import { Schema } from "effect"

/** Declaration of a kind of request. `type` begins with the name of the daemon that answers. */
export interface RequestType<Ask, AskEncoded, Reply, ReplyEncoded> {
  readonly type: string
  readonly ask: Schema.Codec<Ask, AskEncoded>
  readonly reply: Schema.Codec<Reply, ReplyEncoded>
}

/** Declares a kind of request: its name (`identity.device_login`), the shape of the request and of the reply. */
export const define = <Ask, AskEncoded, Reply, ReplyEncoded>(
  type: string,
  ask: Schema.Codec<Ask, AskEncoded>,
  reply: Schema.Codec<Reply, ReplyEncoded>
): RequestType<Ask, AskEncoded, Reply, ReplyEncoded> => ({ type, ask, reply })

/** The other daemon refuses; a retry does not help. `reason` is a constant word of the contract. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  type: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.type} was refused: ${this.reason}`
  }
}

/** No process answered in time, or the answering daemon failed. A retry can help. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  type: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.type}: ${this.detail}`
  }
}

/** NOTIFY topic of new requests of a type. */
export const askedTopic = (type: string): string => `request ${type}`

/** NOTIFY topic of the answer to one request. */
export const answeredTopic = (id: string): string => `answer ${id}`

/** Context of the sealed request and of its sealed answer. */
export const bodyContext = (id: string): string => `core.request.body/${id}`
export const answerContext = (id: string): string => `core.request.answer/${id}`

/** A stored answer: the encoded reply, a refusal, or a failure that the log of the answering daemon explains. */
export type StoredAnswer =
  | { readonly kind: "reply"; readonly reply: unknown }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed" }
