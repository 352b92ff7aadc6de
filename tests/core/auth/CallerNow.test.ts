import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import type { CallerInfo } from "#core/auth/Caller.ts"
import * as CallerNow from "#core/auth/CallerNow.ts"
import { ServiceTokens } from "#core/auth/ServiceTokens.ts"
import { hashOf } from "#core/auth/ServiceTokenStore.ts"
import { Standing } from "#core/auth/Standing.ts"
import { fakeUsers } from "#support/FakeUsers.ts"

let fresh = true

const callerNow = Effect.runSync(
  CallerNow.make.pipe(
    Effect.provide(
      Layer.mergeAll(
        fakeUsers,
        Layer.succeed(Standing, { fresh: () => fresh } as Standing["Service"]),
        Layer.succeed(ServiceTokens, {
          findNow: (hash) =>
            hash === hashOf("good") ? { id: 3, name: "n", scopes: new Set(["webmail.use"]) } : undefined
        } as ServiceTokens["Service"])
      )
    )
  )
)

const nameOf = (caller: CallerInfo | undefined) =>
  caller === undefined ? undefined : caller.kind === "service" ? `service ${caller.tokenId}` : `user ${caller.userId}`

test("a caller is known by either kind of token, if the endpoint admits the caller", () => {
  const user = "Bearer user:7:webmail.use"
  const asked = (headers: Parameters<typeof callerNow>[0]) => nameOf(callerNow(headers, "webmail.use"))
  expect(asked({ "x-service-token": "good" })).toBe("service 3")
  expect(asked({ authorization: user })).toBe("user 70")
  // A service token takes precedence over a bearer token. An empty service token counts as missing.
  expect(asked({ "x-service-token": "good", authorization: user })).toBe("service 3")
  expect(asked({ "x-service-token": "", authorization: user })).toBe("user 70")
  for (const headers of [
    {},
    { "x-service-token": "bad" },
    { authorization: "Basic user:7:*" },
    { authorization: "Bearer nobody" },
    { authorization: "Bearer user:7:users.read" }
  ]) {
    expect(asked(headers)).toBeUndefined()
  }
  expect(callerNow({ "x-service-token": "good" }, "users.read")).toBeUndefined()
})

test("nobody is admitted while the projection is stale", () => {
  fresh = false
  expect(
    [{ "x-service-token": "good" }, { authorization: "Bearer user:7:*" }].map((headers) =>
      callerNow(headers, "webmail.use")
    )
  ).toEqual([undefined, undefined])
})
