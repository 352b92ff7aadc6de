/** Settings that several features of edge-auth read. Source of names without a prefix: interface document 3 §2.2. */
import { Result } from "effect"
import { isAbsolute } from "node:path"
import { getPublicSuffix } from "tldts"
import { signInLimits } from "#core/config/SignInLimits.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { hostOf } from "./Host.ts"

/** A domain, also with the leading dot that older programs wrote before it. RFC 6265 §5.2.3 ignores the dot. */
const withoutDot: typeof Settings.optionalText = (name, { check, doc }) => {
  const bare = (text: string) => text.replace(/^\./, "")
  const setting = Settings.optionalText(name, { doc, check: (text) => check?.(bare(text)) })
  return { ...setting, parse: (raw) => Result.map(setting.parse(raw), (value) => value && bare(value)) }
}

export const edgeSettings = {
  cookieDomain: withoutDot("AUTH_COOKIE_DOMAIN", {
    doc: "Domain of the session cookie: one sign-in reaches every host below it; unset: only the login host",
    // Browsers refuse a cookie for a public suffix. Source: RFC 6265bis §5.7.
    check: (text) =>
      hostOf(text) === text &&
      text.includes(".") &&
      !/^[\d.]+$/.test(text) &&
      getPublicSuffix(text, { allowPrivateDomains: true }) !== text
        ? undefined
        : "must be a domain in lower case such as example.org, and not a public suffix such as co.uk"
  }),
  sessionTtl: Settings.integer("AUTH_SESSION_TTL", {
    doc: "Lifetime of a session of edge-auth",
    unit: "seconds",
    default: 86_400,
    min: 60,
    max: 365 * 86_400
  }),
  ...signInLimits,
  edgeUrl: Settings.httpAddress("SIGNALBOX_EDGE_AUTH_URL", {
    doc:
      "Public address of the login page; unset: the address of the request; for the redirects of /verify " +
      "https://auth. and AUTH_COOKIE_DOMAIN, or its port on localhost"
  }),
  port: Settings.port("SIGNALBOX_EDGE_AUTH_PORT", { doc: "Port of edge-auth", default: 8113 }),
  handoffPath: Settings.optionalText("SIGNALBOX_EDGE_AUTH_HANDOFF_PATH", {
    doc:
      "Path that proxies of hosts outside AUTH_COOKIE_DOMAIN forward to /handoff, such as /.signalbox/handoff; " +
      "unset: those hosts have no sign-in",
    check: (text) =>
      /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text) && !/\/\.\.?(?:\/|$)/.test(text)
        ? undefined
        : "must be a plain path such as /.signalbox/handoff"
  }),
  proxyConfig: Settings.list("SIGNALBOX_EDGE_PROXY_CONFIG", {
    doc: "Files of nginx, Caddy (Caddyfile) or Traefik (YAML, TOML), read for the coverage report",
    default: [],
    check: (path) => (isAbsolute(path) ? undefined : `${path}: must be an absolute path`)
  }),
  defaultDeny: Settings.flag("SIGNALBOX_EDGE_AUTH_DEFAULT_DENY", {
    doc: "Require a sign-in also where no route matches",
    default: false
  })
}

/** Default port. */
export const edgePort = 8113

/**
 * Address of the login page without a final slash, for answers that do not depend on the visitor's address for it
 * (OwnAddress.ts).
 */
export const baseOf = ({
  cookieDomain,
  edgeUrl,
  port
}: Pick<Values<typeof edgeSettings>, "cookieDomain" | "edgeUrl" | "port">): string =>
  edgeUrl?.replace(/\/+$/, "") ??
  (cookieDomain === undefined ? `http://localhost:${port || edgePort}` : `https://auth.${cookieDomain}`)
