/** SIP over WebSocket as the daemon serves it, behind the gateway. The client is sip.js without audio. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Registerer, RegistererState, UserAgent } from "sip.js"
import WebSocket from "ws"
import { until } from "#support/Frame.ts"
import { SipSwitch } from "#support/switch/SipSwitch.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { startTelephony } from "../Telephony.ts"

class Place extends Context.Service<Place, TestSuite & { readonly theSwitch: SipSwitch }>()("test/Place") {
  static readonly layer = Layer.effect(
    Place,
    Effect.gen(function* () {
      const theSwitch = yield* Effect.acquireRelease(
        Effect.promise(() => SipSwitch.start()),
        (one) => Effect.promise(() => one.stop())
      )
      return { ...(yield* startTelephony({ gateway: true, env: { SIGNALBOX_SIP_WS_URL: theSwitch.url } })), theSwitch }
    })
  )
}

// sip.js is written for browsers and takes WebSocket and timers from the global object.
Object.assign(globalThis, { WebSocket })

const agent = (base: string, password: string) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new UserAgent({
          uri: UserAgent.makeURI("sip:1001@lab.example")!,
          authorizationUsername: "1001",
          authorizationPassword: password,
          transportOptions: { server: `${base.replace("http", "ws")}/sip` },
          sessionDescriptionHandlerFactory: () => {
            throw new Error("signalling only")
          },
          logBuiltinEnabled: false
        })
    ),
    (one) => Effect.promise(() => one.stop())
  )

describe("SIP over WebSocket, through the gateway", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "registers sip.js and lets it go",
      () =>
        Effect.gen(function* () {
          const { base, call, theSwitch } = yield* Place
          const one = yield* agent(base(), "secret")
          yield* Effect.promise(() => one.start())
          const registerer = new Registerer(one)
          yield* Effect.promise(() => registerer.register())
          yield* until(
            "it is registered",
            Effect.sync(() => registerer.state === RegistererState.Registered)
          )
          assert.match(theSwitch.heard.at(-1)!, /^REGISTER sip:lab\.example SIP\/2\.0\r\nVia: SIP\/2\.0\/WS /)
          const health = yield* call("GET", "/health/sip-config")
          assert.deepInclude(health.json.components.sip_websocket, { status: "ok", connections: 1 })
          yield* Effect.promise(() => one.stop())
          yield* until(
            "the switch's connection is closed",
            Effect.sync(() => theSwitch.closed.length === 1)
          )
        }),
      120_000
    )

    it.effect(
      "answers what is no upgrade by a problem",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Place
          assert.strictEqual((yield* call("GET", "/sip")).status, 404)
        }),
      120_000
    )
  })
})
