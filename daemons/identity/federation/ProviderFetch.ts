/**
 * How openid-client reaches a provider: through the guarded dialer, so that time, size and addresses are bounded.
 *
 * The issuer is an operator's word and may be anywhere, on a private network too. The other addresses come out of the
 * provider's own document: where they are not of the issuer's origin they must be public, so that no provider can make
 * us ask inside our network. A redirect is an answer like any other, which the library refuses.
 */
import { type Duration, Effect } from "effect"
import type { CustomFetch } from "openid-client"
import { type Cidr, parseCidr } from "#core/http/AddressGuard.ts"
import type { OutboundHttp } from "#core/http/OutboundHttp.ts"

/** Unit: bytes. Reason: key sets and configurations of large providers are some tens of KiB. */
const maxAnswer = 256 * 1024

const anywhere: ReadonlyArray<Cidr> = ["0.0.0.0/0", "::/0"].map((text) => parseCidr(text)!)

/** Statuses that have no body. Source: Fetch standard, "null body status". */
const bodiless = new Set([204, 205, 304])

/** `timeout`: for one request with its answer. */
export const make = (http: OutboundHttp["Service"], issuer: string, timeout: Duration.Duration): CustomFetch => {
  const { origin } = new URL(issuer)
  return (url, { body, headers, method, signal }) =>
    Effect.runPromise(
      http.request({
        method: method === "POST" ? "POST" : "GET",
        url,
        headers,
        ...(body === null || body === undefined ? {} : { body: String(body) }),
        timeout,
        maxResponseBytes: maxAnswer,
        maxRedirects: 0,
        allowCidrs: new URL(url).origin === origin ? anywhere : []
      }),
      signal === undefined ? {} : { signal }
    ).then((answer) => {
      if (answer.truncated) throw new Error(`the answer is longer than ${maxAnswer} bytes`)
      const kept = Object.entries(answer.headers).flatMap(([name, value]): Array<[string, string]> =>
        value === undefined ? [] : [[name, String(value)]]
      )
      return new Response(bodiless.has(answer.status) ? null : Buffer.from(answer.body), {
        status: answer.status,
        headers: kept
      })
    })
}
