/** The proxies' configurations send the written page with the policy of the daemon's own page. */
import { expect, it } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pageHeaders } from "#daemons/status-checker/publication/pages/Page.ts"

it.each([
  ["nginx/status-page.conf", /add_header Content-Security-Policy "([^"]*)";/],
  ["caddy/status-page.caddyfile", /Content-Security-Policy "([^"]*)"/]
])("%s has the policy with the hashes of the present style and script", (name, place) => {
  const text = readFileSync(join(import.meta.dirname, "../../config", name), "utf8")
  expect(place.exec(text)?.[1]).toBe(pageHeaders["content-security-policy"])
})
