/** The SIP module of the double: its profiles, and the configuration that the switch would read now. */

/** Changed by tests. */
export interface Sofia {
  /** Running profiles by name, each with its aliases. */
  readonly profiles: Map<string, ReadonlyArray<string>>
  /** Marks in `signalbox.conf` by profile; empty: no server answers for configuration. */
  readonly marks: Map<string, string>
  /** Names of the gateways that the switch would read from its configuration. A rescan adds them. */
  readonly configured: Set<string>
  /** Addresses that the list `trunks` would admit after `reloadacl`, and those that it admits now. */
  readonly networks: Set<string>
  readonly admitted: Set<string>
}

/** Profiles of the switch's own files. */
export const stock = (): Sofia => ({
  profiles: new Map([
    ["external", []],
    ["internal", []]
  ]),
  marks: new Map(),
  configured: new Set(),
  networks: new Set(),
  admitted: new Set()
})

/** A profile starts with what the switch reads now, or with its own files. */
export const start = ({ marks, profiles }: Sofia, name: string): void => {
  const mark = marks.get(name)
  profiles.set(name, mark === undefined ? [] : [mark])
}

/** Answer of `xml_locate`; the form of a found object is that of the switch's XML writer. */
export const located = ({ marks }: Sofia, key: string): string =>
  key !== "configuration configuration name signalbox.conf" || marks.size === 0
    ? "can't find anything\n"
    : `<configuration name="signalbox.conf">\n  <settings>\n${[...marks]
        .map(([name, mark]) => `    <param name="${name}" value="${mark}"></param>\n`)
        .join("")}  </settings>\n</configuration>\n`

const row = (name: string, type: string, data: string, state: string) =>
  `${name.padStart(25)}\t${type.padStart(7)}\t${data.padStart(42)}\t${state}\n`

/** Answer of `sofia status` (capture B04). */
export const statusText = ({ profiles }: Sofia, gateways: Iterable<string>): string => {
  const rule = `${"=".repeat(97)}\n`
  const ports: Readonly<Record<string, number>> = { internal: 5060, external: 5080 }
  const rows = [...profiles].flatMap(([name, aliases]) => [
    row(name, "profile", `sip:mod_sofia@127.0.0.1:${ports[name] ?? 5070}`, "RUNNING (0)"),
    ...(name === "external"
      ? Array.from(gateways, (gateway) => row(`external::${gateway}`, "gateway", "sip:x@127.0.0.1:5090", "NOREG"))
      : []),
    ...aliases.map((alias) => row(alias, "alias", name, "ALIASED"))
  ])
  const aliases = [...profiles.values()].flat().length
  const head = `${"Name".padStart(25)}\t   Type\t${"Data".padStart(42)}\tState\n`
  const count = `${profiles.size} profile${profiles.size === 1 ? "" : "s"} ${aliases} alias${aliases === 1 ? "" : "es"}`
  return `${head}${rule}${rows.join("")}${rule}${count}\n`
}
