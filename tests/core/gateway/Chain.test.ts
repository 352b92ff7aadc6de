import { make as banList } from "#core/gateway/BanList.ts"
import { decide, type Facts, type State, type Step } from "#core/gateway/Chain.ts"
import { make as rateLimit } from "#core/limits/RateLimit.ts"
import { assert, describe, it } from "@effect/vitest"

const client = "198.51.100.7"
const facts = (over: Partial<Facts> = {}): Facts => ({
  client,
  method: "GET",
  path: "/api/v1/things/7",
  secure: false,
  credentials: true,
  upgrade: false,
  now: 1_000,
  ...over
})

const row = { daemon: "things", port: 8101, ownPort: false, rateLimited: true }
const table = [
  { ...row, prefix: "/api/v1/things/open", authenticated: false },
  { ...row, prefix: "/api/v1/things", authenticated: true }
]
const state = (over: Partial<State> = {}): State => ({
  banned: () => false,
  limit: rateLimit({ burst: 2, perSecond: 1 }),
  table,
  isRunning: () => true,
  ...over
})
const bannedState = { banned: banList([{ address: client, until: 2_000 }], []) }
const spent = () => {
  const limit = rateLimit({ burst: 1, perSecond: 1 })
  limit.take(client, 1_000)
  return { limit }
}
const statusOf = (step: Step) => (step._tag === "Refuse" ? step.status : step._tag)

describe("decide", () => {
  it("exempts our own servers from the rate limit where the table says so", () => {
    const table = [{ ...row, prefix: "/api/v1/things/hot", authenticated: false, rateLimited: false }]
    assert.strictEqual(statusOf(decide(facts({ path: "/api/v1/things/hot" }), state({ ...spent(), table }))), "Forward")
    assert.strictEqual(
      statusOf(decide(facts({ path: "/api/v1/things/hot" }), state({ ...bannedState, table }))),
      "banned"
    )
  })

  it("forwards admitted requests, with the security headers", () => {
    const step = decide(facts(), state())
    assert.deepInclude(step, { _tag: "Forward", daemon: "things" })
    assert.strictEqual(step.headers["x-content-type-options"], "nosniff")
  })

  it("applies its steps in order: of two refusing steps the earlier one answers", () => {
    // Intrusion check before rate limit: a banned client gets no further information and uses no token.
    const both = { ...bannedState, ...spent() }
    const banned = decide(facts(), state(both))
    assert.strictEqual(statusOf(banned), "banned")
    assert.notProperty(banned.headers, "x-content-type-options")
    assert.strictEqual(statusOf(decide(facts({ credentials: false }), state(bannedState))), "banned")
    // Security headers before rate limit: the refusal has these headers.
    const limited = decide(facts(), state(spent()))
    assert.strictEqual(statusOf(limited), 429)
    assert.strictEqual(limited.headers["x-content-type-options"], "nosniff")
    // Rate limit before auth check, and before the gateway's own pages.
    assert.strictEqual(statusOf(decide(facts({ credentials: false }), state(spent()))), 429)
    assert.strictEqual(statusOf(decide(facts({ path: "/health" }), state(spent()))), 429)
    assert.strictEqual(statusOf(decide(facts({ path: "/nowhere" }), state(spent()))), 429)
    // Auth check before the backend.
    assert.strictEqual(statusOf(decide(facts({ credentials: false }), state({ isRunning: () => false }))), 401)
  })

  it("answers with Retry-After", () => {
    const state1 = state({ limit: rateLimit({ burst: 1, perSecond: 0.1 }) })
    assert.strictEqual(statusOf(decide(facts(), state1)), "Forward")
    assert.strictEqual(decide(facts(), state1).headers["retry-after"], "10")
    assert.strictEqual(statusOf(decide(facts({ now: 11_000 }), state1)), "Forward")
  })

  it("requires credentials only where the longest prefix does", () => {
    const open = facts({ credentials: false, path: "/api/v1/things/open/x" })
    assert.strictEqual(statusOf(decide(open, state())), "Forward")
    const step = decide(facts({ credentials: false }), state())
    assert.strictEqual(statusOf(step), 401)
    assert.strictEqual(step.headers["www-authenticate"], "Bearer")
  })

  it("refuses unknown paths, and matches whole segments", () => {
    for (const path of ["/api/v1/thingsbut", "/api/v1", "/API/v1/things", "/health/a/b", "//api/v1/things", "*"]) {
      assert.strictEqual(statusOf(decide(facts({ path }), state())), 404, path)
    }
  })

  it("answers 503 with Retry-After while a daemon is being rebuilt", () => {
    const step = decide(facts(), state({ isRunning: () => false }))
    assert.strictEqual(statusOf(step), 503)
    assert.strictEqual(step.headers["retry-after"], "1")
  })

  it("allows only GET and HEAD on its own pages, without upgrades", () => {
    for (const path of ["/", "/health", "/health/things", "/ready", "/metrics", "/openapi.json", "/docs"]) {
      assert.strictEqual(statusOf(decide(facts({ path }), state())), "Own", path)
      assert.strictEqual(statusOf(decide(facts({ path, method: "POST" }), state())), 405, path)
      assert.strictEqual(statusOf(decide(facts({ path, upgrade: true }), state())), 404, path)
    }
  })

  it("applies the same steps to upgrades", () => {
    const upgrade = { upgrade: true }
    assert.strictEqual(statusOf(decide(facts(upgrade), state())), "Forward")
    assert.strictEqual(statusOf(decide(facts(upgrade), state(bannedState))), "banned")
    assert.strictEqual(statusOf(decide(facts(upgrade), state(spent()))), 429)
    assert.strictEqual(statusOf(decide(facts({ ...upgrade, credentials: false }), state())), 401)
  })

  it("sends HSTS only over https, and allows scripts only in the documentation", () => {
    assert.notProperty(decide(facts(), state()).headers, "strict-transport-security")
    assert.match(decide(facts({ secure: true }), state()).headers["strict-transport-security"]!, /^max-age=31536000/)
    assert.notInclude(decide(facts({ path: "/docs2" }), state()).headers["content-security-policy"], "unsafe-inline")
    assert.include(
      decide(facts({ path: "/docs" }), state()).headers["content-security-policy"],
      "script-src 'unsafe-inline'"
    )
    assert.include(decide(facts({ path: "/docs" }), state()).headers["content-security-policy"], "default-src 'none'")
  })
})
