/**
 * Telephones at a switch: sipp and baresip register with Kamailio and call each other over UDP and TLS. Kamailio gets
 * passwords (a1-hash) and call routes from sip-config.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { expect } from "vitest"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Baresip from "#support/sip/Baresip.ts"
import { type Account, domain, placesOf, startSipPlace } from "#support/sip/SipPlace.ts"
import * as Sipp from "#support/sip/Sipp.ts"
import * as Scenarios from "#support/sip/SippScenarios.ts"
import * as TlsRelay from "#support/sip/TlsRelay.ts"

/** Number of registrations, and of calls in each direction. */
const many = process.env["SIGNALBOX_TEST_LONG"] === "1" ? 200 : 10

/** Extensions that only register, and extensions that call. Each test uses its own. */
const registering = ["1021", "1022", "1023", "1024"]
const calling = [
  "1001",
  "1002",
  "1003",
  "1004",
  "1005",
  "1006",
  "1007",
  "1008",
  "1009",
  "1010",
  "1011",
  "1012",
  "1013",
  "1014",
  "1015"
]

class Place extends Context.Service<Place, Effect.Success<ReturnType<typeof startSipPlace>>>()("test/SipPhones") {
  static readonly layer = Layer.effect(Place, startSipPlace({ extensions: [...registering, ...calling] }))
}

/** Size of 0.1 s of telephone audio: 8,000 samples per second of two bytes. Unit: bytes. */
const aTenth = 1_600

/** Runs sipp as one telephone with a fixed port. */
const sipp = Effect.fnUntraced(function* (user: string) {
  const { account, kamailio } = yield* Place
  const mine = { port: kamailio.udpPort, localPort: yield* freePort, accounts: [account(user)] }
  return (scenario: string, more: Partial<Sipp.SippRun> = {}) => Sipp.run({ ...mine, scenario, ...more })
})

/** The same over TLS, which Debian's sipp lacks: a relay keeps the telephone's single connection to the switch. */
const sippByTls = Effect.fnUntraced(function* (user: string) {
  const { account, certificate, kamailio } = yield* Place
  const localPort = yield* freePort
  const port = yield* TlsRelay.make({
    port: kamailio.tlsPort,
    authorityFile: certificate.authorityFile,
    phonePort: localPort
  })
  return (scenario: string, more: Partial<Sipp.SippRun> = {}) =>
    Sipp.run({ port, localPort, transport: "tcp", accounts: [account(user)], scenario, ...more })
})

const right = (result: Sipp.SippResult) => expect(result.right, result.errors).toBe(true)

const baresip = Effect.fnUntraced(function* (account: Account, transport: "udp" | "tls") {
  const { certificate, kamailio } = yield* Place
  return yield* Baresip.make({
    account,
    transport,
    port: transport === "tls" ? kamailio.tlsPort : kamailio.udpPort,
    authorityFile: certificate.authorityFile
  })
})

