/**
 * The shipped sip-config over its embedded Postgres, with one phone and one number, and a double of the switch's event
 * socket.
 */
import { Effect } from "effect"
import { hash } from "node:crypto"
import { realpathSync } from "node:fs"
import { layoutOf } from "#core/postgres/ServerLayout.ts"
import { type Fleet, startFleet, type Unit } from "#support/Fleet.ts"
import { freePort, poll } from "#support/peers/Loopback.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { processesIn } from "#support/Processes.ts"
import { SwitchDouble, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"

export const domain = "voice.outage.test"
export const phone = "1001"
export const number = "+4930123456"
const password = "a-password-that-is-known"

/** Digest hash (HA1) with which the switch checks a phone's response. Source: RFC 2617 §3.2.2.2. */
export const a1 = hash("md5", `${phone}:${domain}:${password}`, "hex")

/** Longest wait until the executable is ready. Unit: milliseconds. */
const readyTimeout = 80_000

export interface LookUpSite {
  readonly fleet: Fleet
  readonly unit: Unit
  readonly telephone: SwitchDoubleShape
  /** Service token of scope `switch`. */
  readonly token: string
  /** API call with the platform's token. Status 0: no answer. */
  readonly api: (
    method: string,
    path: string,
    body?: unknown
  ) => Effect.Effect<{ readonly status: number; readonly json: any }>
  /** Ids of all processes of the embedded Postgres. */
  readonly postgres: () => ReadonlyArray<number>
}

/** `staleFor`: how long sip-config answers with its last known data. Unit: seconds. */
export const make = Effect.fnUntraced(function* (staleFor: number) {
  const telephone = yield* SwitchDouble.make({})
  const dataDir = realpathSync(yield* temporaryDirectory("signalbox-look-ups"))
  const fleet = yield* startFleet({
    units: [{ name: "telephony", daemons: ["sip-config"] }],
    dataDir,
    env: {
      SIGNALBOX_SIP_CONFIG_PORT: String(yield* freePort),
      SIGNALBOX_SWITCH_STALE_FOR: String(staleFor),
      SIGNALBOX_SWITCH_HOST: "127.0.0.1",
      SIGNALBOX_SWITCH_PORT: String(telephone.port),
      SIGNALBOX_SWITCH_PASSWORD: telephone.password
    }
  })
  const unit = fleet.unit("telephony")
  const ready = yield* Effect.promise(() => poll(async () => unit.isReady() || undefined, readyTimeout))
  if (ready === undefined) return yield* Effect.die(new Error(`not ready in ${readyTimeout} ms\n${fleet.tail(40)}`))
  const tokenOf = (scope: string) =>
    Effect.map(
      fleet.cli("token", "create", "--name", scope, "--scope", scope, "--json"),
      (text) => (JSON.parse(text) as { readonly token: string }).token
    )
  const platform = yield* tokenOf("platform")
  const api: LookUpSite["api"] = (method, path, body) =>
    Effect.promise(async () => {
      try {
        const response = await fetch(`${unit.addresses()["sip-config"]}${path}`, {
          method,
          headers: { "content-type": "application/json", "x-service-token": platform },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(5_000)
        })
        return { status: response.status, json: await response.json() }
      } catch {
        return { status: 0, json: undefined }
      }
    })
  const made = Effect.fnUntraced(function* (path: string, body: object) {
    const { json, status } = yield* api("POST", `/api/v1/sip/${path}`, { tenant_id: 2, ...body })
    return status === 201
      ? (json.id as number)
      : yield* Effect.die(new Error(`POST ${path}: ${status} ${JSON.stringify(json)}`))
  })
  const first = yield* made("extensions", { extension: phone, name: "Ann", domain, password })
  yield* made("extensions", { extension: "1002", name: "Ben", domain })
  // The simulated calls come from this address.
  const trunk = yield* made("trunks", {
    name: "Outside",
    host: "192.0.2.9",
    networks: ["192.0.2.9/32"],
    register: false
  })
  yield* made("dids", { trunk_id: trunk, number, name: "Main", destination_type: "extension", destination_id: first })
  return {
    fleet,
    unit,
    telephone,
    token: yield* tokenOf("switch"),
    api,
    postgres: () => processesIn(layoutOf(dataDir).data)
  } satisfies LookUpSite as LookUpSite
})

/** Change after Postgres has returned: renames the phone and redirects the number. */
export const change = ({ api }: LookUpSite) =>
  Effect.gen(function* () {
    const put = (path: string, body: object) =>
      Effect.map(api("PUT", `/api/v1/sip/${path}`, body), ({ status }) => status)
    return [yield* put("extensions/1", { name: "Beth" }), yield* put("dids/1", { destination_id: 2 })] as const
  })
