/** A sip-config behind the gateway and a real Kamailio that asks it, with a tenant's extensions and their passwords. */
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
  /** Their numbers. */
  readonly extensions: ReadonlyArray<string>
}

export interface Account {
  readonly user: string
  readonly domain: string
  readonly password: string
}

/** The SIP domain of everybody here, and their tenant. */
export const domain = "voice.a.test"
const tenant = 2
/** How long a change may take to be told. Unit: seconds. Reason: a second, and two loaded cores. */
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
  // What is changed holds within a second.
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
  for (const user of extensions) yield* tells("directory", user, "a1-hash")
  return {
    suite,
    kamailio,
    certificate,
    /** Of `/sip` behind the gateway. */
    wsUrl: `${suite.base().replace("http", "ws")}/sip`,
    account: (user: string): Account => accounts.get(user)!,
    make: (path: string, body: unknown) => asked("POST", path, 201, body),
    /** Switches an extension on or off, and waits until the switch would be told. */
    change: (user: string, body: { readonly enabled: boolean }) =>
      Effect.andThen(
        asked("PUT", `extensions/${accounts.get(user)!.id}`, 200, body),
        tells("directory", user, "a1-hash", body.enabled)
      ),
    /** A new password for an extension; waits until the switch would be told. */
    renew: Effect.fnUntraced(function* (user: string) {
      const account = accounts.get(user)!
      yield* asked("POST", `extensions/${account.id}/password`, 200)
      const { password } = yield* asked("GET", `extensions/${account.id}/config`, 200)
      accounts.set(user, { ...account, password })
      yield* tells("directory", user, hash("md5", `${user}:${domain}:${password}`))
    }),
    /** Waits until the switch is answered so. */
    tells
  }
})

/** Where somebody is registered now. */
export const placesOf = (kamailio: Kamailio.Kamailio, user: string) =>
  Effect.map(kamailio.contacts, (contacts) => contacts.filter((one) => one.user === `${user}@${domain}`))
