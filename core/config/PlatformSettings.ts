/**
 * Settings of the platform: database, listening address, process frame.
 */
import { Result } from "effect"
import { isAbsolute, resolve } from "node:path"
import ipaddr from "ipaddr.js"
import { logSettings } from "../log/Log.ts"
import { loopback } from "../http/ClientAddress.ts"
import { parse as parseTarget } from "../postgres/ConnectionTarget.ts"
import { noticeSettings } from "../second-path/NoticeSettings.ts"
import * as Settings from "./Settings.ts"
import { telemetrySettings } from "../log/Telemetry.ts"

/** Default data directory. */
export const defaultDataDir = resolve("var")

/** Problem of an item in a list of CIDRs. */
export const cidrProblem = (item: string): string | undefined =>
  ipaddr.isValidCIDR(item) ? undefined : `${item} is not an address range such as 10.0.0.0/8`

export const platformSettings = {
  ...logSettings,
  ...telemetrySettings,
  dataDir: {
    ...Settings.text("SIGNALBOX_DATA_DIR", { doc: "State directory: the embedded Postgres, the key file" }),
    fallback: { value: defaultDataDir, shown: "./var" }
  },
  databaseUrl: Settings.secret("DATABASE_URL", {
    doc: "External Postgres, postgres://user:password@host/database; unset: the embedded one under the data directory",
    check: (raw) => Result.match(parseTarget(raw), { onFailure: (error) => error.detail, onSuccess: () => undefined })
  }),
  postgresSharedSocket: Settings.optionalText("SIGNALBOX_POSTGRES_SHARED_SOCKET", {
    doc: "Directory for a second socket of the embedded Postgres, for the mail server; unset: no second socket",
    check: (path) => (isAbsolute(path) ? undefined : "must be an absolute path")
  }),
  redisUrl: Settings.secret("REDIS_URL", {
    doc: "External Redis for the cache; unset: the cache is in Postgres"
  }),
  keyFile: Settings.optionalText("SIGNALBOX_KEY_FILE", {
    doc: "File with the keys of stored secrets, created at first use; unset: `keys` in the data directory"
  }),
  bind: Settings.text("SIGNALBOX_BIND", { doc: "Address the daemons listen on", default: "127.0.0.1" }),
  gatewayPort: Settings.port("SIGNALBOX_GATEWAY_PORT", {
    doc: "Port of the gateway of `signalbox up`; with one process per daemon, loopback port of the reverse proxy",
    default: 8080
  }),
  trustedProxies: Settings.list("SIGNALBOX_TRUSTED_PROXIES", {
    doc: "Networks of trusted proxies, whose forwarded headers count",
    default: loopback,
    check: cidrProblem
  }),
  networkDir: Settings.optionalText("SIGNALBOX_NETWORK_DIR", {
    doc:
      "Existing directory for files with banned addresses and networks of trunks, which reverse proxies and the " +
      "firewall of this host read; unset: no files",
    check: (path) => (isAbsolute(path) ? undefined : "must be an absolute path")
  }),
  healthAddresses: Settings.list("SIGNALBOX_HEALTH_ADDRESSES", {
    doc:
      "Networks whose clients see the details of /health, and /metrics, without credentials; " +
      "requests that a proxy forwarded never do",
    default: loopback,
    check: cidrProblem
  }),
  healthToken: Settings.secret("SIGNALBOX_HEALTH_TOKEN", {
    doc: "Service token with the scope system.read, with which `signalbox health` reads the details of other hosts"
  }),
  clusterHost: Settings.text("SIGNALBOX_CLUSTER_HOST", {
    doc: "Address at which other processes of the fleet reach this one",
    default: "127.0.0.1"
  }),
  clusterPort: Settings.port("SIGNALBOX_CLUSTER_PORT", {
    doc: "Port of SIGNALBOX_CLUSTER_HOST, for TLS with a key that processes find in the database; 0: any free port",
    default: 0
  }),
  ...noticeSettings,
  fsync: Settings.flag("SIGNALBOX_FSYNC", {
    doc: "Turn off only for tests: the embedded Postgres then loses data in a power failure",
    default: true
  })
}
