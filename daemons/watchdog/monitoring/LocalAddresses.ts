/** Addresses on this machine at which our daemons answer /health. Pure. */
import type { Env } from "#core/config/Settings.ts"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import type { KnownDaemon } from "#core/daemon/KnownDaemons.ts"

export interface LocalPlace {
  readonly env: Env
  /** Address on which the daemons listen. */
  readonly bind: string
  readonly gatewayPort: number
}

/** The gateway first, then the daemons' own ports. A port that is chosen by the system is not known. */
export const localAddresses = (
  daemons: ReadonlyArray<KnownDaemon>,
  { bind, env, gatewayPort }: LocalPlace
): ReadonlyArray<string> => {
  const host = bind === "0.0.0.0" ? "127.0.0.1" : bind === "::" ? "[::1]" : bind.includes(":") ? `[${bind}]` : bind
  const ports = [
    gatewayPort,
    ...daemons.map(({ name, port }) => {
      const set = env[portVariable(name)]?.trim()
      return set === undefined || set === "" ? port : Number(set)
    })
  ]
  return ports.filter((port) => port > 0).map((port) => `http://${host}:${port}`)
}
