/**
 * `GET /verify`: reverse proxies ask whether a request may pass; the answer comes from memory. nginx accepts only 401
 * or 403 as a refusal. With `?mode=status` the answer is therefore 401 with the login page in `X-Auth-Redirect`.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "#core/http/NodeProblem.ts"
import { storedForm, tokensOf } from "../edge/SessionCookie.ts"
import { makeRefusedPage } from "./RefusedPage.ts"
import { askedOf } from "./ForwardedRequest.ts"
import { type Decision, decide, encodedText, headerText } from "./Decision.ts"
import type { EdgeProjection, Identity } from "../edge/EdgeProjection.ts"
import type { SeenHosts } from "./SeenHosts.ts"

export const verifyLane = "GET /verify"

export interface LaneOptions {
  /** Our own address. Its host stays open even with `defaultDeny`, because the login page is there. */
  readonly base: string
  /** Whether a path without a route needs a signed-in user. */
  readonly defaultDeny: boolean
}

export const handler = (
  projection: EdgeProjection["Service"],
  seen: SeenHosts["Service"],
  { base, defaultDeny }: LaneOptions
) => {
  const ownHost = new URL(base).hostname
  const refusedPage = makeRefusedPage(base, unnamed)
  const identityOf = (cookies: string | undefined, host: string): Identity | undefined => {
    const now = Date.now()
    for (const token of tokensOf(cookies)) {
      const found = projection.identityOf(storedForm(token), host, now)
      if (found !== undefined) return found
    }
    return undefined
  }
  const judge = (headers: IncomingHttpHeaders): Decision | undefined => {
    const asked = askedOf(headers)
    if (asked === undefined) return undefined
    seen.note(asked.host)
    const required =
      projection.routes.roleFor(asked.host, asked.target) ??
      (defaultDeny && asked.host !== ownHost ? "user" : undefined)
    return decide(asked, required, required === undefined ? undefined : identityOf(headers.cookie, asked.host), base)
  }
  const tell = (request: IncomingMessage, response: ServerResponse, decision: Decision | undefined) => {
    if (decision === undefined)
      return sendProblem(
        response,
        400,
        "The proxy did not name the original request: send X-Forwarded-Host and X-Forwarded-Uri, or X-Original-URL."
      )
    const byStatus = request.url === "/verify?mode=status"
    // nginx (byStatus) discards the body and shows a page of its own.
    if (decision._tag !== "Refused" || byStatus) return write(response, decision, byStatus)
    const { body, headers } = refusedPage()
    // Node declares a mutable array and does not change it.
    response.writeHead(403, headers as Array<string>)
    response.end(body)
  }
  const unknown = (response: ServerResponse) =>
    sendProblem(response, 503, "The database cannot be reached, so no request may pass now.")
  const answer = (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    const { headers } = request
    const decision = judge(headers)
    // The user may have just signed in, perhaps at another process. A comparison with Postgres, shared by all waiting
    // requests, avoids sending them back to the login page.
    if (decision?._tag === "Login" && tokensOf(headers.cookie).length > 0) {
      return projection
        .refreshPromise()
        .then((fresh) => (fresh ? tell(request, response, judge(headers)) : unknown(response)))
    }
    tell(request, response, decision)
  }
  return (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    if (projection.fresh()) return answer(request, response)
    return projection.ensurePromise().then((fresh) => (fresh ? answer(request, response) : unknown(response)))
  }
}

/** Every answer has all these headers, so that a proxy that copies them overwrites headers sent by the client. */
const unnamed = [
  "cache-control",
  "no-store",
  "x-auth-user",
  "",
  "x-auth-name",
  "",
  "x-auth-name-encoded",
  "",
  "x-auth-role",
  ""
]
const anonymous = [...unnamed, "content-length", "0"]

/** Cache of response headers; a changed user is a new object. */
const headersOf = new WeakMap<Identity, ReadonlyArray<string>>()

const named = (identity: Identity): Array<string> => {
  let headers = headersOf.get(identity)
  if (headers === undefined) {
    headers = [
      "cache-control",
      "no-store",
      "x-auth-user",
      headerText(identity.email),
      "x-auth-name",
      headerText(identity.name),
      "x-auth-name-encoded",
      encodedText(identity.name),
      "x-auth-role",
      identity.role,
      "content-length",
      "0"
    ]
    headersOf.set(identity, headers)
  }
  return headers as Array<string>
}

const write = (response: ServerResponse, decision: Decision, byStatus: boolean): void => {
  switch (decision._tag) {
    case "Pass": {
      const { identity } = decision
      response.writeHead(200, identity === undefined ? anonymous : named(identity))
      break
    }
    case "Login":
      response.writeHead(byStatus ? 401 : 302, [
        byStatus ? "x-auth-redirect" : "location",
        decision.address,
        ...anonymous
      ])
      break
    case "Refused":
      response.writeHead(403, anonymous)
  }
  response.end()
}
