/**
 * The edge in a real browser: a real TLS proxy for several host names on port 443, and a Chromium that resolves these
 * names to it.
 */
import { Effect } from "effect"
import type { BrowserContextOptions } from "playwright-core"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { requirePeer } from "../peers/install.ts"
import { PeerError } from "../peers/PeerError.ts"
import { makeCertificateFor } from "../sip/TestCertificate.ts"
import { launch } from "../TestBrowser.ts"
import { startSuite } from "../TestSuite.ts"
import { withCheapHashes } from "./CheapHashes.ts"
import * as Backend from "./Backend.ts"
import { type Dialect, start } from "./EdgeProxy.ts"

/** Longest time of one step. Unit: milliseconds. Reason: a browser and bcrypt on two loaded cores. */
const patience = 30_000

const shown = (seen: Backend.Seen): string =>
  `<!doctype html><html lang="en"><title>service</title><h1>Service</h1><p id="seen">${JSON.stringify({ url: seen.url, user: seen.headers["x-auth-user"], role: seen.headers["x-auth-role"] }).replaceAll("<", "&lt;")}</p>`

export const make = Effect.fnUntraced(function* (dialect: Dialect, env: Readonly<Record<string, string>> = {}) {
  const found = requirePeer("chromium")
  if (!found.available) return yield* new PeerError({ peer: "chromium", reason: "NotInstalled", message: found.reason })
  const suite = yield* startSuite({ daemons: [edgeAuth], env: { AUTH_COOKIE_DOMAIN: "example.org", ...env } }).pipe(
    withCheapHashes
  )
  const backend = yield* Backend.make(shown)
  const certificate = yield* makeCertificateFor("DNS:example.org,DNS:*.example.org,DNS:*.other.test")
  const port = yield* start(dialect, {
    edge: Number(new URL(suite.base("edge-auth")).port),
    backend: backend.port,
    certificate
  })
  const browser = yield* Effect.acquireRelease(
    Effect.promise(() => launch([`--host-resolver-rules=MAP * 127.0.0.1:${port}`])),
    (one) => Effect.promise(() => one.close())
  )
  /** A new browser context without stored data. */
  const person = async (options: BrowserContextOptions = {}) => {
    // The browser does not trust the test's certificate authority.
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-GB", ...options })
    context.setDefaultTimeout(patience)
    return { context, page: await context.newPage() }
  }
  return { suite, backend, person }
})
