/** What the EBICS client does with banks that are no banks. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { Environment } from "#core/config/Environment.ts"
import { BankClient, bankClient } from "#daemons/bank-fetcher/accounts/BankClient.ts"
import { maxMessage } from "#protocols/ebics/Limits.ts"
import { bankEnv, bankTls } from "#support/bank/BankTls.ts"
import { HttpDouble, type Incoming } from "#support/HttpDouble.ts"

interface Site {
  readonly url: string
  readonly requests: Array<Incoming>
  readonly post: (path: string, allow?: string) => Effect.Effect<string>
}

class Server extends Context.Service<Server, Site>()("test/Server") {
  static readonly layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const requests: Array<Incoming> = []
      const double = new HttpDouble(
        (incoming) => {
          requests.push(incoming)
          const { request, response } = incoming
          if (request.url === "/redirect") return void response.writeHead(307, { location: "/answer" }).end()
          if (request.url === "/large") return void response.end(Buffer.alloc(maxMessage + 1))
          if (request.url === "/error") return void response.writeHead(503).end("<html>")
          response.end("<answer/>")
        },
        yield* bankTls
      )
      const url = yield* Effect.acquireRelease(
        Effect.promise(() => double.start()),
        () => Effect.promise(() => double.stop())
      )
      const post = (path: string, allow = bankEnv.SIGNALBOX_BANK_ALLOW_CIDRS) =>
        Effect.flatMap(BankClient, (client) => Effect.result(client.post(path, "<request/>"))).pipe(
          Effect.map((result) =>
            Result.isSuccess(result)
              ? Buffer.from(result.success).toString()
              : `${result.failure.detail} ${result.failure.sent ? "sent" : "not sent"}`
          ),
          Effect.provide(bankClient),
          Effect.provideService(Environment, { SIGNALBOX_BANK_ALLOW_CIDRS: allow }),
          Effect.orDie
        )
      return { url, requests, post }
    })
  )
}

describe("the EBICS client", () => {
  layer(Server.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "sends XML over verified TLS, follows no redirect, and bounds the answer",
      Effect.fnUntraced(function* () {
        const { post, requests, url } = yield* Server
        expect(yield* post(`${url}/answer`)).toBe("<answer/>")
        expect(requests[0]).toMatchObject({ body: "<request/>", request: { method: "POST" } })
        expect(requests[0]!.request.headers["content-type"]).toBe("text/xml; charset=UTF-8")
        const before = requests.length
        expect(yield* post(`${url}/redirect`)).toBe("the bank answered with HTTP status 307 sent")
        expect(yield* post(`${url}/error`)).toBe("the bank answered with HTTP status 503 sent")
        expect(yield* post(`${url}/large`)).toBe(`the answer has more than ${maxMessage} bytes sent`)
        expect(requests.slice(before).map(({ request }) => request.url)).toEqual(["/redirect", "/error", "/large"])
      })
    )

    it.effect(
      "sends nothing to private addresses, and nothing before the certificate is verified",
      Effect.fnUntraced(function* () {
        const { post, requests, url } = yield* Server
        const before = requests.length
        expect(yield* post(`${url}/answer`, "10.0.0.0/8")).toContain("is not public (loopback) not sent")
        // The certificate is for 127.0.0.1 only.
        expect(yield* post(`${url.replace("127.0.0.1", "127.0.0.2")}/answer`, "127.0.0.0/8")).toMatch(/not sent$/)
        expect(yield* post(`${url.replace("127.0.0.1", "localhost")}/answer`, "127.0.0.0/8,::1/128")).toMatch(
          /TLS failed .* not sent$/
        )
        expect(requests.length).toBe(before)
      })
    )
  })
})
