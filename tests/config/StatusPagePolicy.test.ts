/**
 * The proxies' configurations send the written page with the policy of the daemon's own page, without its hashes, which
 * change with versions. The page itself states them.
 */
import { expect, it } from "vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { html, pageHeaders } from "#daemons/status-checker/publication/pages/Page.ts"

const policy = pageHeaders["content-security-policy"]!

it.each([
  ["nginx/status-page.conf", /add_header Content-Security-Policy "([^"]*)";/],
  ["caddy/status-page.caddyfile", /Content-Security-Policy "([^"]*)"/]
])("%s has the policy of the page without its hashes", (name, place) => {
  const text = readFileSync(join(import.meta.dirname, "../../config", name), "utf8")
  expect(place.exec(text)?.[1]).toBe(policy.replaceAll(/'sha256-[^']*'/g, "'unsafe-inline'"))
})

it("is stated by the page with its hashes", () => {
  const stated = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(
    html({ language: "en", title: "Status" }, "")
  )?.[1]
  const hashes = (text = "") => text.replaceAll("&#39;", "'").match(/'sha256-[^']*'/g)
  expect(hashes(stated)).toHaveLength(2)
  expect(hashes(stated)).toEqual(hashes(policy))
})
