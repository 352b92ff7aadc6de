import { describe, expect, it } from "vitest"
import { coverageOf } from "#daemons/edge-auth/routes/Coverage.ts"
import { placeOf } from "#daemons/edge-auth/routes/RouteRows.ts"

const at = new Date("2026-01-01T00:00:00Z")

describe("the coverage of hosts", () => {
  it("takes both the proxy's question and an enabled route", () => {
    const seen = ["a.example", "b.example"].map((host) => ({ host, last_seen: at }))
    const routes = [{ host: "a.example", path: "/" }, { host: "c.example", path: "/admin" }]
    expect(coverageOf(seen, routes, false)).toEqual([
      { host: "a.example", state: "protected", lastSeen: at, whole: true },
      { host: "b.example", state: "no_route", lastSeen: at, whole: false },
      { host: "c.example", state: "not_asked", lastSeen: null, whole: false }
    ])
    expect(coverageOf(seen, routes, true)[1]).toEqual({ host: "b.example", state: "denied", lastSeen: at, whole: true })
  })
})

describe("a place to protect", () => {
  it.each([["App.Example:443", "/Admin/", "app.example", "/admin"], ["a.example", "/", "a.example", "/"], ["a.example", "//x/../admin//", "a.example", "/admin"], ["a.example", "/%61dmin", "a.example", "/admin"]])(
    "%s%s is %s%s",
    (host, path, keptHost, keptPath) => {
      expect(placeOf(host, path)).toEqual({ host: keptHost, path: keptPath })
    }
  )

  it.each([["", "/"], ["a b", "/"], ["a.example", "admin"], ["a.example", "/a?b"], ["a.example", "/a b"], ["a.example", `/${"x".repeat(3_000)}`]])("%s%s is none", (host, path) => {
    expect(placeOf(host, path)).toBeUndefined()
  })
})
