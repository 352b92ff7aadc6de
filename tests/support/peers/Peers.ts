// The real servers that tests talk to: which Debian packages bring them and where their programs are found.
// Pure tables and look-ups; installing is `install.ts`, running one is a file of its own beside this one.

import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { cache, makers, type NewerDebian } from "./NewerDebian.ts"

/** What may be asked for together: one group per kind of test. */
export type PeerGroup =
  | "mail"
  | "alertmanager"
  | "redis"
  | "systemd"
  | "proxies"
  | "speech"
  | "qr"
  | "browser"
  | "dovecot24"
  | "xml"
  | "sip"
  | "dns"
  | "containers"

/** One server or client program. */
export type PeerName =
  | "dovecot"
  | "dovecot24"
  | "postfix"
  | "swaks"
  | "rspamd"
  | "opendkim"
  | "isync"
  | "mutt"
  | "alertmanager"
  | "redis"
  | "systemd"
  | "systemd-analyze"
  | "nginx"
  | "caddy"
  | "espeak-ng"
  | "ffmpeg"
  | "zbarimg"
  | "chromium"
  | "xmllint"
  | "kamailio"
  | "sipp"
  | "baresip"
  | "knot"
  | "bind"
  | "unbound"
  | "powerdns"
  | "podman"
  | "busybox-static"

/** How one peer is recognised and what brings it. */
export interface Peer {
  readonly group: PeerGroup
  /** Debian packages, names as in Debian 12. */
  readonly packages: ReadonlyArray<string>
  /** The program: a name on the path, or absolute. */
  readonly program: string
  /** Further files that must be there; of each list one is enough. */
  readonly parts: ReadonlyArray<ReadonlyArray<string>>
  /** Only root can run it the way the tests do (it changes to other users or mounts). */
  readonly needsRoot: boolean
  /**
   * With it the peer stands in a folder with a newer Debian, which only root can make; `packages` are what makes that.
   */
  readonly newer?: NewerDebian
}

/** Whether a peer can be used here, and if not, one sentence that says what to do. */
export type Availability =
  | { readonly available: true; readonly path: string }
  | { readonly available: false; readonly reason: string }

/** Its name says what is in it: a folder that was made before a package was added is not taken for it. */
const dovecot24 = `${cache}/dovecot-2.4-pgsql`
/** Dovecot's and Postfix's modules for Postgres, packages of their own. */
const dovecotPgsql = ["/usr/lib/dovecot/modules/libdriver_pgsql.so", "/usr/lib64/dovecot/libdriver_pgsql.so"]
const postfixPgsql = ["/usr/lib/postfix/postfix-pgsql.so", "/usr/lib/postfix/dict_pgsql.so"]
const kamailioModules = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((triple) => `/usr/lib/${triple}/kamailio/modules`)
/** PowerDNS's module for SQLite, a package of its own, with the tables it wants. */
const gsqlite3 = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].map(
  (folder) => `/usr/lib/${folder}pdns/libgsqlite3backend.so`
)
const nssSystemd = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((triple) => `/usr/lib/${triple}/libnss_systemd.so.2`)

