// The real servers and programs ("peers") that tests use: their Debian packages and program paths. Pure tables and
// look-ups. `install.ts` installs them; the other files of this folder run them.

import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { cache, makers, type NewerDebian } from "./NewerDebian.ts"

/** Groups of peers that tests request together. */
export type PeerGroup =
  | "mail"
  | "alertmanager"
  | "prometheus"
  | "redis"
  | "systemd"
  | "proxies"
  | "speech"
  | "qr"
  | "browser"
  | "dovecot24"
  | "xml"
  | "sip"
  | "sip-ws"
  | "dns"
  | "containers"
  | "postgres"
  | "firewall"
  | "pdf"
  | "bans"
  | "backup"
  | "dav"

/** Names of the servers and client programs. */
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
  | "prometheus"
  | "redis"
  | "systemd"
  | "systemd-analyze"
  | "debian"
  | "nginx"
  | "caddy"
  | "espeak-ng"
  | "ffmpeg"
  | "zbarimg"
  | "chromium"
  | "xmllint"
  | "xmlsec1"
  | "kamailio"
  | "sipp"
  | "baresip"
  | "baresipWs"
  | "knot"
  | "bind"
  | "unbound"
  | "powerdns"
  | "podman"
  | "busybox-static"
  | "postgres15"
  | "nft"
  | "iproute2"
  | "pdftotext"
  | "crowdsec"
  | "fail2ban"
  | "restic"
  | "sshd"
  | "faketime"
  | "radicale"
  | "python3"

/** Packages of one peer, and the files that prove its installation. */
export interface Peer {
  readonly group: PeerGroup
  /** Debian packages, names as in Debian 12. */
  readonly packages: ReadonlyArray<string>
  /** Program: a name on the PATH, or an absolute path. */
  readonly program: string
  /** Additional files that must exist; one of each inner list is enough. */
  readonly parts: ReadonlyArray<ReadonlyArray<string>>
  /** Whether only root can run it in tests, because it switches users or mounts file systems. */
  readonly needsRoot: boolean
  /**
   * Set when the peer lives in a folder with a newer Debian. Only root can create the folder; `packages` are the tools
   * that do so.
   */
  readonly newer?: NewerDebian
}

/** Whether a peer is usable here. `reason`: one sentence with the necessary action. */
export type Availability =
  | { readonly available: true; readonly path: string }
  | { readonly available: false; readonly reason: string }

/** The name changes with the package list, so that a folder created with fewer packages is not reused. */
const dovecot24 = `${cache}/dovecot-2.4-pgsql`
const baresipWs = `${cache}/baresip`
/** Postgres module of Dovecot, which is in a separate package. */
const dovecotPgsql = ["/usr/lib/dovecot/modules/libdriver_pgsql.so", "/usr/lib64/dovecot/libdriver_pgsql.so"]
/** A bare Debian with systemd, in which tests install packages. */
export const bareDebian = `${cache}/debian-12-machine`
const kamailioModules = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((triple) => `/usr/lib/${triple}/kamailio/modules`)
/** SQLite module of PowerDNS, which is in a separate package. */
const gsqlite3 = ["x86_64-linux-gnu/", "aarch64-linux-gnu/", ""].map(
  (folder) => `/usr/lib/${folder}pdns/libgsqlite3backend.so`
)
const nssSystemd = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((triple) => `/usr/lib/${triple}/libnss_systemd.so.2`)

