/**
 * Telephones over WebSocket, without audio: sip.js in Node, through Caddy with TLS, the gateway and sip-config's
 * `/sip`, connected to Kamailio.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { SessionState } from "sip.js"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as NodePhone from "#support/sip/NodePhone.ts"
import { placesOf, startSipPlace } from "#support/sip/SipPlace.ts"
import * as Sipp from "#support/sip/Sipp.ts"
import * as Scenarios from "#support/sip/SippScenarios.ts"
import * as TlsFront from "#support/sip/TlsFront.ts"

const start = Effect.gen(function* () {
  const place = yield* startSipPlace({ extensions: ["1001", "1002", "1003", "1004", "1005"] })
  const front = yield* TlsFront.make(new URL(place.suite.base()).host, place.certificate)
  return { ...place, server: `${front.replace("https", "wss")}/sip`, ca: readFileSync(place.certificate.authorityFile) }
})

class Place extends Context.Service<Place, Effect.Success<typeof start>>()("test/SipProxy") {
  static readonly layer = Layer.effect(Place, start)
}

const phone = Effect.fnUntraced(function* (user: string, changed: Partial<NodePhone.NodePhoneOptions> = {}) {
  const { account, ca, server } = yield* Place
  return yield* NodePhone.make({ ...account(user), server, socket: { ca }, ...changed })
})

const ended = (call: NodePhone.NodeCall) =>
  until(
    "the call is over",
    Effect.sync(() => call.state() === SessionState.Terminated),
    30
  )

describePeers(["kamailio", "sipp", "caddy"], "sip.js at Kamailio, through sip-config's WebSocket", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "registers by the extension's password and nobody else's, again, and lets go",
      () =>
        Effect.gen(function* () {
          const { account, kamailio, suite } = yield* Place
          const one = yield* phone("1003")
          expect(yield* one.register).toBe(200)
          expect(yield* placesOf(kamailio, "1003")).toMatchObject([
            {
              address: expect.stringMatching(/\.invalid;transport=ws$/),
              received: expect.stringMatching(/;transport=ws$/)
            }
          ])
          expect(
            yield* Effect.flatMap(phone("1003", { password: account("1004").password }), ({ register }) => register)
          ).toBe(403)
          expect(yield* Effect.flatMap(phone("1003", { user: "1099" }), ({ register }) => register)).toBe(403)
          // Registers again. sip.js requires its own Contact in the answer.
          expect(yield* one.register).toBe(200)
          yield* one.unregister
          expect(yield* placesOf(kamailio, "1003")).toEqual([])
          const health = yield* suite.call("GET", "/health/sip-config")
          expect(health.json.components.sip_websocket).toMatchObject({
            status: "ok",
            login_refused: 2,
            malformed: 0,
            unreadable: 0,
            over_rate: 0
          })
        }),
      120_000
    )

    it.effect(
      "calls and is called, and either side hangs up; nobody's number is 404",
      () =>
        Effect.gen(function* () {
          const [one, two] = [yield* phone("1001"), yield* phone("1002")]
          expect([yield* one.register, yield* two.register]).toEqual([200, 200])
          for (const [from, to, callee] of [
            [one, two, "1002"],
            [two, one, "1001"],
            [one, two, "1002"]
          ] as const) {
            const before = to.calls.length
            const call = yield* from.call(callee)
            if (typeof call === "number") throw new Error(`refused with ${call}`)
            const answered = to.calls[before]!
            expect(call.heard()).toContain("a=setup:active")
            expect(answered.heard()).toContain("a=setup:actpass")
            yield* (before === 0 ? call : answered).hangUp
            yield* Effect.all([ended(call), ended(answered)])
          }
          expect(yield* one.call("1999")).toBe(404)
          expect(yield* one.call("1005")).toBe(480)
          // The failed calls left nothing behind: the phone can call again.
          expect(yield* one.call("1002")).toMatchObject({ other: "1002" })
        }),
      120_000
    )

    it.effect(
      "is WS at the switch, and what it wrote to the client: its Via, its Contact, the address it is called at",
      () =>
        Effect.gen(function* () {
          const { kamailio } = yield* Place
          const [one, two] = [yield* phone("1001", { contactTransport: "wss" }), yield* phone("1002")]
          expect([yield* one.register, yield* two.register]).toEqual([200, 200])
          expect(yield* placesOf(kamailio, "1001")).toContainEqual(
            expect.objectContaining({ address: expect.stringMatching(/\.invalid;transport=ws$/) })
          )
          const registered = one.heard.at(-1)!
          expect(registered).toMatch(/^SIP\/2\.0 200 /)
          expect(registered).toMatch(/^X-Switch-Saw: SIP\/2\.0\/WS [^ ]+\.invalid;/m)
          expect(registered).toMatch(/^Via: SIP\/2\.0\/WSS [^ ]+\.invalid;.*;received=127\.0\.0\.1\r?$/m)
          expect(registered).toMatch(/^Contact: <sip:[^>]*\.invalid;transport=wss>/m)
          const call = yield* two.call("1001")
          if (typeof call === "number") throw new Error(`refused with ${call}`)
          const invite = one.heard.find((text) => text.startsWith("INVITE "))!
          expect(invite).toMatch(/^INVITE sip:[^ ]*\.invalid;transport=wss SIP/)
          expect(invite).toMatch(/^Record-Route: <sip:127\.0\.0\.1:\d+;transport=wss;/m)
          yield* one.calls[0]!.hangUp
          yield* ended(call)
        }),
      120_000
    )

    it.effect(
      "calls a telephone on UDP, and is called by it",
      () =>
        Effect.gen(function* () {
          const { account, kamailio } = yield* Place
          const one = yield* phone("1003")
          expect(yield* one.register).toBe(200)
          const other = { port: kamailio.udpPort, localPort: yield* freePort, accounts: [account("1004")] }
          const right = ({ errors, right }: Sipp.SippResult) => expect(right, errors).toBe(true)
          right(yield* Sipp.run({ ...other, scenario: Scenarios.register(200) }))
          right(yield* Sipp.run({ ...other, scenario: Scenarios.call, callee: "1003" }))
          yield* until(
            "it was called",
            Effect.sync(() => one.calls[0]?.state() === SessionState.Terminated),
            30
          )
          const called = yield* Effect.forkChild(Sipp.run({ ...other, scenario: Scenarios.answers }))
          const call = yield* one.call("1004")
          if (typeof call === "number") throw new Error(`refused with ${call}`)
          yield* call.hangUp
          right(yield* Fiber.join(called))
        }),
      120_000
    )
  })
})
