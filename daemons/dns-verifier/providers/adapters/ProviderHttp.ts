/** Sends the requests of the provider clients through the guarded HTTP client, without following redirects. */
import { Effect } from "effect"
import { userAgent } from "#core/config/Version.ts"
import type { Cidr } from "#core/http/AddressGuard.ts"
import type { OutboundHttp } from "#core/http/OutboundHttp.ts"
import type { Exchange } from "#protocols/http/Exchange.ts"

/** `allow`: networks that may be reached although they are not public. */
export const exchangeOf =
  (http: OutboundHttp["Service"], allow: ReadonlyArray<Cidr>): Exchange =>
  ({ body, headers, maxAnswer, method, timeout, url }) =>
    http
      .request({
        method,
        url,
        headers: { ...headers, "user-agent": userAgent },
        ...(body === undefined ? {} : { body }),
        timeout,
        maxResponseBytes: maxAnswer,
        maxRedirects: 0,
        allowCidrs: allow
      })
      .pipe(
        Effect.mapError((error) => ({ sent: error.requestSent, retryable: error.retryable, detail: error.message }))
      )