export const peers: Readonly<Record<PeerName, Peer>> = {
  dovecot: {
    group: "mail",
    packages: ["dovecot-imapd", "dovecot-lmtpd", "dovecot-pgsql"],
    program: "dovecot",
    parts: [
      ["/usr/lib/dovecot/imap", "/usr/libexec/dovecot/imap"],
      ["/usr/lib/dovecot/lmtp", "/usr/libexec/dovecot/lmtp"],
      dovecotPgsql
    ],
    needsRoot: true
  },
  dovecot24: {
    group: "dovecot24",
    packages: makers,
    program: `${dovecot24}/usr/sbin/dovecot`,
    parts: [
      [`${dovecot24}/usr/libexec/dovecot/imap`, `${dovecot24}/usr/lib/dovecot/imap`],
      [`${dovecot24}/usr/libexec/dovecot/lmtp`, `${dovecot24}/usr/lib/dovecot/lmtp`],
      dovecotPgsql.map((path) => `${dovecot24}${path}`)
    ],
    needsRoot: true,
    newer: { folder: dovecot24, release: "forky", packages: ["dovecot-imapd", "dovecot-lmtpd", "dovecot-pgsql"] }
  },
  postfix: {
    group: "mail",
    packages: ["postfix", "postfix-pgsql"],
    program: "postfix",
    parts: [postfixPgsql],
    needsRoot: true
  },
  swaks: { group: "mail", packages: ["swaks"], program: "swaks", parts: [], needsRoot: false },
  // Changes to its own user, whom the package makes.
  rspamd: { group: "mail", packages: ["rspamd"], program: "rspamd", parts: [], needsRoot: true },
  // Judges signatures, one message a run; it is not run as a server.
  opendkim: { group: "mail", packages: ["opendkim"], program: "opendkim", parts: [], needsRoot: false },
  // Mail programs that people use: one brings a mailbox here, one shows its conversations.
  isync: { group: "mail", packages: ["isync"], program: "mbsync", parts: [], needsRoot: false },
  mutt: { group: "mail", packages: ["mutt"], program: "mutt", parts: [], needsRoot: false },
  alertmanager: {
    group: "alertmanager",
    packages: ["prometheus-alertmanager"],
    program: "prometheus-alertmanager",
    parts: [],
    needsRoot: false
  },
  redis: { group: "redis", packages: ["redis-server"], program: "redis-server", parts: [], needsRoot: false },
  // A booted systemd needs passwd entries for DynamicUser, hence the name service module.
  systemd: {
    group: "systemd",
    packages: ["systemd", "libnss-systemd"],
    program: "/usr/lib/systemd/systemd",
    parts: [nssSystemd],
    needsRoot: true
  },
  "systemd-analyze": {
    group: "systemd",
    packages: ["systemd"],
    program: "systemd-analyze",
    parts: [],
    needsRoot: false
  },
  nginx: { group: "proxies", packages: ["nginx-light"], program: "nginx", parts: [], needsRoot: false },
  caddy: { group: "proxies", packages: ["caddy"], program: "caddy", parts: [], needsRoot: false },
  "espeak-ng": { group: "speech", packages: ["espeak-ng"], program: "espeak-ng", parts: [], needsRoot: false },
  ffmpeg: { group: "speech", packages: ["ffmpeg"], program: "ffmpeg", parts: [], needsRoot: false },
  // Reads QR codes as a camera does.
  zbarimg: { group: "qr", packages: ["zbar-tools"], program: "zbarimg", parts: [], needsRoot: false },
  // Shows that nothing of a cleaned page runs or is fetched.
  chromium: { group: "browser", packages: ["chromium"], program: "chromium", parts: [], needsRoot: false },
  // Judges documents, as a reader of another make.
  xmllint: { group: "xml", packages: ["libxml2-utils"], program: "xmllint", parts: [], needsRoot: false },
  // The switch's SIP side: asks who may register, and takes calls from one phone to another.
  kamailio: {
    group: "sip",
    packages: [
      "kamailio",
      "kamailio-tls-modules",
      "kamailio-websocket-modules",
      "kamailio-utils-modules",
      "kamailio-xml-modules"
    ],
    program: "kamailio",
    parts: ["tls.so", "websocket.so", "http_client.so"].map((name) =>
      kamailioModules.map((folder) => `${folder}/${name}`)
    ),
    needsRoot: false
  },
  // Phones: one that does what a scenario says, one as people have it.
  sipp: { group: "sip", packages: ["sip-tester"], program: "sipp", parts: [], needsRoot: false },
  baresip: { group: "sip", packages: ["baresip-core"], program: "baresip", parts: [], needsRoot: false },
  // Two authorities of different make, one of which also resolves; a resolver that checks signatures; a provider with
  // an HTTP interface.
  knot: { group: "dns", packages: ["knot"], program: "knotd", parts: [], needsRoot: false },
  bind: { group: "dns", packages: ["bind9", "bind9-utils"], program: "named", parts: [], needsRoot: false },
  // Asks other servers at port 53 only, which only root can open for them.
  unbound: { group: "dns", packages: ["unbound"], program: "unbound", parts: [], needsRoot: true },
  powerdns: {
    group: "dns",
    packages: ["pdns-server", "pdns-backend-sqlite3", "sqlite3"],
    program: "pdns_server",
    parts: [gsqlite3],
    needsRoot: false
  },
  // Runs containers for itself alone; what is in them is one program that needs no libraries.
  podman: {
    group: "containers",
    packages: ["podman", "crun"],
    program: "podman",
    parts: [["/usr/bin/conmon"], ["/usr/bin/crun"]],
    needsRoot: true
  },
  "busybox-static": {
    group: "containers",
    packages: ["busybox-static"],
    program: "/bin/busybox",
    parts: [["/usr/share/doc/busybox-static"]],
    needsRoot: false
  }
}

export const peerNames = Object.keys(peers) as ReadonlyArray<PeerName>

/** Servers live in sbin, which an ordinary user's path leaves out. */
const serverDirectories = ["/usr/local/sbin", "/usr/sbin", "/sbin"]

const executable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const readable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** The full path of a program, or undefined. */
export const findProgram = (program: string): string | undefined => {
  if (program.startsWith("/")) return executable(program) ? program : undefined
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...serverDirectories
  ]
  return folders.map((folder) => join(folder, program)).find(executable)
}

/** The path of an installed peer, or undefined when the program or a part of it is missing. */
export const findPeer = (name: PeerName): string | undefined => {
  const path = findProgram(peers[name].program)
  return path !== undefined && peers[name].parts.every((choices) => choices.some(readable)) ? path : undefined
}

/** The packages that would bring what is missing, without doubles, in a stable order. */
export const packagesOf = (missing: ReadonlyArray<PeerName>): ReadonlyArray<string> =>
  [...new Set(missing.flatMap((name) => peers[name].packages))].sort()

/** What an operator types for these peers. */
export const installCommand = (missing: ReadonlyArray<PeerName>): string => {
  const packages = packagesOf(missing.filter((name) => peers[name].newer === undefined))
  const folders = missing.flatMap((name) => peers[name].newer?.folder ?? [])
  return [
    ...(packages.length === 0 ? [] : [`apt-get install --no-install-recommends ${packages.join(" ")}`]),
    ...(folders.length === 0 ? [] : [`npm test as root on Debian makes ${folders.join(", ")}`])
  ].join("; ")
}

/** Decides from facts alone whether a peer can be used. `path`: where it was found. */
export const decideAvailability = (name: PeerName, path: string | undefined, isRoot: boolean): Availability => {
  if (path === undefined) {
    return { available: false, reason: `${name} is not installed: ${installCommand([name])}` }
  }
  if (peers[name].needsRoot && !isRoot) {
    return { available: false, reason: `${name} changes users, which only root may do: run these tests as root` }
  }
  return { available: true, path }
}
