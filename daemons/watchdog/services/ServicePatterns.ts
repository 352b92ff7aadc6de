/** Valid names of containers and units, and lists of names. Pure; the root helper and the daemon use the same file. */

/** Names that a container engine accepts. Source: Docker, daemon/names; Podman, libpod/define. */
export const containerPattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/

/**
 * Names of units of the types that have a state of their own. At most 255 characters, no slash, and no hyphen at the
 * start, which a program would read as an option. Source: systemd.unit(5), unit names.
 */
export const unitPattern = /^(?=.{1,255}$)[a-zA-Z0-9_][a-zA-Z0-9:_.\\-]*(@[a-zA-Z0-9:_.\\-]*)?\.(service|socket|timer)$/

/** Units that the API shows by default: those of this platform and of the programs that it works with. */
export const defaultUnits: ReadonlyArray<string> = [
  "signalbox.service",
  "signalbox@*.service",
  "postgresql@*.service",
  "postfix.service",
  "postfix@*.service",
  "dovecot.service",
  "rspamd.service",
  "opendkim.service",
  "redis-server.service",
  "nginx.service",
  "caddy.service",
  "freeswitch.service",
  "kamailio.service",
  "crowdsec.service",
  "fail2ban.service",
  "docker.service",
  "podman.service"
]

/** Items of a comma list. `critical` items may have dependencies in parentheses, which are left out. */
export const items = (text: string): ReadonlyArray<string> =>
  text
    .replace(/\([^()]*\)/g, "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

/** Whether a pattern of a list covers the name: the same text, or with `*` for any characters. */
export const covers = (pattern: string, name: string): boolean => {
  const parts = pattern.split("*")
  if (parts.length === 1) return pattern === name
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  const end = name.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** Whether a list covers a container or unit. Items may have the prefix of their kind. */
export const lists = (patterns: ReadonlyArray<string>, kind: "container" | "unit" | "daemon", name: string): boolean =>
  patterns.some((pattern) => {
    const prefix = /^(container|unit|daemon):/.exec(pattern)
    if (prefix !== null) return prefix[1] === kind && covers(pattern.slice(prefix[0].length), name)
    return covers(pattern, name)
  })
