/** Answer of `api sofia status`: what the SIP module of the switch runs now. Pure. Source: capture B04. */

export interface SofiaStatus {
  /** Names of running profiles. */
  readonly profiles: ReadonlySet<string>
  /** Aliases of profiles. */
  readonly aliases: ReadonlySet<string>
  /** Names of gateways, in any state. */
  readonly gateways: ReadonlySet<string>
}

/** Reads the rows `name, type, data, state`, separated by tabs. Ignores rows of other types. */
export const parse = (text: string): SofiaStatus => {
  const rows = text.split("\n").map((line) => line.split("\t").map((cell) => cell.trim()))
  const names = (type: string, state = "") =>
    new Set(
      rows
        .filter((row) => row[1] === type && (row[3] ?? "").startsWith(state))
        // A gateway is `profile::name`.
        .map(([name = ""]) => name.split("::").at(-1)!)
    )
  return { profiles: names("profile", "RUNNING"), aliases: names("alias"), gateways: names("gateway") }
}
