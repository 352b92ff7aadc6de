import { it } from "@effect/vitest"
import { Effect, Redacted, Result, type Scope } from "effect"
import { ImapFlow } from "imapflow"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "vitest"
import { type AuthPolicyAnswer, encode } from "#protocols/dovecot-auth-policy/AuthPolicyAnswer.ts"
import { type AuthPolicyRequest, decode } from "#protocols/dovecot-auth-policy/AuthPolicyRequest.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Dovecot from "#support/peers/Dovecot.ts"
import { poll } from "#support/peers/Loopback.ts"

interface Stub {
  readonly url: string
  readonly heard: Array<AuthPolicyRequest>
}

/** A policy server that decodes requests and answers with `answer`. */
const stub = (answer: (request: AuthPolicyRequest) => AuthPolicyAnswer): Effect.Effect<Stub, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<Stub & { readonly close: () => void }>((resolve) => {
            const heard: Array<AuthPolicyRequest> = []
            const server = createServer((request, response) => {
              const parts: Array<Buffer> = []
              request.on("data", (part: Buffer) => parts.push(part))
              request.on("end", () => {
                const read = decode(
                  new URL(request.url ?? "", "http://stub").searchParams.get("command"),
                  Buffer.concat(parts)
                )
                if (Result.isFailure(read)) return void response.writeHead(422).end(read.failure.message)
                heard.push(read.success)
                response
                  .setHeader("content-type", "application/json")
                  .end(Result.getOrThrow(encode(answer(read.success))))
              })
            })
            server.listen(0, "127.0.0.1", () =>
              resolve({
                url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/policy`,
                heard,
                close: () => {
                  server.close()
                  server.closeAllConnections()
                }
              })
            )
          })
      ),
      ({ close }) => Effect.sync(close)
    ),
    ({ heard, url }) => ({ heard, url })
  )

/** `in`, or the server's text of the refusal. */
const signIn = (server: Dovecot.Dovecot, user: string, pass: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: server.imapPort,
      secure: false,
      doSTARTTLS: false,
      auth: { user, pass },
      logger: false
    })
    client.on("error", () => {})
    try {
      await client.connect()
      return "in"
    } catch (error) {
      return String((error as { responseText?: unknown }).responseText)
    } finally {
      client.close()
    }
  })

const user = { address: "a@example.test", password: "secret" }
const blocked = { address: "blocked@example.test", password: "secret" }

for (const [peer, version] of [
  ["dovecot", "2.3"],
  ["dovecot24", "2.4"]
] as const) {
  describePeers([peer], `the policy requests of Dovecot ${version}`, () => {
    it.live(
      "tell who, from where, and how it ended; a refusal of ours counts and is told apart",
      () =>
        Effect.gen(function* () {
          const { heard, url } = yield* stub((request) =>
            request.login === blocked.address ? { _tag: "Refuse", message: "try tomorrow" } : { _tag: "Allow" }
          )
          const dovecot = yield* Dovecot.make({
            version,
            users: [user, blocked],
            settings: [`auth_policy_server_url = ${url}`, "auth_policy_hash_nonce = a-random-text"]
          })
          const told = () =>
            heard
              .splice(0)
              .map((each) =>
                [each.command, ...(each.command === "report" ? [each.success, each.policyReject] : [])].join(" ")
              )
          const from = { remote: "127.0.0.1", protocol: "imap", tls: false }

          // The client may get its answer before the report arrives.
          const reported = (count: number) =>
            Effect.promise(() =>
              poll(
                async () => (heard.filter(({ command }) => command === "report").length >= count ? true : undefined),
                10_000
              )
            )

          expect(yield* signIn(dovecot, user.address, "secret")).toBe("in")
          yield* reported(1)
          expect(heard.at(-1)).toMatchObject({ ...from, login: user.address, success: true, failType: undefined })
          expect(told()).toEqual(["allow", "allow", "report true false"])

          for (let time = 0; time < 5; time++) {
            yield* signIn(dovecot, user.address, `wrong${time}`)
            yield* reported(time + 1)
          }
          const failures = heard.filter((each) => each.command === "report")
          for (const each of failures) {
            expect(each).toMatchObject({
              ...from,
              login: user.address,
              success: false,
              policyReject: false,
              failType: version === "2.4" ? "credentials" : undefined
            })
          }
          // Five guesses have five hashes: Dovecot's cache of failures suppresses none of them.
          expect(new Set(failures.map(({ passwordHash }) => passwordHash && Redacted.value(passwordHash))).size).toBe(5)
          expect(told()).toEqual(Array.from({ length: 5 }, () => ["allow", "report false false"]).flat())

          expect(yield* signIn(dovecot, blocked.address, "secret")).toContain("try tomorrow")
          yield* reported(1)
          expect(told()).toEqual(["allow", "report false true"])
        }),
      120_000
    )

    it.live(
      "do not keep anybody out when the server is gone",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Effect.scoped(stub(() => ({ _tag: "Allow" })))
          const dovecot = yield* Dovecot.make({
            version,
            users: [user],
            settings: [`auth_policy_server_url = ${url}`, "auth_policy_hash_nonce = a-random-text"]
          })
          expect(yield* signIn(dovecot, user.address, "secret")).toBe("in")
        }),
      120_000
    )
  })
}
