// Installs the files of config/dovecot and config/postfix for one mail stack, like an operator. Only values for
// operators, such as paths and ports, are replaced, so that a wrong shipped file fails a test. Adds the base
// configuration that a distribution provides.

import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { maxConnections } from "./DovecotConfig.ts"
import { type DovecotVersion, installSnippet, type TokenCheck } from "./DovecotSnippet.ts"
import { masterCf } from "./Postfix.ts"

/** Values of one stack that an operator fills in. */
export interface StackPlace {
  readonly version: DovecotVersion
  /** Folder of the stack. Contains `queue`, `data`, `etc` (Postfix), `dovecot`, `vhosts`, `cert.pem`, `key.pem`. */
  readonly folder: string
  /** The same folder as Dovecot sees it. */
  readonly inside: string
  /** Directory of the database's socket, as Dovecot sees it. */
  readonly socketInside: string
  readonly password: string
  /** User id that owns all mail. */
  readonly uid: number
  readonly imapsPort: number
  readonly lmtpPort: number
  readonly smtpPort: number
  readonly submissionPort: number
  readonly smtpsPort: number
  readonly milterPort: number
  /** Sockets of mail-admin: policy service and look-ups. */
  readonly policySocket: string
  readonly lookupSocket: string
  /** Port on 127.0.0.1 that gets mail for other domains; undefined: it bounces. */
  readonly outgoingPort: number | undefined
  readonly tokens: TokenCheck | undefined
  /** Additional lines at the end of dovecot.conf and main.cf. */
  readonly dovecotSettings: ReadonlyArray<string>
  readonly postfixSettings: ReadonlyArray<string>
}

const shipped = join(import.meta.dirname, "../../../config")

/** A shipped text with replaced values. Throws when the text lacks one of them. */
const filled = (path: string, fills: ReadonlyArray<readonly [string | RegExp, string]>): string => {
  let text = readFileSync(join(shipped, path), "utf8")
  for (const [what, by] of fills) {
    const next = text.replaceAll(what, by)
    if (next === text) throw new Error(`config/${path} has no ${what}`)
    text = next
  }
  return text
}

const give = (group: string, mode: string, path: string): void => {
  const done = spawnSync("sh", ["-ec", 'chgrp "$1" "$3"; chmod "$2" "$3"', "sh", group, mode, path], {
    encoding: "utf8"
  })
  if (done.status !== 0) throw new Error(done.stderr)
}

/** Writes Dovecot's files. Returns the path of dovecot.conf as Dovecot sees it. */
export const writeDovecot = (at: StackPlace): string => {
  const [folder, inside] = [`${at.folder}/dovecot`, `${at.inside}/dovecot`]
  mkdirSync(folder)
  const sql = `dovecot/${at.version}/signalbox-sql.conf.ext`
  const mail = filled(`dovecot/${at.version}/90-signalbox-mail.conf`, [
    ["/etc/letsencrypt/live/mx.example.org/fullchain.pem", `${at.inside}/cert.pem`],
    ["/etc/letsencrypt/live/mx.example.org/privkey.pem", `${at.inside}/key.pem`],
    [/\/etc\/dovecot(?=\/signalbox)/g, inside],
    ["/var/spool/postfix/", `${at.inside}/queue/`],
    ["id = vmail", `id = ${at.uid}`],
    ["port = 993", `port = ${at.imapsPort}`]
  ])
  writeFileSync(`${folder}/90-signalbox-mail.conf`, mail)
  writeFileSync(
    `${folder}/signalbox-sql.conf.ext`,
    filled(sql, [
      ["/run/signalbox-mail", at.socketInside],
      ...(at.version === "2.4" ? [["/var/mail/vhosts/", `${at.inside}/vhosts/`] as const] : []),
      [/MAIL_PASSWORD$/gm, at.password]
    ]),
    { mode: 0o600 }
  )
  if (at.version === "2.3") {
    // The dict process of Dovecot 2.3 does not run as root.
    give("dovecot", "640", `${folder}/signalbox-sql.conf.ext`)
    writeFileSync(`${folder}/signalbox-app-dict.conf.ext`, filled("dovecot/2.3/signalbox-app-dict.conf.ext", []))
    writeFileSync(
      `${folder}/signalbox-dict.conf.ext`,
      filled("dovecot/2.3/signalbox-dict.conf.ext", [["/var/mail/vhosts/", `${at.inside}/vhosts/`]])
    )
  }
  const tokens = at.tokens === undefined ? "" : installSnippet(at.version, folder, inside, at.tokens)
  const last = at.version === "2.3" ? filled("dovecot/2.3/99-signalbox-imap.conf", []) : ""
  writeFileSync(
    `${folder}/dovecot.conf`,
    `${dovecotBase(at)}!include ${inside}/90-signalbox-mail.conf\n${tokens}${at.dovecotSettings.join("\n")}\n${last}`
  )
  return `${inside}/dovecot.conf`
}

