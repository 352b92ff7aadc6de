/**
 * Telephones in browsers, with audio: sip.js in Chromium behind Caddy with TLS, the gateway and sip-config's `/sip`,
 * connected to Kamailio.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SessionState } from "sip.js"
import { readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as Baresip from "#support/sip/Baresip.ts"
import * as BrowserPhone from "#support/sip/BrowserPhone.ts"
import * as NodePhone from "#support/sip/NodePhone.ts"
import { placesOf, startSipPlace } from "#support/sip/SipPlace.ts"
import * as TlsFront from "#support/sip/TlsFront.ts"

const start = Effect.gen(function* () {
  const place = yield* startSipPlace({ extensions: ["1001", "1002", "1003", "1004", "1005"] })
  const front = yield* TlsFront.make(new URL(place.suite.base()).host, place.certificate)
  return { ...place, front, open: yield* BrowserPhone.make(front) }
})

/** Whether this machine has a network besides loopback, which baresip needs for ICE. */
const outward = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family, internal }) => family === "IPv4" && !internal)
)

/** Size of 0.1 s of telephone audio: 8,000 samples per second of two bytes. Unit: bytes. */
const aTenth = 1_600

class Place extends Context.Service<Place, Effect.Success<typeof start>>()("test/SipBrowser") {
  static readonly layer = Layer.effect(Place, start)
}

describePeers(
  ["kamailio", "baresip", "caddy", "chromium"],
  "sip.js in Chromium at Kamailio, through TLS and sip-config's WebSocket",
  () => {
    layer(Place.layer, { excludeTestServices: true })((it) => {
      it.effect(
        "two browsers call each other, both ways, and hear each other",
        () =>
          Effect.gen(function* () {
            const { account, kamailio, open, suite } = yield* Place
            const [one, two] = [yield* open(account("1001")), yield* open(account("1002"))]
            yield* Effect.all([one.register, two.register], { concurrency: 2 })
            for (const user of ["1001", "1002"]) {
              expect(yield* placesOf(kamailio, user)).toMatchObject([
                {
                  address: expect.stringMatching(/\.invalid;transport=ws$/),
                  received: expect.stringMatching(/;transport=ws$/)
                }
              ])
            }
            for (const [from, to, number] of [
              [one, two, "1002"],
              [two, one, "1001"]
            ] as const) {
              yield* from.call(number)
              yield* to.is("called")
              yield* to.answer
              yield* Effect.all([from.is("talking"), to.is("talking")])
              for (const each of [from, to]) {
                yield* until(
                  "sound arrives that is not silence",
                  Effect.map(each.heard, ({ energy, packets }) => packets > 20 && energy > 0),
                  30
                )
                // Browsers require encrypted media.
                expect(yield* each.remoteDescription).toMatch(/^a=fingerprint:sha-256 /m)
              }
              yield* (from === one ? from : to).hangUp
              yield* Effect.all([from.is("registered"), to.is("registered")])
            }
            const health = yield* suite.call("GET", "/health/sip-config")
            expect(health.json.components.sip_websocket).toMatchObject({
              connections: 2,
              login_refused: 0,
              malformed: 0,
              unreadable: 0,
              over_rate: 0
            })
            yield* Effect.all([one.leave, two.leave])
            yield* until(
              "their connections are closed",
              Effect.map(
                suite.call("GET", "/health/sip-config"),
                ({ json }) => json.components.sip_websocket.connections === 0
              ),
              30
            )
          }),
        120_000
      )

      it.effect(
        "a browser and sip.js in Node call each other, both over TLS",
        () =>
          Effect.gen(function* () {
            const { account, certificate, front, open } = yield* Place
            const browser = yield* open(account("1001"))
            const node = yield* NodePhone.make({
              ...account("1003"),
              server: `${front.replace("https", "wss")}/sip`,
              socket: { ca: readFileSync(certificate.authorityFile) }
            })
            yield* browser.register
            expect(yield* node.register).toBe(200)
            yield* browser.call("1003")
            yield* browser.is("talking")
            expect(node.calls).toMatchObject([{ other: "1001" }])
            yield* node.calls[0]!.hangUp
            yield* browser.is("registered")
            const [call] = yield* Effect.all(
              [node.call("1001"), Effect.andThen(browser.is("called"), browser.answer)],
              { concurrency: 2 }
            )
            if (typeof call === "number") throw new Error(`refused with ${call}`)
            yield* browser.hangUp
            yield* until(
              "the call is over",
              Effect.sync(() => call.state() === SessionState.Terminated),
              30
            )
          }),
        120_000
      )

      it.effect.skipIf(!outward)(
        "a browser and a telephone on TLS call each other, both ways, and hear each other",
        () =>
          Effect.gen(function* () {
            const { account, certificate, front, kamailio } = yield* Place
            const open = yield* BrowserPhone.make(front, false)
            const browser = yield* open(account("1004"))
            const telephone = yield* Baresip.make({
              account: account("1005"),
              transport: "tls",
              port: kamailio.tlsPort,
              authorityFile: certificate.authorityFile,
              browsers: true
            })
            yield* browser.register
            expect(yield* telephone.register).toBe(true)
            const talk = Effect.gen(function* () {
              const before = telephone.heardBytes()
              yield* until(
                "both hear",
                Effect.map(
                  browser.heard,
                  ({ energy, packets }) => packets > 20 && energy > 0 && telephone.heardBytes() > before + aTenth
                ),
                30
              )
            })
            yield* browser.call("1005")
            yield* browser.is("talking")
            yield* talk
            yield* browser.hangUp
            yield* telephone.told("CALL_CLOSED")
            yield* browser.is("registered")
            const [answered] = yield* Effect.all(
              [telephone.call("1004"), Effect.andThen(browser.is("called"), browser.answer)],
              { concurrency: 2 }
            )
            expect(answered).toBe(true)
            yield* browser.is("talking")
            yield* talk
            yield* telephone.hangUp
            yield* browser.is("registered")
          }),
        120_000
      )
    })
  }
)
