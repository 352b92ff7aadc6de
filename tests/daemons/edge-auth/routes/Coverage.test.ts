import { describe, expect, it } from "vitest"
import { coverageOf } from "#daemons/edge-auth/routes/Coverage.ts"
import { routeKeyOf } from "#daemons/edge-auth/routes/RouteRows.ts"

const at = new Date("2026-01-01T00:00:00Z")

describe("the coverage of hosts", () => {
  const seen = ["a.example", "b.example"].map((host) => ({ host, last_seen: at }))
  const routes = [
    { host: "a.example", path: "/" },
    { host: "c.example", path: "/admin" }
  ]
  const state = (more: Partial<Parameters<typeof coverageOf>[0]>) =>
    Object.fromEntries(
      coverageOf({ seen, routes, places: [], defaultDeny: false, ...more }).map(({ host, state }) => [host, state])
    )

  it("needs both a request of the proxy and an enabled route", () => {
    expect(coverageOf({ seen, routes, places: [], defaultDeny: false })).toEqual([
      { host: "a.example", state: "protected", lastSeen: at, route: true, whole: true, unchecked: [] },
      { host: "b.example", state: "no_route", lastSeen: at, route: false, whole: false, unchecked: [] },
      { host: "c.example", state: "not_asked", lastSeen: null, route: true, whole: false, unchecked: [] }
    ])
    expect(coverageOf({ seen, routes, places: [], defaultDeny: true })[1]).toMatchObject({
      host: "b.example",
      state: "denied",
      whole: true
    })
  })

  it("prefers the proxy's file to earlier requests", () => {
    const place = (host: string, asks: boolean) => ({ host, asks, where: `x.conf:1 ${host}` })
    expect(
      state({
        places: [
          place("a.example", false),
          place("b.example", true),
          place("c.example", true),
          place("d.example", false)
        ]
      })
    ).toEqual({ "a.example": "no_check", "b.example": "no_route", "c.example": "protected", "d.example": "no_check" })
    expect(state({ places: [place("d.example", true)], defaultDeny: true })).toMatchObject({ "d.example": "denied" })
    const [partly] = coverageOf({
      seen,
      routes,
      places: [place("a.example", true), { host: "a.example", asks: false, where: "x.conf:9 location /api" }],
      defaultDeny: false
    })
    expect(partly).toMatchObject({ state: "partly", unchecked: ["x.conf:9 location /api"] })
  })
})

describe("a route to protect", () => {
  it.each([
    ["App.Example:443", "/Admin/", "app.example", "/admin"],
    ["a.example", "/", "a.example", "/"],
    ["a.example", "//x/../admin//", "a.example", "/admin"],
    ["a.example", "/%61dmin", "a.example", "/admin"]
  ])("%s%s is %s%s", (host, path, keptHost, keptPath) => {
    expect(routeKeyOf(host, path)).toEqual({ host: keptHost, path: keptPath })
  })

  it.each([
    ["", "/"],
    ["a b", "/"],
    ["a.example", "admin"],
    ["a.example", "/a?b"],
    ["a.example", "/a b"],
    ["a.example", `/${"x".repeat(3_000)}`]
  ])("%s%s is refused", (host, path) => {
    expect(routeKeyOf(host, path)).toBeUndefined()
  })
})