/** Debian's default mail and LMTP settings, which the shipped files must override. */
const debian = {
  "2.3": `
mail_location = mbox:~/mail:INBOX=/var/mail/%u
mail_privileged_group = mail
namespace inbox {
  inbox = yes
}
`,
  "2.4": `
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
mail_driver = mbox
mail_home = /home/%{user | username}
mail_path = %{home}/mail
mail_inbox_path = /var/mail/%{user}
mail_privileged_group = mail
namespace inbox {
  inbox = yes
}
protocol lmtp {
  auth_username_format = %{user | username | lower}
}
`
}

/** Paths of this stack, an LMTP port for direct deliveries, and no delay of failed logins. */
const dovecotBase = (at: StackPlace): string => `${debian[at.version]}
base_dir = ${at.inside}/run
state_dir = ${at.inside}/state
instance_name = ${at.inside.split("/").at(-1)}
log_path = ${at.inside}/dovecot.log
listen = 127.0.0.1
mail_max_userip_connections = ${maxConnections}
auth_failure_delay = 0
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
}
service lmtp {
  inet_listener lmtp {
    port = ${at.lmtpPort}
  }
}
`

/** Writes Postfix's files into `etc`. */
export const writePostfix = (at: StackPlace): void => {
  const etc = `${at.folder}/etc`
  mkdirSync(etc)
  const main = filled("postfix/main.cf", [
    ["/etc/letsencrypt/live/mx.example.org/fullchain.pem", `${at.folder}/cert.pem`],
    ["/etc/letsencrypt/live/mx.example.org/privkey.pem", `${at.folder}/key.pem`],
    ["= mx.example.org", "= mx.provider.test"],
    ["unix:signalbox/lookups", `unix:${at.lookupSocket}`],
    ["127.0.0.1:11332", `127.0.0.1:${at.milterPort}`]
  ])
  writeFileSync(`${etc}/main.cf`, `${postfixBase(at)}${main}${at.postfixSettings.join("\n")}\n`)
  const ports = filled("postfix/master.cf", [
    [/^smtp +inet/gm, `127.0.0.1:${at.smtpPort} inet`],
    [/^587 /gm, `${at.submissionPort} `],
    [/^465 /gm, `${at.smtpsPort} `],
    ["unix:signalbox/policy", `unix:${at.policySocket}`]
  ])
  writeFileSync(`${etc}/master.cf`, `${masterCf()}${ports}`)
}

/** Folders of this stack. Postfix resolves no names and sends no mail off the machine. */
const postfixBase = (at: StackPlace): string => `
compatibility_level = 3.6
queue_directory = ${at.folder}/queue
data_directory = ${at.folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = ${at.folder}/postfix.log
maillog_file_prefixes = ${at.folder}
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
default_transport = ${at.outgoingPort === undefined ? "error:5.1.2 nothing leaves here" : `smtp:[127.0.0.1]:${at.outgoingPort}`}
# A receiver that was away is tried again within seconds.
queue_run_delay = 1s
minimal_backoff_time = 2s
maximal_backoff_time = 3s
`