/** Library of libfaketime for programs with threads. */
export const fakeClocks = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map(
  (triple) => `/usr/lib/${triple}/faketime/libfaketimeMT.so.1`
)

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
  postfix: { group: "mail", packages: ["postfix"], program: "postfix", parts: [], needsRoot: true },
  swaks: { group: "mail", packages: ["swaks"], program: "swaks", parts: [], needsRoot: false },
  // Switches to its own user, which the package creates.
  rspamd: { group: "mail", packages: ["rspamd"], program: "rspamd", parts: [], needsRoot: true },
  // Verifies signatures, one message per run; not a server.
  opendkim: { group: "mail", packages: ["opendkim"], program: "opendkim", parts: [], needsRoot: false },
  // Mail clients: isync (mbsync) downloads a mailbox, mutt shows its threads.
  isync: { group: "mail", packages: ["isync"], program: "mbsync", parts: [], needsRoot: false },
  mutt: { group: "mail", packages: ["mutt"], program: "mutt", parts: [], needsRoot: false },
  alertmanager: {
    group: "alertmanager",
    packages: ["prometheus-alertmanager"],
    program: "prometheus-alertmanager",
    parts: [],
    needsRoot: false
  },
  // Its package also has promtool, which checks rules and metrics.
  prometheus: {
    group: "prometheus",
    packages: ["prometheus"],
    program: "prometheus",
    parts: [["/usr/bin/promtool"]],
    needsRoot: false
  },
  redis: { group: "redis", packages: ["redis-server"], program: "redis-server", parts: [], needsRoot: false },
  // A booted systemd needs passwd entries for DynamicUser, and libnss-systemd provides them.
  systemd: {
    group: "systemd",
    packages: ["systemd", "libnss-systemd"],
    program: "/usr/lib/systemd/systemd",
    parts: [nssSystemd],
    needsRoot: true
  },
  // What the package of Signalbox needs is in every Debian with systemd. The commands of the documents also use restic,
  // curl, swaks and nginx.
  debian: {
    group: "systemd",
    packages: makers,
    program: `${bareDebian}/usr/lib/systemd/systemd`,
    parts: [[`${bareDebian}/usr/bin/restic`]],
    needsRoot: true,
    newer: {
      folder: bareDebian,
      release: "bookworm",
      packages: ["systemd", "systemd-sysv", "restic", "curl", "swaks", "nginx"]
    }
  },
  "systemd-analyze": {
    group: "systemd",
    packages: ["systemd"],
    program: "systemd-analyze",
    parts: [],
    needsRoot: false
  },
  // The oldest supported version. The packaged one is 18.
  restic: { group: "backup", packages: ["restic"], program: "restic", parts: [], needsRoot: false },
  // Host of an SFTP repository. The client ssh is in its dependencies.
  sshd: {
    group: "backup",
    packages: ["openssh-server"],
    program: "sshd",
    parts: [["/usr/bin/ssh"], ["/usr/bin/ssh-keygen"]],
    needsRoot: false
  },
  // Gives a process another wall clock. The library is what tests load; the program proves nothing more.
  faketime: { group: "backup", packages: ["faketime"], program: "faketime", parts: [fakeClocks], needsRoot: false },
  postgres15: {
    group: "postgres",
    packages: ["postgresql-15"],
    program: "/usr/lib/postgresql/15/bin/postgres",
    parts: [],
    needsRoot: false
  },
  // The firewall is loaded into network namespaces, which only root can make.
  nft: { group: "firewall", packages: ["nftables"], program: "nft", parts: [], needsRoot: true },
  iproute2: { group: "firewall", packages: ["iproute2"], program: "ip", parts: [], needsRoot: true },
  // Reads logs and decides bans. Its package also has the command cscli.
  crowdsec: {
    group: "bans",
    packages: ["crowdsec"],
    program: "crowdsec",
    parts: [["/usr/bin/cscli"], ["/usr/share/crowdsec/config/patterns", "/etc/crowdsec/patterns"]],
    needsRoot: false
  },
  fail2ban: {
    group: "bans",
    packages: ["fail2ban"],
    program: "fail2ban-client",
    parts: [["/usr/bin/fail2ban-server"], ["/usr/bin/fail2ban-regex"]],
    needsRoot: true
  },
  nginx: { group: "proxies", packages: ["nginx-light"], program: "nginx", parts: [], needsRoot: false },
  caddy: { group: "proxies", packages: ["caddy"], program: "caddy", parts: [], needsRoot: false },
  "espeak-ng": { group: "speech", packages: ["espeak-ng"], program: "espeak-ng", parts: [], needsRoot: false },
  ffmpeg: { group: "speech", packages: ["ffmpeg"], program: "ffmpeg", parts: [], needsRoot: false },
  // Reads QR codes from pictures.
  zbarimg: { group: "qr", packages: ["zbar-tools"], program: "zbarimg", parts: [], needsRoot: false },
  // Proves that sanitised pages run no script and fetch nothing.
  chromium: {
    group: "browser",
    // The same engine without the windows of a desktop browser: half the processor time.
    packages: ["chromium-headless-shell"],
    program: "chromium-headless-shell",
    parts: [],
    needsRoot: false
  },
  // Contacts and calendars (CardDAV, CalDAV).
  radicale: { group: "dav", packages: ["radicale"], program: "/usr/bin/radicale", parts: [], needsRoot: false },
  // Its plistlib reads configuration profiles, as a program of others.
  python3: { group: "dav", packages: ["python3"], program: "/usr/bin/python3", parts: [], needsRoot: false },
  // Signs and verifies XML signatures of messages to and from banks.
  xmlsec1: { group: "xml", packages: ["xmlsec1"], program: "xmlsec1", parts: [], needsRoot: false },
  // Reads the text of PDF files.
  pdftotext: { group: "pdf", packages: ["poppler-utils"], program: "pdftotext", parts: [], needsRoot: false },
  // Validates XML documents with an independent parser.
  xmllint: { group: "xml", packages: ["libxml2-utils"], program: "xmllint", parts: [], needsRoot: false },
  // SIP side of the switch: decides who may register, and forwards calls between phones.
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
  // Phones: sipp plays scripted scenarios, baresip is a real softphone.
  sipp: { group: "sip", packages: ["sip-tester"], program: "sipp", parts: [], needsRoot: false },
  baresip: { group: "sip", packages: ["baresip-core"], program: "baresip", parts: [], needsRoot: false },
  // Debian 12's baresip 1.0 does not speak SIP over WebSocket. Version 1.1 trusts no authority there, so tests add TLS.
  baresipWs: {
    group: "sip-ws",
    packages: makers,
    program: `${baresipWs}/usr/bin/baresip`,
    parts: [],
    needsRoot: true,
    newer: { folder: baresipWs, release: "forky", packages: ["baresip-core"] }
  },
  // Two authoritative servers of different makers (BIND also resolves), a validating resolver, and a provider with an
  // HTTP API.
  knot: { group: "dns", packages: ["knot"], program: "knotd", parts: [], needsRoot: false },
  bind: { group: "dns", packages: ["bind9", "bind9-utils"], program: "named", parts: [], needsRoot: false },
  // Queries other servers at port 53 only. Their port 53 needs root.
  unbound: { group: "dns", packages: ["unbound"], program: "unbound", parts: [], needsRoot: true },
  powerdns: {
    group: "dns",
    packages: ["pdns-server", "pdns-backend-sqlite3", "sqlite3"],
    program: "pdns_server",
    parts: [gsqlite3],
    needsRoot: false
  },
  // Runs containers in a private store. The image contains one static program.
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

