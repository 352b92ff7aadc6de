import { nginx } from "#core/gateway/Nginx.ts"
import { json, match, mounted, problems, rows, text } from "#core/gateway/RouteTable.ts"
import { clashes } from "#core/gateway/MergedApi.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { assert, describe, it } from "@effect/vitest"

describe("RouteTable", () => {
  const fleet = [probeDaemon("one"), probeDaemon("two"), probeDaemon("apart", { ownPort: true })]

  it("matches the longest prefix by whole segments, and omits daemons with their own address", () => {
    const table = mounted(rows(fleet))
    assert.deepInclude(match(table, "/api/v1/one/items"), { prefix: "/api/v1/one", authenticated: true })
    assert.deepInclude(match(table, "/api/v1/two/open"), {
      prefix: "/api/v1/two/open",
      authenticated: false,
      daemon: "two"
    })
    assert.deepInclude(match(table, "/api/v1/two/opener"), { prefix: "/api/v1/two" })
    for (const path of ["/api/v1/oner", "/api/v1/apart/items", "/apart/fast", "/", ""])
      assert.isUndefined(match(table, path), path)
  })

  it("has the routes of a daemon with its own address that the gateway serves too", () => {
    const routes = [{ prefix: "/apart" }, { prefix: "/api/v1/apart", authenticated: true, atGateway: true }]
    const apart = probeDaemon("apart", { ownPort: true, routes })
    const table = rows([probeDaemon("one"), apart])
    assert.deepInclude(match(mounted(table), "/api/v1/apart/items"), { daemon: "apart", authenticated: true })
    for (const path of ["/apart/fast", "/api/v1/aparts", "/"]) assert.isUndefined(match(mounted(table), path), path)
    assert.match(text(table), /^\/api\/v1\/apart +apart +8199 +own address and gateway, credentials needed$/m)
    const [common, own] = nginx(table).split("server_name apart.example.org;")
    assert.include(common, "location ~ ^/api/v1/apart(/|$)")
    assert.include(own, "location ~ ^/ {")
    const other = probeDaemon("two", { routes: [{ prefix: "/api/v1/two" }, { prefix: "/api/v1/apart" }] })
    assert.include(problems([apart, other]).join("\n"), "apart and two both declare /api/v1/apart")
  })

  it("accepts daemons without conflicts", () => {
    assert.deepStrictEqual(problems(fleet), [])
    assert.deepStrictEqual(clashes(fleet), [])
  })

  it("names conflicts", () => {
    const wrong = (routes: ReadonlyArray<string>) =>
      problems([probeDaemon("one", { routes: routes.map((prefix) => ({ prefix })) })]).join("\n")
    assert.include(wrong(["/api/v1/one", "/health/x"]), "reserved for the gateway")
    assert.include(wrong(["/api/v1/one/"]), "not a path prefix")
    assert.include(wrong(["api/v1/one"]), "not a path prefix")
    const thief = probeDaemon("two", { routes: [{ prefix: "/api/v1/two" }, { prefix: "/api/v1/one" }] })
    assert.include(problems([probeDaemon("one"), thief]).join("\n"), "one and two both declare /api/v1/one")
    const deeper = probeDaemon("two", { routes: [{ prefix: "/api/v1/two" }, { prefix: "/api/v1/one/items" }] })
    assert.include(problems([probeDaemon("one"), deeper]).join("\n"), "one: /api/v1/one/items is answered by two")
    const twin = { ...probeDaemon("one"), name: "twin" }
    assert.includeMembers(
      [...clashes([probeDaemon("one"), twin])],
      ["one and twin both declare the group one items", "one and twin both declare POST /api/v1/one/items"]
    )
  })

  it("carries a route's longer bodies to nginx, there only", () => {
    const routes = [{ prefix: "/api/v1/one" }, { prefix: "/api/v1/one/open", maxBody: 5_000_000 }]
    const locations = nginx(rows([probeDaemon("one", { routes })]))
      .split("location ~ ")
      .slice(1)
      .map((part) => part.split("}", 1)[0]!)
    const longer = locations.filter((part) => part.includes("client_max_body_size 5000000;"))
    assert.strictEqual(longer.length, 1)
    assert.match(longer[0]!, /^\^\/api\/v1\/one\/open/)
  })

  it("prints for people and for programs", () => {
    const table = rows(fleet, (daemon) => (daemon.name === "one" ? 9001 : daemon.port))
    assert.match(text(table), /^PREFIX +DAEMON +PORT +NOTE$/m)
    assert.match(text(table), /^\/api\/v1\/one +one +9001 +credentials needed$/m)
    assert.match(text(table), /^\/apart +apart +8199 +own address$/m)
    assert.deepInclude(JSON.parse(json(table)), {
      prefix: "/one",
      rateLimited: true,
      daemon: "one",
      authenticated: false,
      port: 9001,
      ownPort: false
    })
  })
})
