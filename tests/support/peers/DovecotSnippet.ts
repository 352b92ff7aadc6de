// The files of config/dovecot as an operator installs them, filled in for one instance. Nothing but what an operator
// has to fill in is replaced, so that a test fails when a shipped file is wrong.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type DovecotVersion = "2.3" | "2.4"

/** Whom Dovecot asks about tokens. */
export interface TokenCheck {
  /** `host:port` of the introspection endpoint, over plain HTTP. */
  readonly server: string
  /** Name of the service token. Only letters, digits and `-._~`: it stands in an address. */
  readonly clientId: string
  /** The service token. */
  readonly clientSecret: string
}

/** Unit of the mode: permission bits. The second file holds a secret: its owner's alone. */
const shipped = [
  { name: "95-signalbox-oauth2.conf", mode: 0o644 },
  { name: "signalbox-oauth2.conf.ext", mode: 0o600 }
] as const

/**
 * Writes the files of `version` into `folder`, which Dovecot sees as `inside`; answers the line that includes them.
 * Throws when a shipped file has no place for what is filled in.
 */
export const installSnippet = (version: DovecotVersion, folder: string, inside: string, check: TokenCheck): string => {
  const source = join(import.meta.dirname, "../../../config/dovecot", version)
  let text = ""
  for (const { name, mode } of shipped) {
    const original = readFileSync(join(source, name), "utf8")
    text += original
    writeFileSync(`${folder}/${name}`, fill(original, inside, check), { mode })
  }
  for (const place of ["/etc/dovecot/", "127.0.0.1:8080", "SERVICE_TOKEN"]) {
    if (!text.includes(place)) throw new Error(`config/dovecot/${version} has no ${place}`)
  }
  return `!include ${inside}/${shipped[0].name}\n`
}

const fill = (text: string, inside: string, check: TokenCheck): string =>
  text
    .replaceAll("dovecot:SERVICE_TOKEN", `${check.clientId}:${check.clientSecret}`)
    .replaceAll("client_id = dovecot", `client_id = ${check.clientId}`)
    .replaceAll("SERVICE_TOKEN", check.clientSecret)
    .replaceAll("127.0.0.1:8080", check.server)
    .replaceAll(/^( *(?:args =|!include)) \/etc\/dovecot\//gm, `$1 ${inside}/`)

/** Whom Dovecot tells of news. */
export interface PushTarget {
  /** `host:port`, over plain HTTP. */
  readonly server: string
  /** A service token of scope mail-push. */
  readonly token: string
}

/** The same for the files by which it tells of news in a mailbox. The script is read as the mailbox's owner. */
export const installPush = (
  version: DovecotVersion,
  folder: string,
  inside: string,
  { server, token }: PushTarget
): string => {
  const source = join(import.meta.dirname, "../../../config/dovecot", version)
  const [config, script] = ["97-signalbox-push.conf", "signalbox-push.lua"].map((name) =>
    readFileSync(join(source, name), "utf8")
  ) as [string, string]
  for (const place of [version === "2.3" ? "=/etc/dovecot/" : "= /etc/dovecot/", "127.0.0.1:8080", "SERVICE_TOKEN"]) {
    if (!config.includes(place)) throw new Error(`config/dovecot/${version} has no ${place}`)
  }
  writeFileSync(`${folder}/signalbox-push.lua`, script, { mode: 0o644 })
  const filled = config
    .replace(/(= ?)\/etc\/dovecot\//g, `$1${inside}/`)
    .replaceAll("127.0.0.1:8080", server)
    .replaceAll("SERVICE_TOKEN", token)
  writeFileSync(`${folder}/97-signalbox-push.conf`, filled, { mode: 0o600 })
  return `!include ${inside}/97-signalbox-push.conf\n`
}
