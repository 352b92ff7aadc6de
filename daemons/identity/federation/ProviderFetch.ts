/**
 * Sends openid-client's requests through OutboundHttp, which limits time, size and addresses.
 *
 * The operator configures the issuer and the endpoints of a provider without OpenID Connect, which may be in a private
 * network. Other URLs come from the provider's own document. Unless they have one of these origins they must be public,
 * so that a provider cannot make us send requests into our network. A redirect is returned to the library, which
 * refuses it.
 */
import { type Duration, Effect } from "effect"
import type { CustomFetch } from "openid-client"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import type { OutboundHttp } from "#core/http/OutboundHttp.ts"

/** Largest response. Unit: bytes. Reason: key sets and configurations of large providers have some tens of KiB. */
const maxAnswer = 256 * 1024

/** Status codes without body. Source: Fetch standard, "null body status". */
const bodiless = new Set([204, 205, 304])

/** `configured`: URLs from our settings. `timeout`: limit for one request and its response. */
export const make = (
  http: OutboundHttp["Service"],
  configured: ReadonlyArray<string>,
  timeout: Duration.Duration
): CustomFetch => {
  const origins = new Set(configured.map((url) => new URL(url).origin))
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
        allowCidrs: origins.has(new URL(url).origin) ? anyNetwork : []
      }),
      signal === undefined ? {} : { signal }
    ).then((answer) => {
      if (answer.truncated) throw new Error(`the response is longer than ${maxAnswer} bytes`)
      const kept = Object.entries(answer.headers).flatMap(([name, value]): Array<[string, string]> =>
        value === undefined ? [] : [[name, String(value)]]
      )
      return new Response(bodiless.has(answer.status) ? null : Buffer.from(answer.body), {
        status: answer.status,
        headers: kept
      })
    })
}
