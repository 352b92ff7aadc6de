/**
 * Checks the status of an HTTP answer and optionally a text in its body. Follows a limited number of redirects, unless
 * their status is expected. Operators configure the address, so private ones are allowed. Redirects from the public
 * internet lead to public addresses only, because a stranger chooses them. Nothing of the answer is kept.
 */
import { Duration, Effect } from "effect"
import { anyNetwork } from "../http/AddressGuard.ts"
import type { OutboundHttp, OutboundResponse } from "../http/OutboundHttp.ts"
import type { OutboundHttpReason } from "../http/OutboundHttpError.ts"
import { finding, outcomeOf } from "./Finding.ts"
import type { ProbeFound, ProbeResult } from "./ProbeResult.ts"

export interface HttpTarget {
  readonly url: string
  /** Good statuses; null: 200 to 399. */
  readonly expect: ReadonlyArray<number> | null
  /** Text that a good body contains; null: any body is good. */
  readonly contains: string | null
}

/** Unit: redirects. Reason: http → https → canonical host → language → page, and one spare. */
export const maxRedirects = 5

/** Part of the body that is searched. Unit: bytes. Reason: the text of a page. */
export const maxSearched = 1024 * 1024

/** Part of the body that is read when only the status counts. Unit: bytes. */
const unsearched = 0

/** Redirect statuses. 304 is none. Source: RFC 9110 §15.4. */
const leading = new Set([301, 302, 303, 307, 308])

const headers = { "user-agent": "Signalbox status check", accept: "*/*", "cache-control": "no-cache" }

export const probe = (
  http: OutboundHttp["Service"],
  { contains, expect, url }: HttpTarget,
  timeout: Duration.Duration
): Effect.Effect<ProbeResult> =>
  Effect.gen(function* () {
    let current = url
    let allowCidrs = anyNetwork
    for (let hop = 0; ; hop++) {
      const answer = yield* http.request({
        method: "GET",
        url: current,
        headers,
        timeout,
        allowCidrs,
        maxRedirects: 0,
        maxResponseBytes: contains === null ? unsearched : maxSearched
      })
      const next = expect?.includes(answer.status) === true ? undefined : target(answer, current)
      if (next === undefined) return judge(answer, expect, contains)
      if (hop === maxRedirects)
        return found("down", `more than ${maxRedirects} redirects`, {
          code: "too_many_redirects",
          values: { most: maxRedirects }
        })
      if (answer.isPublic) allowCidrs = []
      current = next
    }
  }).pipe(
    Effect.catch(({ reason }) => Effect.succeed(failed(reason))),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(late(Duration.toMillis(timeout))) })
  )

const found = (outcome: ProbeResult["outcome"], detail: string, code: ProbeFound) =>
  finding("http", outcome, detail, code)

/** Target of a redirect; undefined for other answers. */
const target = ({ headers, status }: OutboundResponse, from: string): string | undefined =>
  leading.has(status) && headers.location !== undefined ? URL.parse(headers.location, from)?.href : undefined

const judge = (
  { body, status, truncated }: OutboundResponse,
  expect: ReadonlyArray<number> | null,
  contains: string | null
): ProbeResult => {
  const isGood = expect === null ? status >= 200 && status <= 399 : expect.includes(status)
  const values = { status }
  const answered: ProbeFound = { code: "answered", values }
  if (!isGood) return found("down", `answered ${status}`, answered)
  if (contains === null) return found("up", `answered ${status}`, answered)
  if (Buffer.from(body).includes(contains))
    return found("up", `answered ${status} with the text`, { code: "answered_with_text", values })
  return found("down", `answered ${status}, without the text${truncated ? ` in the first ${maxSearched} bytes` : ""}`, {
    code: "answered_without_text",
    values: { status, searched_bytes: truncated ? maxSearched : null }
  })
}

const late = (milliseconds: number) =>
  found("down", `no answer within ${milliseconds} ms`, { code: "no_answer", values: { milliseconds } })

/** Result of a failed request. Omits the address, whose query may be secret. */
const failed = (reason: OutboundHttpReason): ProbeResult => {
  switch (reason._tag) {
    case "Unresolvable":
      return found(outcomeOf(reason.code), `name does not resolve: ${reason.code}`, {
        code: "unresolvable",
        values: { error: reason.code }
      })
    case "TimedOut":
      return late(reason.milliseconds)
    case "ConnectionFailed":
      return found(outcomeOf(reason.code), `connection failed: ${reason.code}`, {
        code: "connection_failed",
        values: { error: reason.code }
      })
    case "TlsFailed":
      return found("down", `TLS failed: ${reason.code}`, { code: "tls_failed", values: { error: reason.code } })
    case "InvalidResponse":
      return found("down", `answer is not HTTP: ${reason.code}`, { code: "not_http", values: { error: reason.code } })
    case "InvalidUrl":
    case "ForbiddenPort":
    case "ForbiddenAddress":
    case "TooManyRedirects":
    case "RedirectRefused":
      return found("down", "it redirects to an address that cannot be requested", { code: "bad_redirect", values: {} })
  }
}
