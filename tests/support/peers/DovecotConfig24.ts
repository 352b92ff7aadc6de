// Configuration text of a standalone Dovecot 2.4. Pure, writes nothing. It describes the same server as
// DovecotConfig.ts in the syntax of 2.4. Source: doc.dovecot.org/2.4.

import { authCache, type DovecotSettings, maxConnections, paths } from "./DovecotConfig.ts"

/** Capabilities of Dovecot 2.4 after login, without IDLE and NOTIFY. Source: its own CAPABILITY answer. */
const capabilitiesWithoutIdle =
  "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE LITERAL+ NAMESPACE UIDPLUS UNSELECT CHILDREN LIST-EXTENDED ESEARCH CONDSTORE QRESYNC MOVE"

export const dovecotConfig24 = (settings: DovecotSettings): string => {
  const at = paths(settings.folder)
  return `
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = ${settings.folder}/run
state_dir = ${settings.folder}/state
instance_name = ${settings.folder.split("/").at(-1)}
log_path = ${at.log}
protocols = imap lmtp
listen = 127.0.0.1
first_valid_uid = ${settings.firstUid}
mail_driver = maildir
mail_path = ~/Maildir
mail_max_userip_connections = ${maxConnections}
auth_allow_cleartext = yes
auth_mechanisms = plain login
${settings.failurePenalty ? "" : "auth_failure_delay = 0\n# No listener, no penalty that grows with each failed login.\nservice anvil {\n  unix_listener anvil-auth-penalty {\n    mode = 0\n  }\n}"}
${settings.idle ? "" : `imap_capability = ${capabilitiesWithoutIdle}`}
${settings.imapsPort === undefined ? "ssl = no" : `ssl = yes\nssl_server_cert_file = ${at.certificate}\nssl_server_key_file = ${at.key}`}
passdb passwd-file {
  passwd_file_path = ${at.users}
}
userdb passwd-file {
  passwd_file_path = ${at.users}
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
