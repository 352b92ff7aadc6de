/**
 * A sip-config behind the gateway and a real Kamailio that asks it, with the extensions of one tenant and their
 * passwords.
 */
import { Effect, Redacted } from "effect"
import { hash } from "node:crypto"
import { SqlClient } from "effect/sql"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { sipConfig } from "#daemons/sip-config/Daemon.ts"
import { fakeUsers } from "../FakeUsers.ts"
import { until } from "../Frame.ts"
import { freePort } from "../peers/Loopback.ts"
import { startSuite } from "../TestSuite.ts"
import * as Kamailio from "./Kamailio.ts"
import { makeCertificate } from "./TestCertificate.ts"

export interface SipPlaceOptions extends Pick<Kamailio.KamailioOptions, "wrongPassword"> {
  readonly env?: Readonly<Record<string, string>>
  /** Numbers of the extensions. */
  readonly extensions: ReadonlyArray<string>
}

export interface Account {
  readonly user: string
  readonly domain: string
  readonly password: string
}

/** SIP domain of all extensions, and their tenant. */
export const domain = "voice.a.test"
const tenant = 2
/** Longest time until a change takes effect. Unit: seconds. Reason: a second, on two loaded cores far more. */
const patience = 30
const everything = { authorization: `Bearer user:${tenant}:*` }

export const startSipPlace = Effect.fnUntraced(function* ({ env, extensions, ...options }: SipPlaceOptions) {
  const certificate = yield* makeCertificate
  const tcpPort = yield* freePort
  const suite = yield* startSuite({
    daemons: [sipConfig],
    gateway: true,
    verifier: fakeUsers,
    env: {
      SIGNALBOX_SIP_WS_URL: `ws://127.0.0.1:${tcpPort}`,
      SIGNALBOX_GATEWAY_RATE: "10000",
      SIGNALBOX_GATEWAY_BURST: "10000",
      ...env
    }
  })
  const { token: made } = yield* Effect.provideService(
    ServiceTokenStore.create({ name: "switch", scopes: ["switch"] }),
    SqlClient.SqlClient,
    suite.sql
  )
  const token = Redacted.value(made)
  const xmlUrl = `${suite.base()}/switch/xml`
  const kamailio = yield* Kamailio.make({ ...options, certificate, tcpPort, token, xmlUrl })
  const asked = Effect.fnUntraced(function* (method: string, path: string, status: number, body?: unknown) {
    const answer = yield* suite.call(method, `/api/v1/sip/${path}`, {
      headers: everything,
      ...(body === undefined ? {} : { body })
    })
    return answer.status === status ? answer.json : yield* Effect.die(new Error(`${method} ${path}: ${answer.text}`))
  })
  // Asks sip-config like the switch. A change takes effect within a second.
  const ask = (fields: Readonly<Record<string, string>>) =>
    Effect.promise(async () => {
      const body = new URLSearchParams({ hostname: "test", ...fields })
      return (await fetch(xmlUrl, { method: "POST", headers: { "x-service-token": token }, body })).text()
    })
  const tells = (section: "directory" | "dialplan", number: string, having: string, has = true) => {
    const fields: Record<string, string> =
      section === "directory"
        ? { section, tag_name: "domain", key_name: "name", key_value: domain, key: "id", user: number, domain }
        : {
            section,
            tag_name: "",
            key_name: "",
            key_value: "",
            "Hunt-Destination-Number": number,
            "Hunt-Context": `tenant-${tenant}`,
            variable_domain_name: domain
          }
    return until(
      `the switch is told of ${number}: ${having}`,
      Effect.map(ask(fields), (text) => text.includes(having) === has),
      patience
    )
  }
  const accounts = new Map<string, Account & { readonly id: number }>()
  for (const user of extensions) {
    const { id } = yield* asked("POST", "extensions", 201, { extension: user, name: `Phone ${user}`, domain })
    const { password } = yield* asked("GET", `extensions/${id}/config`, 200)
    accounts.set(user, { user, domain, password, id })
  }
  // The first extension has created the SIP domain, which belongs to the tenant once the provider asserts it.
  const [claimed] = (yield* asked("GET", `domains?domain=${domain}`, 200)).items
  const asserted = yield* suite.call("POST", `/api/v1/sip/domains/${claimed.id}/assert`, { token: yield* suite.token })
  if (asserted.status !== 200) return yield* Effect.die(new Error(asserted.text))
  for (const user of extensions) yield* tells("directory", user, "a1-hash")
  return {
    suite,
    kamailio,
    certificate,
    /** Address of `/sip` behind the gateway. */
    wsUrl: `${suite.base().replace("http", "ws")}/sip`,
    account: (user: string): Account => accounts.get(user)!,
    make: (path: string, body: unknown) => asked("POST", path, 201, body),
    /** Enables or disables an extension and waits until sip-config answers accordingly. */
    change: (user: string, body: { readonly enabled: boolean }) =>
      Effect.andThen(
        asked("PUT", `extensions/${accounts.get(user)!.id}`, 200, body),
        tells("directory", user, "a1-hash", body.enabled)
      ),
    /** Gives an extension a new password and waits until sip-config answers with it. */
    renew: Effect.fnUntraced(function* (user: string) {
      const account = accounts.get(user)!
      yield* asked("POST", `extensions/${account.id}/password`, 200)
      const { password } = yield* asked("GET", `extensions/${account.id}/config`, 200)
      accounts.set(user, { ...account, password })
      yield* tells("directory", user, hash("md5", `${user}:${domain}:${password}`))
    }),
    /** Waits until sip-config answers the switch with, or without, the given text. */
    tells
  }
})

/** Current registrations of a user. */
export const placesOf = (kamailio: Kamailio.Kamailio, user: string) =>
  Effect.map(kamailio.contacts, (contacts) => contacts.filter((one) => one.user === `${user}@${domain}`))