export const peerGroups: ReadonlyArray<PeerGroup> = [...new Set(peerNames.map((name) => peers[name].group))]

/** Directories of servers that an ordinary user's PATH lacks. */
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

/** Full path of a program; undefined when it is not found. */
export const findProgram = (program: string): string | undefined => {
  if (program.startsWith("/")) return executable(program) ? program : undefined
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...serverDirectories
  ]
  return folders.map((folder) => join(folder, program)).find(executable)
}

/** Path of an installed peer; undefined when the program or a part is missing. */
export const findPeer = (name: PeerName): string | undefined => {
  const path = findProgram(peers[name].program)
  return path !== undefined && peers[name].parts.every((choices) => choices.some(readable)) ? path : undefined
}

/** Packages of the missing peers, unique and sorted. */
export const packagesOf = (missing: ReadonlyArray<PeerName>): ReadonlyArray<string> =>
  [...new Set(missing.flatMap((name) => peers[name].packages))].sort()

/** Command that installs these peers. */
export const installCommand = (missing: ReadonlyArray<PeerName>): string => {
  const packages = packagesOf(missing.filter((name) => peers[name].newer === undefined))
  const folders = missing.flatMap((name) => peers[name].newer?.folder ?? [])
  return [
    ...(packages.length === 0 ? [] : [`apt-get install --no-install-recommends ${packages.join(" ")}`]),
    ...(folders.length === 0 ? [] : [`npm test as root on Debian makes ${folders.join(", ")}`])
  ].join("; ")
}

/** Decides whether a peer is usable. Pure. `path`: location of its program; undefined when not found. */
export const decideAvailability = (name: PeerName, path: string | undefined, isRoot: boolean): Availability => {
  if (path === undefined) {
    return { available: false, reason: `${name} is not installed: ${installCommand([name])}` }
  }
  if (peers[name].needsRoot && !isRoot) {
    return { available: false, reason: `${name} changes users, which only root may do: run these tests as root` }
  }
  return { available: true, path }
}
