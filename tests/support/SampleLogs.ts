/**
 * Log lines of servers as they write them, for tests of the shipped CrowdSec and fail2ban files. `at`: time of a line.
 * Sources: FreeSWITCH 1.10 (sofia_reg.c), Dovecot 2.3.19, Postfix 3.7, nginx 1.22 (combined format).
 */

const two = (value: number) => String(value).padStart(2, "0")
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
const isoDay = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
const syslog = (at: Date) => `${months[at.getMonth()]} ${String(at.getDate()).padStart(2, " ")} ${clock(at)}`
const offset = (at: Date) => {
  const minutes = -at.getTimezoneOffset()
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`
}

const freeswitch = (at: Date, line: number, text: string) =>
  `${isoDay(at)} ${clock(at)}.123456 98.20% [WARNING] sofia_reg.c:${line} ${text}`
const mail = (at: Date, program: string, text: string) => `${syslog(at)} mx ${program}: ${text}`
const nginx = (at: Date, address: string, request: string, status: number) =>
  `${address} - - [${two(at.getDate())}/${months[at.getMonth()]}/${at.getFullYear()}:${clock(at)} ${offset(at)}] ` +
  `"${request}" ${status} 153 "-" "Mozilla/5.0"`

export const lines = {
  sipAuth: (at: Date, address: string, user = "1000") =>
    freeswitch(
      at,
      1793,
      `SIP auth failure (REGISTER) on sofia profile 'internal' for [${user}@192.0.2.10] from ip ${address}`
    ),
  /** Every phone gets a challenge first; no offence. */
  sipChallenge: (at: Date, address: string) =>
    freeswitch(
      at,
      1848,
      `SIP auth challenge (REGISTER) on sofia profile 'internal' for [1000@192.0.2.10] from ip ${address}`
    ),
  sipUnknown: (at: Date, address: string, user: string) =>
    freeswitch(at, 3022, `Can't find user [${user}@192.0.2.10] from ${address}`),
  websocketRefused: (at: Date, address: string) => nginx(at, address, "GET /sip HTTP/1.1", 400),
  websocketOpened: (at: Date, address: string) => nginx(at, address, "GET /sip HTTP/1.1", 101),
  imapAuth: (at: Date, address: string) =>
    mail(
      at,
      "dovecot",
      "imap-login: Disconnected: Connection closed (auth failed, 1 attempts in 2 secs): user=<ann@a.test>, " +
        `method=PLAIN, rip=${address}, lip=192.0.2.10, TLS, session=<abc>`
    ),
  imapLogin: (at: Date, address: string) =>
    mail(
      at,
      "dovecot",
      `imap-login: Login: user=<ann@a.test>, method=PLAIN, rip=${address}, lip=192.0.2.10, mpid=7, TLS, session=<abc>`
    ),
  smtpAuth: (at: Date, address: string) =>
    mail(
      at,
      "postfix/submission/smtpd[412]",
      `warning: unknown[${address}]: SASL PLAIN authentication failed: UGFzc3dvcmQ6`
    ),
  submitted: (at: Date, address: string) =>
    mail(
      at,
      "postfix/smtps/smtpd[413]",
      `3F2A11C0042: client=phone.example[${address}], sasl_method=PLAIN, sasl_username=ann@a.test`
    ),
  /** A mail of another mail server; no offence. */
  received: (at: Date, address: string) => mail(at, "postfix/smtpd[414]", `3F2A11C0043: client=mx.example[${address}]`)
}

/** Hostile content in fields that clients choose: the named address must not be banned. */
export const forged = (at: Date, victim: string, sender: string) => [
  lines.sipAuth(at, sender, `x@y] from ip ${victim}`),
  lines.sipUnknown(at, sender, `x@y] from ${victim}`),
  mail(
    at,
    "dovecot",
    `imap-login: Disconnected: Connection closed (auth failed, 1 attempts in 2 secs): user=<a, rip=${victim}, >, ` +
      `method=PLAIN, rip=${sender}, lip=192.0.2.10, TLS, session=<abc>`
  ),
  nginx(at, sender, `GET /sip?x=${victim} HTTP/1.1`, 200)
]
