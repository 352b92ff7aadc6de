import { it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { expect } from "vitest"
import { anyNetwork } from "#core/http/AddressGuard.ts"
import { OutboundHttp, type OutboundRequest } from "#core/http/OutboundHttp.ts"
import { probe } from "#core/probes/Http.ts"

/** Probes a server that redirects once to `inside.test`. Returns the requests. */
const requestsTo = (isPublic: boolean) =>
  Effect.gen(function* () {
    const requests: Array<OutboundRequest> = []
    const http = OutboundHttp.of({
      request: (request) => {
        requests.push(request)
        return Effect.succeed(
          requests.length === 1
            ? {
                status: 302,
                headers: { location: "http://inside.test/" },
                body: Buffer.of(),
                truncated: false,
                isPublic
              }
            : { status: 200, headers: {}, body: Buffer.of(), truncated: false, isPublic: false }
        )
      }
    })
    const target = { url: "http://outside.test/", expect: null, contains: null }
    expect((yield* probe(http, target, Duration.seconds(5))).outcome).toBe("up")
    return requests.map(({ allowCidrs, url }) => ({ url, networks: allowCidrs }))
  })

it.effect("a public server leads to public addresses only, and a private one to any", () =>
  Effect.gen(function* () {
    const [first, second] = yield* requestsTo(true)
    expect(first).toEqual({ url: "http://outside.test/", networks: anyNetwork })
    expect(second).toEqual({ url: "http://inside.test/", networks: [] })
    expect((yield* requestsTo(false))[1]).toEqual({ url: "http://inside.test/", networks: anyNetwork })
  })
)
