// Installs the files of config/dovecot for one instance, like an operator. Only placeholders for operators are
// replaced, so that a wrong shipped file fails a test.

import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export type DovecotVersion = "2.3" | "2.4"

/** Token introspection settings of Dovecot. */
export interface TokenCheck {
  /** `host:port` of the introspection endpoint, over plain HTTP. */
  readonly server: string
  /** Name of the service token. Only letters, digits and `-._~`, because it is part of a URL. */
  readonly clientId: string
  /** The service token. */
  readonly clientSecret: string
}

/** Shipped files with their permission bits. The second file contains a secret, so only its owner may read it. */
const shipped = [
  { name: "95-signalbox-oauth2.conf", mode: 0o644 },
  { name: "signalbox-oauth2.conf.ext", mode: 0o600 }
] as const

/**
 * Writes the files of `version` into `folder`, which Dovecot sees as `inside`. Returns the line that includes them.
 * Throws when a placeholder is missing in the shipped files.
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

/** Receiver of Dovecot's push notifications. */
export interface PushTarget {
  /** `host:port`, over plain HTTP. */
  readonly server: string
  /** A service token of scope mail-push. */
  readonly token: string
}

/**
 * Installs the files for push notifications of new mail, like `installSnippet`. Dovecot reads the script as the owner
 * of the mailbox.
 */
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
