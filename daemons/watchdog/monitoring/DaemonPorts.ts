/** Addresses on this machine at which our daemons answer /health. Pure. */
import type { Env } from "#core/config/Settings.ts"
import { portVariable } from "#core/daemon/Daemon.ts"

/** Default ports of all daemons. A test compares them with the daemons, which must not import each other. */
export const daemonPorts: Readonly<Record<string, number>> = {
  identity: 8101,
  "mail-watcher": 8102,
  "mail-admin": 8103,
  "alarm-bridge": 8104,
  "comm-dispatcher": 8105,
  "sip-config": 8106,
  "dns-verifier": 8107,
  localization: 8110,
  provisioning: 8109,
  "bank-fetcher": 8111,
  "status-checker": 8112,
  "edge-auth": 8113,
  "wake-word": 8114,
  watchdog: 8115
}

/** The gateway first, then the daemons' own ports. A port that is chosen by the system is not known. */
export const localAddresses = (env: Env, bind: string, gatewayPort: number): ReadonlyArray<string> => {
  const host = bind === "0.0.0.0" ? "127.0.0.1" : bind === "::" ? "[::1]" : bind.includes(":") ? `[${bind}]` : bind
  const ports = [
    gatewayPort,
    ...Object.entries(daemonPorts).map(([name, usual]) => {
      const set = env[portVariable(name)]?.trim()
      return set === undefined || set === "" ? usual : Number(set)
    })
  ]
  return ports.filter((port) => port > 0).map((port) => `http://${host}:${port}`)
}
