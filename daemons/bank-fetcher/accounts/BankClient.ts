/**
 * Posts EBICS messages to banks: TLS with normal verification, public addresses only, no redirects, and bounds on time
 * and answer. It neither builds nor reads messages (protocols/ebics). Source: EBICS 3.0 §3.1, transport by HTTPS.
 */
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { settings } from "#core/config/Environment.ts"
import { userAgent } from "#core/config/Version.ts"
import { type Cidr, parseCidr } from "#core/http/AddressGuard.ts"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import { maxMessage } from "#protocols/ebics/Limits.ts"
import { accountSettings } from "./Settings.ts"

/**
 * Time limit of one exchange. Unit: seconds. Reason: banks answer in one to ten seconds; the first segment of a large
 * download takes longest.
 */
export const exchangeTimeout = Duration.seconds(60)

/**
 * There is no EBICS message from the bank. `sent`: the bank may have acted on the request. `retryable`: the same
 * request can succeed later. The message contains no path of the address.
 */
export class BankUnreachable extends Schema.TaggedError<BankUnreachable>()("BankUnreachable", {
  detail: Schema.String,
  sent: Schema.Boolean,
  retryable: Schema.Boolean
}) {
  override get message() {
    return this.detail
  }
}

export class BankClient extends Context.Service<
  BankClient,
  {
    /** Private networks in which banks may be. */
    readonly allow: ReadonlyArray<Cidr>
    /** Posts a message and returns the answer. */
    readonly post: (url: string, xml: string) => Effect.Effect<Uint8Array, BankUnreachable>
  }
>()("signalbox/bank-fetcher/BankClient") {}

export const bankClient = Layer.effect(
  BankClient,
  Effect.gen(function* () {
    const { bankAllow } = yield* settings(accountSettings)
    const http = yield* OutboundHttp
    const allowCidrs = bankAllow.map(parseCidr).filter((cidr) => cidr !== undefined)
    return BankClient.of({
      allow: allowCidrs,
      post: Effect.fn("BankClient.post")(function* (url, xml) {
        const answer = yield* http
          .request({
            method: "POST",
            url,
            headers: { "content-type": "text/xml; charset=UTF-8", accept: "text/xml", "user-agent": userAgent },
            body: xml,
            timeout: exchangeTimeout,
            maxResponseBytes: maxMessage,
            maxRedirects: 0,
            allowCidrs
          })
          .pipe(
            Effect.mapError(
              ({ message, requestSent: sent, retryable }) => new BankUnreachable({ detail: message, sent, retryable })
            )
          )
        const failed = (detail: string) => new BankUnreachable({ detail, sent: true, retryable: true })
        if (answer.status !== 200) return yield* failed(`the bank answered with HTTP status ${answer.status}`)
        if (answer.truncated) return yield* failed(`the answer has more than ${maxMessage} bytes`)
        return answer.body
      })
    })
  })
).pipe(Layer.provide(OutboundHttp.layer))
