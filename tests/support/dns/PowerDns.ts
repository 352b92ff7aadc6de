// A real PowerDNS with its HTTP API, over its own SQLite database. It also answers DNS on a loopback port, so that
// tests can query the written data. All caches are off, so writes are visible at once.

import { execFileSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { requirePeer } from "../peers/install.ts"
import { freePort, scratchFolder } from "../peers/Loopback.ts"
import { PeerError } from "../peers/PeerError.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"

export interface PowerDns extends ServerProcess.ServerProcess {
  /** Address of the HTTP API, `http://127.0.0.1:PORT`. */
  readonly url: string
  readonly apiKey: string
  /** Address for DNS over UDP and TCP. */
  readonly dns: { readonly address: string; readonly port: number }
  /** A direct API call with the key, for preparation and checks. `path` continues `/api/v1/servers/localhost`. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown
  ) => Promise<{ readonly status: number; readonly json: any }>
  /** Makes an empty zone; `name` without a trailing dot. */
  readonly makeZone: (name: string) => Promise<void>
}

const apiKey = "peer-api-key"

/** SQL schema files of the SQLite backend, by Debian package version. */
const schemas = [
  "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql",
  "/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql",
  "/usr/share/dbconfig-common/data/pdns-backend-sqlite3/install/sqlite3"
]

/** Starts a PowerDNS; it ends with the scope. */
export const make: Effect.Effect<PowerDns, PeerError, Scope.Scope> = Effect.gen(function* () {
  const found = requirePeer("powerdns")
  if (!found.available) return yield* new PeerError({ peer: "powerdns", reason: "NotInstalled", message: found.reason })
  const address = "127.0.0.1"
  const port = yield* freePort
  const httpPort = yield* freePort
  const folder = yield* scratchFolder("powerdns")
  const database = join(folder, "pdns.sqlite3")
  execFileSync("sqlite3", [database, `.read ${schemas.find((path) => existsSync(path)) ?? schemas[0]}`])
  writeFileSync(
    join(folder, "pdns.conf"),
    [
      "launch=gsqlite3",
      `gsqlite3-database=${database}`,
      // Tests simulate crashes by killing the process, which loses no data that the kernel already has.
      "gsqlite3-pragma-synchronous=0",
      `local-address=${address}`,
      `local-port=${port}`,
      `socket-dir=${folder}`,
      "daemon=no",
      "guardian=no",
      "api=yes",
      `api-key=${apiKey}`,
      "webserver=yes",
      "webserver-address=127.0.0.1",
      `webserver-port=${httpPort}`,
      "webserver-allow-from=127.0.0.0/8",
      "cache-ttl=0",
      "negquery-cache-ttl=0",
      "query-cache-ttl=0",
      "zone-cache-refresh-interval=0",
      "distributor-threads=1",
      "receiver-threads=1",
      "version-string=anonymous"
    ].join("\n")
  )
  const url = `http://127.0.0.1:${httpPort}`
  const call: PowerDns["call"] = async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/servers/localhost${path}`, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) }
  }
  const server = yield* ServerProcess.make({
    peer: "powerdns",
    command: found.path,
    args: [`--config-dir=${folder}`],
    cwd: folder,
    isReady: () =>
      call("GET", "").then(
        ({ status }) => status === 200,
        () => false
      ),
    log: () => ""
  })
  const makeZone = async (name: string) => {
    const { json, status } = await call("POST", "/zones", {
      name: `${name}.`,
      kind: "Native",
      nameservers: [`ns1.${name}.`]
    })
    if (status !== 201) throw new Error(`PowerDNS makes no zone ${name}: ${status} ${JSON.stringify(json)}`)
  }
  return { ...server, url, apiKey, dns: { address, port }, call, makeZone }
})
