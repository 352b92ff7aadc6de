/**
 * Telephones set up by a link: what the link answers is used as written. baresip registers over WSS, through Caddy and
 * the gateway, and sipp registers over UDP and over TLS, all at Kamailio. After the device is revoked, none of them
 * registers again.
 */
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { get } from "node:https"
import { expect } from "vitest"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { untilWithin } from "#support/Within.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Baresip from "#support/sip/Baresip.ts"
import * as Kamailio from "#support/sip/Kamailio.ts"
import type { Account } from "#support/sip/SipPlace.ts"
import * as Sipp from "#support/sip/Sipp.ts"
import * as Scenarios from "#support/sip/SippScenarios.ts"
import { makeCertificate } from "#support/sip/TestCertificate.ts"
import * as TlsFront from "#support/sip/TlsFront.ts"
import * as TlsRelay from "#support/sip/TlsRelay.ts"
import * as TlsTunnel from "#support/sip/TlsTunnel.ts"
import { startProvisioning } from "../daemons/provisioning/ProvisioningSuite.ts"
import { pressButton } from "./DeviceSteps.ts"

const start = Effect.gen(function* () {
  const certificate = yield* makeCertificate
  const [tcpPort, tlsPort] = [yield* freePort, yield* freePort]
  const { suite, ...help } = yield* startProvisioning({
    env: {
      SIGNALBOX_SIP_WS_URL: `ws://127.0.0.1:${tcpPort}`,
      SIGNALBOX_SIP_HOST: "127.0.0.1",
      SIGNALBOX_SIP_TLS_PORT: String(tlsPort)
    }
  })
  const { token } = yield* Effect.provideService(
    ServiceTokenStore.create({ name: "switch", scopes: ["switch"] }),
    SqlClient.SqlClient,
    suite.sql
  )
  const kamailio = yield* Kamailio.make({
    certificate,
    tcpPort,
    tlsPort,
    token: Redacted.value(token),
    xmlUrl: `${suite.base()}/switch/xml`
  })
  const front = new URL(yield* TlsFront.make(new URL(suite.base()).host, certificate))
  const plan = yield* help.admin("PUT", "/api/v1/provisioning/plan", { base_domain: `127.0.0.1:${front.port}` })
  expect(plan.status, plan.text).toBe(200)
  return { suite, help, kamailio, certificate, ca: readFileSync(certificate.authorityFile) }
})

class Place extends Context.Service<Place, Effect.Success<typeof start>>()("test/DevicePhones") {
  static readonly layer = Layer.effect(Place, start)
}

/** Answer of an address over TLS, as a program without a browser asks for it. */
const load = (address: string, ca: Buffer): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const request = get(address, { ca, agent: false }, async (response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() })
    })
    request.once("error", reject)
  })

/** A user with an extension of a proven SIP domain. */
const person = Effect.fnUntraced(function* (number: string) {
  const { help } = yield* Place
  const user = yield* help.person()
  const extensionId = yield* help.extension(user, number)
  const [domain] = (yield* help.admin("GET", "/api/v1/sip/domains?domain=voice.example.org")).json.items
  if (domain.status !== "active") yield* help.admin("POST", `/api/v1/sip/domains/${domain.id}/assert`)
  return { user, extensionId }
})

/** Registers once with sipp over UDP, expecting this status. */
const sippByUdp = Effect.fnUntraced(function* (account: Account, status: number) {
  const { kamailio } = yield* Place
  const port = { port: kamailio.udpPort, localPort: yield* freePort }
  return yield* Sipp.run({ ...port, accounts: [account], scenario: Scenarios.register(status) })
})

/** Registers once with sipp over TLS at a port of this machine, expecting this status. */
const sippByTls = Effect.fnUntraced(function* (account: Account, tlsPort: number, status: number) {
  const { certificate } = yield* Place
  const localPort = yield* freePort
  const { authorityFile } = certificate
  const port = yield* TlsRelay.make({ port: tlsPort, authorityFile, phonePort: localPort })
  const how = { port, localPort, transport: "tcp" } as const
  return yield* Sipp.run({ ...how, accounts: [account], scenario: Scenarios.register(status) })
})

const right = (result: Sipp.SippResult) => expect(result.right, result.errors).toBe(true)

