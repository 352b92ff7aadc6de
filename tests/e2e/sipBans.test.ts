/**
 * Bans after wrong SIP passwords, detected in each way: at Kamailio through the WebSocket, by its 403 or its new
 * challenge, and by events of the event socket. An address is banned and announced once, however many attempts follow
 * the fifth.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, References } from "effect"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import * as NodePhone from "#support/sip/NodePhone.ts"
import { domain, startSipPlace } from "#support/sip/SipPlace.ts"
import { SwitchDouble } from "#support/switch/SwitchDouble.ts"

/** Number of attempts: the fifth causes the ban, the sixth and seventh must add nothing. */
const wrong = 7

/** Longest wait for a step. Unit: seconds. Reason: two loaded cores. */
const patience = 30

const place = Effect.fnUntraced(function* (wrongPassword: 401 | 403) {
  const double = yield* SwitchDouble.make({})
  const at = yield* startSipPlace({
    extensions: ["1001", "1002"],
    wrongPassword,
    env: {
      SIGNALBOX_SWITCH_HOST: "127.0.0.1",
      SIGNALBOX_SWITCH_PORT: String(double.port),
      SIGNALBOX_SWITCH_PASSWORD: double.password
    }
  })
  const { kamailio, suite, wsUrl } = at
  yield* until(
    "the event socket is followed",
    Effect.map(suite.call("GET", "/health/sip-config"), ({ json }) => json.components.telephone_switch.status === "ok"),
    patience
  )
  const bans = Effect.map(
    suite.sql<{
      address: string
      rule: string
    }>`select data->>'address' as address, data->>'rule' as rule from core.event
    where type = 'security.ban.added' order by id`,
    (rows) => rows.map(({ address, rule }) => `${address} ${rule}`)
  )
  return {
    ...at,
    bans,
    /** A phone on one lasting connection, because the gateway refuses new connections of a banned address. */
    phone: (address: string, password: string) =>
      NodePhone.make({
        ...at.account("1001"),
        password,
        server: wsUrl,
        socket: { headers: { "x-forwarded-for": address, "x-forwarded-proto": "https" } }
      }),
    /** FreeSWITCH's event for a wrong password (capture B77). */
    failure: (address: string) =>
      double.say("CUSTOM", {
        "Event-Subclass": "sofia::register_failure",
        "to-user": "1001",
        "to-host": domain,
        "network-ip": address,
        "user-agent": "phone",
        "registration-type": "REGISTER"
      }),
    refusedLogins: Effect.map(
      suite.call("GET", "/health/sip-config"),
      ({ json }) => json.components.sip_websocket.login_refused as number
    ),
    contacts: kamailio.contacts
  }
})

const quietly = Effect.provideService(References.MinimumLogLevel, "Fatal")
const times = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/**
 * Waits until all due bans are written. Bans are written in order, so a ban of a marker address proves that earlier
 * ones are complete. Returns our addresses' bans.
 */
const settled = ({ bans, failure }: BanPlace, ours: string, last: number) =>
  Effect.gen(function* () {
    for (const _ of times(5)) yield* failure(`192.0.2.${last}`)
    yield* until(
      `the mark ${last} is banned`,
      Effect.map(bans, (found) => found.includes(`192.0.2.${last} sip-brute-force`)),
      patience
    )
    return (yield* bans).filter((ban) => ban.startsWith(ours))
  })

type BanPlace = Effect.Success<ReturnType<typeof place>>

/** A site for each answer of the switch to a wrong password. */
class Places extends Context.Service<Places, { readonly 401: BanPlace; readonly 403: BanPlace }>()("test/SipBans") {
  static readonly layer = Layer.effect(
    Places,
    Effect.gen(function* () {
      return { 401: yield* place(401), 403: yield* place(403) }
    })
  )
}

describePeers(["kamailio"], "five wrong passwords", () => {
  layer(Places.layer, { excludeTestServices: true })((it) => {
    for (const status of [403, 401] as const) {
      it.effect(
        `at Kamailio that answers ${status}, through the WebSocket: one ban, told once, and neither the sixth nor the seventh adds one`,
        () =>
          Effect.gen(function* () {
            const at = (yield* Places)[status]
            const ours = "203.0.113."
            const guesser = yield* at.phone("203.0.113.9", "wrong")
            for (const turn of times(wrong)) {
              // A call with a wrong password counts too.
              if (turn === 3) expect(yield* guesser.call("1002")).toBe(407)
              else expect(yield* guesser.register).toBe(status)
              expect(yield* at.refusedLogins).toBe(turn)
              if (turn === 4) expect(yield* settled(at, ours, 1)).toEqual([])
              if (turn === 5)
                yield* until(
                  "it is banned",
                  Effect.map(at.bans, (found) => found.includes("203.0.113.9 sip-brute-force")),
                  patience
                )
            }
            expect(yield* settled(at, ours, 2)).toEqual(["203.0.113.9 sip-brute-force"])
            expect(yield* at.contacts).toEqual([])
            // A phone with the right password gets as many challenges, but is not banned.
            const owner = yield* at.phone("203.0.113.10", at.account("1001").password)
            for (const _ of times(wrong)) expect(yield* owner.register).toBe(200)
            expect(yield* at.refusedLogins).toBe(wrong)
            expect(yield* settled(at, ours, 3)).toEqual(["203.0.113.9 sip-brute-force"])
          }).pipe(quietly),
        120_000
      )
    }

    it.effect(
      "told over the event socket, and by both ways together: one ban for each address",
      () =>
        Effect.gen(function* () {
          const at = (yield* Places)[403]
          const ours = "198.51.100."
          for (const _ of times(wrong)) yield* at.failure("198.51.100.1")
          expect(yield* settled(at, ours, 4)).toEqual(["198.51.100.1 sip-brute-force"])
          // Three events and two WebSocket attempts count together, because the address is the same.
          for (const _ of times(3)) yield* at.failure("198.51.100.2")
          const guesser = yield* at.phone("198.51.100.2", "wrong")
          expect(yield* guesser.register).toBe(403)
          expect(yield* settled(at, ours, 5)).toEqual(["198.51.100.1 sip-brute-force"])
          for (const _ of times(3)) expect(yield* guesser.register).toBe(403)
          expect(yield* settled(at, ours, 6)).toEqual(["198.51.100.1 sip-brute-force", "198.51.100.2 sip-brute-force"])
        }).pipe(quietly),
      120_000
    )
  })
})
