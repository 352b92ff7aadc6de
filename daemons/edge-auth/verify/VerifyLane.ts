/**
 * `GET /verify`: what a reverse proxy asks before it lets a request through. Answered from memory. Proxies differ in
 * what they can make of an answer: nginx takes a refusal as 401 or 403 alone, so with `?mode=status` the login page's
 * address comes in `X-Auth-Redirect` instead.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { sendProblem } from "#core/http/NodeProblem.ts"
import { storedForm, tokensOf } from "../edge/SessionCookie.ts"
import { refusedPage } from "./RefusedPage.ts"
import { askedOf } from "./ForwardedRequest.ts"
import { type Decision, decide, headerText } from "./Decision.ts"
import type { EdgeProjection, Identity } from "../edge/EdgeProjection.ts"
import type { SeenHosts } from "./SeenHosts.ts"

export const verifyLane = "GET /verify"

export interface LaneOptions {
  /** Our own address; the login page is always open. */
  readonly base: string
  /** Whether nobody passes unknown where no route matches. */
  readonly defaultDeny: boolean
}

export const handler = (
  projection: EdgeProjection["Service"],
  seen: SeenHosts["Service"],
  { base, defaultDeny }: LaneOptions
) => {
  const ownHost = new URL(base).hostname
  const { body: refusedBody, headers: refusedHeaders } = refusedPage(base)
  const refused = [...unnamed, ...refusedHeaders]
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
        "The proxy did not say what is asked for: send X-Forwarded-Host and X-Forwarded-Uri, or X-Original-URL."
      )
    const byStatus = request.url === "/verify?mode=status"
    // nginx shows a page of its own.
    if (decision._tag !== "Refused" || byStatus) return write(response, decision, byStatus)
    response.writeHead(403, refused)
    response.end(refusedBody)
  }
  const unknown = (response: ServerResponse) => sendProblem(response, 503, "Who may pass cannot be told now.")
  const answer = (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    const { headers } = request
    const decision = judge(headers)
    // Somebody who has just signed in, perhaps at another process, is not sent back to the login page. Those who wait
    // share one comparison.
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

/** All three headers in every answer: a proxy that copies them overwrites what a client sent by that name. */
const unnamed = ["cache-control", "no-store", "x-auth-user", "", "x-auth-name", "", "x-auth-role", ""]
const anonymous = [...unnamed, "content-length", "0"]

/** Made once for each state of a user. */
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