/** Registered addresses of an account, without their ports. */
const registered = Effect.fnUntraced(function* ({ domain, user }: Account) {
  const { kamailio } = yield* Place
  const all = (yield* kamailio.contacts).filter((one) => one.user === `${user}@${domain}`)
  return all.map(({ received, userAgent }) => [userAgent.split(/[ /]/)[0], /transport=(\w+)$/.exec(received)?.[1]])
})

/** Waits until sipp with this account is answered 403. */
const refused = (account: Account) =>
  untilWithin(
    30,
    "the switch refuses the old password",
    Effect.map(sippByUdp(account, 403), (result) => result.right)
  )

describePeers(["kamailio", "sipp", "caddy", "baresipWs"], "telephones that a link has set up, at Kamailio", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: "90 seconds" })((it) => {
    it.effect(
      "a softphone registers over WSS with the link's answer, until its device is revoked",
      () =>
        Effect.gen(function* () {
          const { ca, certificate, help } = yield* Place
          const { user } = yield* person("1001")
          const { link } = yield* help.link(user, "Softphone")
          const answer = yield* Effect.promise(() => load(link, ca))
          expect(answer.status, answer.text).toBe(200)
          const { services } = JSON.parse(answer.text)
          const { config } = services.find(({ slug }: { readonly slug: string }) => slug === "telephony")
          const account: Account = { user: config.extension, domain: config.realm, password: config.password }
          const { hostname, port, protocol, pathname } = new URL(config.wss_url)
          expect([protocol, hostname, pathname]).toEqual(["wss:", "127.0.0.1", "/sip"])
          expect(account).toMatchObject({ user: "1001", domain: "voice.example.org" })

          const { authorityFile } = certificate
          const tunnel = yield* TlsTunnel.make({ port: Number(port), authorityFile })
          const softphone = { transport: "ws", port: tunnel, authorityFile } as const
          const baresip = yield* Baresip.make({ ...softphone, account })
          expect(yield* baresip.register).toBe(true)
          expect(yield* registered(account)).toEqual([["baresip", "ws"]])
          const wrong = { ...account, password: `${account.password}x` }
          expect(yield* Effect.flatMap(Baresip.make({ ...softphone, account: wrong }), (one) => one.register)).toBe(
            false
          )
          right(yield* sippByUdp(account, 200))
          right(yield* sippByUdp(wrong, 403))
          // The switch answers calls: the number does not exist.
          expect(yield* baresip.call("1999")).toBe(false)

          const [device] = (yield* help.as(user.headers)("GET", "/api/v1/provisioning/devices")).json.items
          const gone = yield* help.as(user.headers)("DELETE", `/api/v1/provisioning/devices/${device.id}`)
          expect([gone.status, gone.json.sip_password_changes]).toEqual([200, true])
          yield* refused(account)
          expect(yield* Effect.flatMap(Baresip.make({ ...softphone, account }), (one) => one.register)).toBe(false)
        }),
      120_000
    )

    it.effect(
      "a desk phone registers over TLS with the file that it loads, until its device is revoked",
      () =>
        Effect.gen(function* () {
          const { ca, help, suite } = yield* Place
          const { user } = yield* person("1002")
          const { path } = yield* help.link(user, "Desk")
          const page = yield* Effect.promise(() => pressButton(suite, path))
          const address = page.codes.find((text) => text.endsWith("/linphone.xml"))!
          const file = yield* Effect.promise(() => load(address, ca))
          expect(file.status, file.text).toBe(200)
          const value = (name: string) =>
            new RegExp(`<entry name="${name}"[^>]*>([^<]*)<`).exec(file.text)![1]!.replaceAll("&lt;", "<")
          const account: Account = { user: value("username"), domain: value("realm"), password: value("passwd") }
          const [, host, port, transport] = /^<sip:([^:]+):(\d+);transport=(\w+)/.exec(value("reg_proxy"))!
          expect([host, transport]).toEqual(["127.0.0.1", "tls"])
          right(yield* sippByTls(account, Number(port), 200))
          expect(yield* registered(account)).toEqual([["sipp", "tls"]])
          right(yield* sippByUdp({ ...account, password: "wrong" }, 403))

          const [device] = (yield* help.admin("GET", `/api/v1/provisioning/devices?user_id=${user.id}`)).json.items
          yield* help.admin("DELETE", `/api/v1/provisioning/devices/${device.id}`)
          yield* refused(account)
          right(yield* sippByTls(account, Number(port), 403))
          expect((yield* Effect.promise(() => load(address, ca))).status).toBe(404)
        }),
      120_000
    )
  })
})
