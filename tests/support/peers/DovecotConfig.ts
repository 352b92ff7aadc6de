// Configuration text of a standalone Dovecot 2.3. Pure, writes nothing. Source: doc.dovecot.org/2.3.

/** One mailbox that can sign in. */
export interface DovecotUser {
  /** Full address, also the sign-in name. */
  readonly address: string
  readonly password: string
}

/** Inputs of the configuration. */
export interface DovecotSettings {
  /** Folder of this instance as Dovecot sees it, for sockets, state, mail and log. */
  readonly folder: string
  readonly imapPort: number
  /** Set only with TLS. */
  readonly imapsPort: number | undefined
  readonly lmtpPort: number
  /** Whether IDLE is advertised. */
  readonly idle: boolean
  /** First Unix user id that may own mail. */
  readonly firstUid: number
  /** Whether failed logins are delayed by 4 to 15 s per address, as on a production host. */
  readonly failurePenalty: boolean
  /** Lines that include shipped files; empty: none. */
  readonly include: string
}

/** Limit of IMAP connections per address and user. Reason: tests open many, and Dovecot's default is 10. */
export const maxConnections = 1_000

/** Capabilities of Dovecot 2.3 after login, without IDLE and NOTIFY. Source: its own CAPABILITY answer. */
const capabilitiesWithoutIdle =
  "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE LITERAL+ NAMESPACE UIDPLUS UNSELECT CHILDREN LIST-EXTENDED ESEARCH CONDSTORE QRESYNC MOVE"

/** Cache setting of hosts with many users. Tests use it because the shipped files must work with it. */
export const authCache = "auth_cache_size = 10M\n"

export const paths = (folder: string) => ({
  config: `${folder}/dovecot.conf`,
  log: `${folder}/dovecot.log`,
  users: `${folder}/users`,
  certificate: `${folder}/cert.pem`,
  key: `${folder}/key.pem`,
  homes: `${folder}/homes`,
  /** Socket for `smtpd_sasl_path` of Postfix. */
  authSocket: `${folder}/auth-client`
})

export const dovecotConfig = (settings: DovecotSettings): string => {
  const at = paths(settings.folder)
  return `
base_dir = ${settings.folder}/run
state_dir = ${settings.folder}/state
instance_name = ${settings.folder.split("/").at(-1)}
log_path = ${at.log}
protocols = imap lmtp
listen = 127.0.0.1
first_valid_uid = ${settings.firstUid}
mail_location = maildir:~/Maildir
mail_max_userip_connections = ${maxConnections}
disable_plaintext_auth = no
auth_mechanisms = plain login
${settings.failurePenalty ? "" : "auth_failure_delay = 0\n# No listener, no penalty that grows with each failed login.\nservice anvil {\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}"}
${settings.idle ? "" : `imap_capability = ${capabilitiesWithoutIdle}`}
${settings.imapsPort === undefined ? "ssl = no" : `ssl = yes\nssl_cert = <${at.certificate}\nssl_key = <${at.key}`}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = ${at.users}
}
userdb {
  driver = passwd-file
  args = ${at.users}
}
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${settings.imapPort}
  }
  inet_listener imaps {
    port = ${settings.imapsPort ?? 0}
    ssl = ${settings.imapsPort === undefined ? "no" : "yes"}
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${settings.lmtpPort}
  }
}
service auth {
  unix_listener ${at.authSocket} {
    mode = 0666
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
${settings.include === "" ? "" : authCache + settings.include}`
}

/** The passwd-file. Each user gets its own uid and gid, so that no two users share one inotify limit. */
export const passwdFile = (users: ReadonlyArray<DovecotUser>, folder: string, firstUid: number): string =>
  users
    .map(
      (user, index) =>
        `${user.address}:{PLAIN}${user.password}:${firstUid + index}:${firstUid + index}::${homeOf(folder, user.address)}::\n`
    )
    .join("")

/** Home folder of one user, which contains the user's mail. */
export const homeOf = (folder: string, address: string): string => `${paths(folder).homes}/${address}`
