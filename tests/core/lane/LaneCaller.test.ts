import type { IncomingMessage } from "node:http"
import { describe, expect, it } from "vitest"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import * as LaneCaller from "#core/lane/LaneCaller.ts"

const basic = (password: string) => `Basic ${Buffer.from(`dovecot:${password}`).toString("base64")}`

const request = (...rawHeaders: ReadonlyArray<string>) =>
  ({ rawHeaders, headers: {}, socket: { remoteAddress: "192.0.2.7" } }) as unknown as IncomingMessage

/** A caller that knows the tokens in `known`. `comparisons`: results of the comparisons with Postgres, in turn. */
const caller = (
  known: Map<string, ReadonlyArray<string>>,
  comparisons: Array<() => boolean> = [],
  ranges?: ReadonlyArray<string>
) => {
  const compare = () => Promise.resolve(comparisons.shift()?.() ?? true)
  const make = LaneCaller.make as (options: object) => LaneCaller.LaneCaller
  return make({
    scope: "switch",
    ...(ranges === undefined ? {} : { ranges }),
    tokens: {
      findNow: (hash: string) => {
        const scopes = known.get(hash)
        return scopes === undefined ? undefined : { id: 1, name: "switch", scopes: new Set(scopes) }
      }
    },
    standing: { ensurePromise: compare, refreshPromise: compare }
  })
}

describe("the token of a request", () => {
  const { tokenBeside, tokenOf } = caller(new Map())

  it("is x-service-token or the password of Basic, whatever the case of the name", () => {
    for (let turn = 0; turn < 2; turn += 1) {
      expect(tokenOf(request("X-Service-Token", "secret"))).toBe(hashOf("secret"))
      expect(tokenOf(request("authorization", basic("secret")))).toBe(hashOf("secret"))
      expect(tokenOf(request("Host", "x", "AUTHORIZATION", basic("other")))).toBe(hashOf("other"))
    }
  })

  it("is absent without a header, with an empty one, and with another scheme", () => {
    expect(tokenOf(request("host", "x"))).toBeUndefined()
    expect(tokenOf(request("x-service-token", ""))).toBeUndefined()
    expect(tokenOf(request("authorization", "Bearer secret"))).toBeUndefined()
  })

  it("is absent with two headers, so that no client chooses which one counts", () => {
    expect(tokenOf(request("x-service-token", "a", "authorization", basic("a")))).toBeUndefined()
    expect(tokenOf(request("x-service-token", "a", "x-service-token", "b"))).toBeUndefined()
  })

  it("does not confuse the two headers", () => {
    expect(tokenOf(request("x-service-token", basic("secret")))).toBe(hashOf(basic("secret")))
    expect(tokenOf(request("authorization", basic("secret")))).toBe(hashOf("secret"))
  })

  it("may stand in a form field, and must agree with the headers", () => {
    expect(tokenBeside(request("host", "x"), "secret")).toBe(hashOf("secret"))
    expect(tokenBeside(request("authorization", basic("secret")), "secret")).toBe(hashOf("secret"))
    expect(tokenBeside(request("authorization", basic("secret")), undefined)).toBe(hashOf("secret"))
    expect(tokenBeside(request("authorization", "Bearer other"), "secret")).toBe(hashOf("secret"))
    expect(tokenBeside(request("authorization", basic("other")), "secret")).toBeUndefined()
    expect(tokenBeside(request("x-service-token", "a", "authorization", basic("b")), undefined)).toBeUndefined()
    expect(tokenBeside(request("host", "x"), undefined)).toBeUndefined()
  })
})

describe("admission", () => {
  it("accepts the scope or platform", () => {
    const { mayAsk } = caller(
      new Map([
        ["a", ["switch"]],
        ["b", ["platform"]],
        ["c", ["introspection"]]
      ])
    )
    expect(["a", "b", "c", "d"].map(mayAsk)).toEqual([true, true, false, false])
  })

  it("finds a token after the second comparison", async () => {
    const known = new Map<string, ReadonlyArray<string>>()
    const learn = () => {
      known.set("new", ["switch"])
      return true
    }
    expect(await caller(known, [() => true, learn]).mayAskSoon("new")).toBe("yes")
  })

  it("is no after two comparisons, and unknown when one fails", async () => {
    expect(await caller(new Map(), [() => true, () => true]).mayAskSoon("x")).toBe("no")
    expect(await caller(new Map(), [() => false]).mayAskSoon("x")).toBe("unknown")
    expect(await caller(new Map(), [() => true, () => false]).mayAskSoon("x")).toBe("unknown")
  })

  it("needs an address within the ranges, if there are any", () => {
    expect(caller(new Map(), [], ["192.0.2.0/24"]).isNear(request())).toBe(true)
    expect(caller(new Map(), [], ["198.51.100.0/24"]).isNear(request())).toBe(false)
    expect(caller(new Map()).isNear(request())).toBe(true)
  })
})
