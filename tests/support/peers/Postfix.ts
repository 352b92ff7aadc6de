// A real Postfix for a test: one SMTP port on loopback that forwards accepted mail to one LMTP port. It resolves no
// names, contacts no other host, and retries deferred mail within seconds.

import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { availability } from "./install.ts"
import { banner, freePort, scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface PostfixOptions {
  /** LMTP port on 127.0.0.1 for deliveries. */
  readonly lmtpPort: number
  /** Domains for which it accepts mail. Default `["example.test"]`. */
  readonly relayDomains?: ReadonlyArray<string>
  /** Dovecot's auth socket. Clients can then use AUTH. */
  readonly authSocket?: string
  /** Largest message. Unit: bytes. Default 10,240,000, as in Postfix. */
  readonly messageSizeLimit?: number
  /** Additional lines at the end of main.cf. The last occurrence of a setting wins. */
  readonly settings?: ReadonlyArray<string>
}

export interface Postfix {
  readonly smtpPort: number
  /** Its configuration folder, for the programs' option -c. */
  readonly config: string
  /** Number of messages accepted and neither delivered nor bounced, deferred ones included. */
  readonly queueCount: Effect.Effect<number>
  readonly start: Effect.Effect<void, PeerError>
  readonly stop: Effect.Effect<void>
  readonly kill9: Effect.Effect<void>
  readonly restart: Effect.Effect<void, PeerError>
  readonly log: () => string
}

export const master = "/usr/lib/postfix/sbin/master"
/**
 * Queue folders with one file per message, which has the same name in each of them. Source: qmgr(8). Messages move
 * between them while a test counts, so the last ones are read forwards and backwards.
 */
const queues = ["maildrop", "incoming", "active", "deferred", "active", "incoming"]

/**
 * Creates the folders with the owners that Postfix requires (postfix-files(5)). `postfix check` would do so too, but
 * takes two seconds.
 */
const makeFoldersScript = `
umask 022
mkdir "$1/data" "$1/queue"
cd "$1/queue"
mkdir active bounce corrupt defer deferred flush hold incoming private saved trace maildrop public pid
chmod 700 active bounce corrupt defer deferred flush hold incoming private saved trace
chown postfix "$1/data" active bounce corrupt defer deferred flush hold incoming private saved trace
chown postfix:postdrop maildrop public
chmod 1730 maildrop
chmod 2710 public
`

/** Creates `queue` and `data` in this folder; fails with the error output of the shell. */
export const makeFolders = (folder: string): Effect.Effect<void, PeerError> =>
  Effect.suspend(() => {
    const made = spawnSync("sh", ["-ec", makeFoldersScript, "sh", folder], { encoding: "utf8" })
    return made.status === 0
      ? Effect.void
      : Effect.fail(new PeerError({ peer: "postfix", reason: "NotReady", message: made.stderr }))
  })

/** Gives a folder to Postfix's group, as `install -d -m 2750 -g postfix` does: sockets in it get the group. */
export const ownFolder = (folder: string): void => {
  const given = spawnSync("sh", ["-ec", 'chgrp postfix "$1"; chmod 2750 "$1"', "sh", folder], { encoding: "utf8" })
  if (given.status !== 0) throw new Error(given.stderr)
}

/** Number of messages in the queue of this folder, deferred ones included. */
export const countQueue = (folder: string): number =>
  new Set(queues.flatMap((queue) => fileNames(`${folder}/queue/${queue}`))).size

/** Starts a Postfix; it ends with the scope. */
export const make = (options: PostfixOptions): Effect.Effect<Postfix, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const found = availability("postfix")
    if (!found.available)
      return yield* new PeerError({ peer: "postfix", reason: "NotInstalled", message: found.reason })
    const folder = yield* scratchFolder("postfix")
    const smtpPort = yield* freePort
    const config = `${folder}/etc`
    chmodSync(folder, 0o755)
    mkdirSync(config)
    writeFileSync(`${config}/main.cf`, mainCf(folder, options))
    writeFileSync(`${config}/master.cf`, `127.0.0.1:${smtpPort} inet n - n - - smtpd${masterCf()}`)
    yield* makeFolders(folder)

    const log = () => (existsSync(`${folder}/log`) ? readFileSync(`${folder}/log`, "utf8") : "")
    const server = yield* ServerProcess.make({
      peer: "postfix",
      command: master,
      args: ["-c", config, "-s"],
      cwd: folder,
      isReady: async () => (await banner(smtpPort))?.startsWith("220") === true,
      log
    })
    return {
      smtpPort,
      config,
      queueCount: Effect.sync(() => countQueue(folder)),
      start: server.start,
      stop: server.stop,
      kill9: server.kill9,
      restart: server.restart,
      log
    }
  })

const mainCf = (folder: string, options: PostfixOptions): string => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.example.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
virtual_mailbox_domains = ${(options.relayDomains ?? ["example.test"]).join(" ")}
virtual_transport = lmtp:inet:127.0.0.1:${options.lmtpPort}
# Whatever is for nobody else goes the same way, so that no test mail leaves the machine.
default_transport = lmtp:inet:127.0.0.1:${options.lmtpPort}
message_size_limit = ${options.messageSizeLimit ?? 10_240_000}
# A receiver that was away is tried again within seconds. With one second the next try would come at once: if the last
# one still holds the file then, the queue manager waits a minute.
queue_run_delay = 1s
minimal_backoff_time = 2s
maximal_backoff_time = 3s
${options.authSocket === undefined ? "" : `smtpd_sasl_auth_enable = yes\nsmtpd_sasl_type = dovecot\nsmtpd_sasl_path = ${options.authSocket}\nsmtpd_tls_auth_only = no`}
${(options.settings ?? []).join("\n")}
`

/** All services of master.cf, except those of ports. */
export const masterCf = (): string => `
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

const fileNames = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : []
