import { exitOf, isGateway, lines, probe, read } from "#core/cli/HealthProbe.ts"
import { Effect } from "effect"
import { expect, it } from "vitest"

it("reads a gateway's answer", () => {
  const seen = read("http://x", {
    status: "degraded",
    daemons: {
      a: { status: "ok" },
      b: {
        status: "degraded",
        components: { redis: { status: "degraded", detail: "away" }, old: { status: "unconfigured" } }
      }
    }
  })
  expect(seen).toEqual({
    status: "degraded",
    url: "http://x",
    daemons: { a: { status: "ok", detail: "" }, b: { status: "degraded", detail: "redis degraded: away" } }
  })
  expect(exitOf(seen)).toBe(1)
})

it("does not take a reverse proxy at the gateway's address for a gateway", () => {
  expect(isGateway({ status: "ok", daemons: {} })).toBe(true)
  for (const answer of [undefined, "", { type: "about:blank", status: 404, code: "not_found" }, { daemons: null }])
    expect(isGateway(answer)).toBe(false)
})

it("reads a daemon's answer and names degraded components", () => {
  const seen = read("http://x", {
    status: "down",
    daemon: "a",
    components: { database: { status: "down", detail: "does not answer" } },
    actors: [
      { name: "w", state: "running", stalled: false },
      { name: "l", state: "waiting", stalled: false, last_failure: { message: "refused" } }
    ]
  })
  expect(seen.daemons).toEqual({ a: { status: "down", detail: "database down: does not answer; l waiting: refused" } })
  expect(exitOf(seen)).toBe(2)
})

it.each([[undefined], ["text"], [[]], [null]])("treats %j as down", (answer) => {
  expect(exitOf(read("http://x", answer))).toBe(2)
  expect(lines(read("http://x", answer))[0]).toBe("down  no daemon answers at http://x")
})

it("says which address was asked and what to set when nothing answers", () => {
  const silent = { status: "down" as const, detail: "does not answer" }
  const [first, advice] = lines({ status: "down", url: "http://x:1", daemons: { a: silent, b: silent } })
  expect(first).toBe("down  no daemon answers at http://x:1, nor on the ports of the daemons")
  expect(advice).toMatch(/--url or SIGNALBOX_GATEWAY_PORT/)
  const one = lines({ status: "down", url: "http://x:1", daemons: { a: silent, b: { status: "ok", detail: "" } } })
  expect(one.map((line) => line.split(/ {2,}/)[0])).toEqual(["a", "b", "all"])
})

it("treats an unknown status as not ok", () => {
  expect(read("http://x", { status: "splendid", daemons: {} }).status).toBe("down")
})

it("treats a closed port as down", async () => {
  expect((await Effect.runPromise(probe("http://127.0.0.1:1/"))).status).toBe("down")
})
