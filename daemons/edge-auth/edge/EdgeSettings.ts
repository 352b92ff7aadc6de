/** Settings that several features of the edge read. Source of names without a prefix: interface document 3 §2.2. */
import { isAbsolute } from "node:path"
import { getPublicSuffix } from "tldts"
import { signInLimits } from "#core/config/SignInLimits.ts"
import type { Values } from "#core/config/Settings.ts"
import * as Settings from "#core/config/Settings.ts"
import { hostOf } from "./Host.ts"

export const edgeSettings = {
  cookieDomain: Settings.optionalText("AUTH_COOKIE_DOMAIN", {
    doc: "Domain of the session cookie: every host below it is reached by one sign-in; unset: the login host alone",
    // Browsers refuse a cookie for a public suffix. Source: RFC 6265bis §5.7.
    check: (text) =>
      hostOf(text) === text &&
      text.includes(".") &&
      !/^[\d.]+$/.test(text) &&
      getPublicSuffix(text, { allowPrivateDomains: true }) !== text
        ? undefined
        : "must be a domain in lower case such as example.org, and none under which others register theirs"
  }),
  sessionTtl: Settings.integer("AUTH_SESSION_TTL", {
    doc: "How long somebody stays signed in at the edge",
    unit: "seconds",
    default: 86_400,
    min: 60,
    max: 365 * 86_400
  }),
  ...signInLimits,
  edgeUrl: Settings.httpAddress("SIGNALBOX_EDGE_AUTH_URL", {
    doc: "Address at which people reach the login page of the edge; unset: https://auth. and AUTH_COOKIE_DOMAIN, or where it listens"
  }),
  handoffPath: Settings.optionalText("SIGNALBOX_EDGE_AUTH_HANDOFF_PATH", {
    doc: "Path at which proxies of hosts outside AUTH_COOKIE_DOMAIN hand on to /handoff, such as /.signalbox/handoff; unset: no sign-in goes there",
    check: (text) =>
      /^(?:\/[A-Za-z0-9._~-]+)+$/.test(text) && !/\/\.\.?(?:\/|$)/.test(text)
        ? undefined
        : "must be a plain path such as /.signalbox/handoff"
  }),
  proxyConfig: Settings.list("SIGNALBOX_EDGE_PROXY_CONFIG", {
    doc: "Files of nginx, Caddy (Caddyfile) or Traefik (YAML, TOML), read for the report of what is really protected",
    default: [],
    check: (path) => (isAbsolute(path) ? undefined : `${path}: must be an absolute path`)
  }),
  defaultDeny: Settings.flag("SIGNALBOX_EDGE_AUTH_DEFAULT_DENY", {
    doc: "Let nobody pass who is not signed in, also where no route matches",
    default: false
  })
}

/** Default port; the address of the login page is made with it when no setting names one. */
export const edgePort = 8113

/** Address of the login page, without a final slash. */
export const baseOf = ({
  cookieDomain,
  edgeUrl
}: Pick<Values<typeof edgeSettings>, "cookieDomain" | "edgeUrl">): string =>
  edgeUrl?.replace(/\/+$/, "") ??
  (cookieDomain === undefined ? `http://localhost:${edgePort}` : `https://auth.${cookieDomain}`)