describePeers(["kamailio", "sipp", "baresip"], "telephones at Kamailio, whose passwords are sip-config's", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      `sipp registers ${many} times over UDP, each with its own extension's password`,
      () =>
        Effect.gen(function* () {
          const { account, kamailio } = yield* Place
          const one = yield* sipp("1021")
          right(yield* one(Scenarios.register(200), { accounts: registering.map(account), times: many }))
          for (const number of registering)
            expect(yield* placesOf(kamailio, number)).toMatchObject([
              { userAgent: "sipp", received: expect.not.stringContaining("transport") }
            ])
        }),
      120_000
    )

    it.effect(
      "refuses who does not know the password or only the old one, who is nobody, and whose extension is switched off",
      () =>
        Effect.gen(function* () {
          const { account, change, kamailio, renew } = yield* Place
          const one = yield* sipp("1006")
          const wrong = { ...account("1006"), password: account("1005").password }
          right(yield* one(Scenarios.register(403), { accounts: [wrong] }))
          right(yield* one(Scenarios.register(403), { accounts: [{ ...account("1006"), user: "1099" }] }))
          right(yield* one(Scenarios.refusedCall(407), { accounts: [wrong], callee: "1001" }))
          yield* change("1006", { enabled: false })
          right(yield* one(Scenarios.register(403)))
          yield* change("1006", { enabled: true })
          right(yield* one(Scenarios.register(200)))
          const old = account("1006")
          yield* renew("1006")
          right(yield* one(Scenarios.register(403), { accounts: [old] }))
          right(yield* one(Scenarios.register(200), { accounts: [account("1006")] }))
          expect(yield* placesOf(kamailio, "1099")).toEqual([])
        }),
      120_000
    )

    it.effect(
      `sipp calls sipp ${many} times over UDP, both ways, and nobody's number is 404`,
      () =>
        Effect.gen(function* () {
          const [one, two] = [yield* sipp("1001"), yield* sipp("1002")]
          for (const each of [one, two]) right(yield* each(Scenarios.register(200)))
          for (const [from, to, callee] of [
            [one, two, "1002"],
            [two, one, "1001"]
          ] as const) {
            const called = yield* Effect.forkChild(to(Scenarios.answers, { times: many }))
            right(yield* from(Scenarios.call, { callee, times: many }))
            right(yield* Fiber.join(called))
          }
          right(yield* one(Scenarios.refusedCall(404), { callee: "1999" }))
        }),
      150_000
    )

    it.effect(
      "baresip registers over UDP and over TLS, and both call and hear each other",
      () =>
        Effect.gen(function* () {
          const { account, kamailio } = yield* Place
          const one = yield* baresip(account("1003"), "udp")
          const two = yield* baresip(account("1004"), "tls")
          const other = yield* baresip({ ...account("1004"), password: "wrong" }, "tls")
          expect([yield* one.register, yield* two.register, yield* other.register]).toEqual([true, true, false])
          expect(yield* placesOf(kamailio, "1004")).toMatchObject([
            {
              received: expect.stringMatching(/^sip:127\.0\.0\.1:\d+;transport=tls$/),
              userAgent: expect.stringContaining("baresip")
            }
          ])
          for (const [from, to, number] of [
            [one, two, "1004"],
            [two, one, "1003"]
          ] as const) {
            const before = [from.heardBytes(), to.heardBytes()]
            expect(yield* from.call(number)).toBe(true)
            expect((yield* to.told("CALL_ESTABLISHED")).peeruri).toMatch(
              new RegExp(`@${domain.replaceAll(".", "\\.")}`)
            )
            yield* until(
              "both hear",
              Effect.sync(() => from.heardBytes() > before[0]! + aTenth && to.heardBytes() > before[1]! + aTenth),
              30
            )
            yield* from.hangUp
            yield* to.told("CALL_CLOSED")
          }
          expect(yield* one.call("1999")).toBe(false)
        }),
      120_000
    )

    it.effect(
      `sipp registers over TLS, and calls and is called ${many} times, from TLS to UDP, from UDP to TLS and from TLS to TLS`,
      () =>
        Effect.gen(function* () {
          const { account, kamailio } = yield* Place
          const [one, two, three] = [yield* sippByTls("1011"), yield* sippByTls("1012"), yield* sipp("1013")]
          const wrong = { ...account("1011"), password: account("1012").password }
          right(yield* one(Scenarios.register(403), { accounts: [wrong] }))
          expect(yield* placesOf(kamailio, "1011")).toEqual([])
          right(yield* one(Scenarios.register(200), { times: many }))
          for (const each of [two, three]) right(yield* each(Scenarios.register(200)))
          for (const number of ["1011", "1012"]) {
            expect(yield* placesOf(kamailio, number)).toMatchObject([
              { userAgent: "sipp", received: expect.stringMatching(/^sip:127\.0\.0\.1:\d+;transport=tls$/) }
            ])
          }
          for (const [from, to, callee] of [
            [one, three, "1013"],
            [three, one, "1011"],
            [one, two, "1012"],
            [two, one, "1011"]
          ] as const) {
            const called = yield* Effect.forkChild(to(Scenarios.answers, { times: many }))
            right(yield* from(Scenarios.call, { callee, times: many }))
            right(yield* Fiber.join(called))
          }
        }),
      150_000
    )

    for (const [by, made, number, callee] of [
      ["UDP", sipp, "1007", "1005"],
      ["TLS", sippByTls, "1014", "1015"]
    ] as const) {
      it.effect(
        `sipp over ${by} and baresip over TLS call each other`,
        () =>
          Effect.gen(function* () {
            const { account } = yield* Place
            const phone = yield* baresip(account(callee), "tls")
            expect(yield* phone.register).toBe(true)
            const other = yield* made(number)
            right(yield* other(Scenarios.register(200)))
            right(yield* other(Scenarios.call, { callee }))
            yield* phone.told("CALL_CLOSED")
            const called = yield* Effect.forkChild(other(Scenarios.answers))
            expect(yield* phone.call(number)).toBe(true)
            yield* phone.hangUp
            right(yield* Fiber.join(called))
          }),
        120_000
      )
    }

    it.effect(
      "a ring group rings all at once, as the dialplan answers: who answers has the call, though the first one does not",
      () =>
        Effect.gen(function* () {
          const { account, make, tells } = yield* Place
          yield* make("ring-groups", {
            name: "Sales",
            number: "600",
            strategy: "simultaneous",
            ring_timeout: 20,
            extensions: ["1009", "1010"]
          })
          yield* tells("dialplan", "600", "user/1010")
          const [caller, silent] = [yield* sipp("1008"), yield* sipp("1009")]
          right(yield* silent(Scenarios.register(200)))
          const phone = yield* baresip(account("1010"), "udp")
          expect(yield* phone.register).toBe(true)
          right(yield* caller(Scenarios.call, { callee: "600" }))
          yield* phone.told("CALL_ESTABLISHED")
        }),
      120_000
    )
  })
})
