/** Rows of document 1, §4.1 to §4.3: mail administration, webmail and mail tokens. */
import type { Row } from "./Row.ts"

const password = "four words in a row"

const mail: ReadonlyArray<Row> = [
  { section: "1 §4.1", endpoint: "GET /api/v1/mail/domains", out: ["items"] },
  {
    section: "1 §4.1, §2.1",
    endpoint: "POST /api/v1/mail/domains",
    in: ["domain", "customer_id"],
    body: () => ({ domain: "example.org", customer_id: 1 }),
    status: 201,
    steps: ["POST /api/v1/mail/domains/{domain}/ownership/check"],
    out: ["domain", "customer_id"],
    values: { domain: "example.org", customer_id: 1 },
    keeps: { domain: "id" },
    also: ({ json }) => {
      const found = json.records.map(({ name, type }: Record<string, string>) => `${type} ${name}`)
      // The others wait for the address and the host of the mail server.
      return ["TXT _dmarc", "TXT mail._domainkey"].every((one) => found.includes(one)) &&
        json.waiting_for.join() === "SIGNALBOX_MAIL_HOST,SIGNALBOX_PLATFORM_IPV4"
        ? undefined
        : `has the records ${found}, waiting for ${json.waiting_for}`
    }
  },
  { section: "1 §4.1", endpoint: "GET /api/v1/mail/domains/{domain}/accounts", out: ["items"] },
  {
    section: "1 §4.1",
    endpoint: "POST /api/v1/mail/domains/{domain}/accounts",
    in: ["local_part", "password", "quota_mb"],
    body: () => ({ local_part: "anna", password, quota_mb: 1024 }),
    status: 201,
    out: ["local_part", "quota_mb"],
    values: { local_part: "anna", quota_mb: 1024 },
    keeps: { account: "id" }
  },
  {
    section: "1 §4.1",
    endpoint: "GET /api/v1/mail/domains/{domain}/accounts",
    out: ["items"],
    // The user with this address owns the mailbox, once the daemon knows the user.
    also: ({ json }, { user }) =>
      json.items[0]?.user_id === user ? undefined : `belongs to user ${json.items[0]?.user_id}`
  },
  {
    section: "1 §4.1",
    endpoint: "PUT /api/v1/mail/accounts/{account}",
    in: ["password"],
    body: () => ({ password: `${password} again` }),
    out: ["local_part"]
  },
  { section: "1 §4.1", endpoint: "POST /api/v1/mail/accounts/{account}/suspend" },
  { section: "1 §4.1", endpoint: "POST /api/v1/mail/accounts/{account}/unsuspend" },
  { section: "1 §4.1", endpoint: "GET /api/v1/mail/domains/{domain}/aliases", out: ["items"] },
  {
    section: "1 §4.1",
    endpoint: "POST /api/v1/mail/domains/{domain}/aliases",
    in: ["source", "destination"],
    body: () => ({ source: "info", destination: "anna@example.org" }),
    status: 201,
    out: ["source", "destination"]
  }
]

const mailLogin: ReadonlyArray<Row> = [
  {
    section: "1 §4.3",
    endpoint: "POST /api/v1/auth/login",
    as: "nobody",
    body: ({ email, password: secret }) => ({ email, password: secret }),
    out: ["access_token"],
    also: ({ json }) => typeOf(json.access_token, "access")
  },
  {
    section: "1 §4.3, §2.3",
    endpoint: "POST /api/v1/auth/mail-token",
    as: "user",
    out: ["access_token", "token_type", "expires_in", "email"],
    values: { token_type: "Bearer", expires_in: 3600, email: "anna@example.org" },
    keeps: { mail_token: "access_token" },
    also: ({ json }) => typeOf(json.access_token, "mail_access")
  },
  {
    section: "1 §4.3, §2.3",
    endpoint: "POST /api/v1/auth/mail-token",
    as: "user",
    in: ["email"],
    body: () => ({ email: "anna@example.org" }),
    out: ["access_token", "token_type", "expires_in", "email"],
    values: { email: "anna@example.org" }
  },
  {
    section: "1 §4.3, §2.3",
    endpoint: "POST /api/v1/auth/token/introspect",
    in: ["token"],
    form: ({ mail_token: token }) => ({ token: String(token) }),
    out: ["active", "username", "scope", "token_type", "exp"],
    values: { active: true, username: "anna@example.org", scope: "imap smtp", token_type: "Bearer" }
  }
]

/** Whether the token is a JWT of this type. */
const typeOf = (token: string, type: string) => {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
  return claims.type === type ? undefined : `is a token of type ${claims.type}, not ${type}`
}

const noServer = {
  section: "1 §4.2, §2.2",
  as: "user",
  status: 503,
  values: { code: "mail_server_unavailable" }
} as const

/**
 * A fresh installation knows no mail server, so the rows that read or send mail expect the problem that says so.
 * tests/daemons/mail-watcher runs the same endpoints against real mail servers.
 */
const webmail: ReadonlyArray<Row> = [
  { section: "1 §4.2", endpoint: "GET /api/v1/mail/signatures/", as: "user", out: ["items"] },
  {
    section: "1 §4.2, §2.1",
    endpoint: "POST /api/v1/mail/signatures/",
    as: "user",
    in: ["name", "html", "is_default", "rules"],
    body: () => ({
      name: "Office",
      html: "<p>Anna</p>",
      is_default: true,
      rules: [{ match_type: "domain", match_value: "example.net" }]
    }),
    status: 201,
    out: ["name", "html", "is_default", "rules"]
  },
  {
    section: "1 §4.2",
    endpoint: "GET /api/v1/mail/signatures/match",
    as: "user",
    in: ["to"],
    query: () => ({ to: "ben@example.net" }),
    also: ({ json }) => ((json.signature ?? json).name === "Office" ? undefined : "is another signature")
  },
  {
    section: "1 §4.2",
    endpoint: "GET /api/v1/mail/webmail/contacts/search",
    as: "user",
    in: ["q"],
    query: () => ({ q: "ann" }),
    out: ["items"]
  },
  { ...noServer, endpoint: "GET /api/v1/mail/webmail/folders" },
  {
    ...noServer,
    endpoint: "GET /api/v1/mail/webmail/messages/{folder}",
    in: ["page", "per_page"],
    query: () => ({ page: 1, per_page: 50 })
  },
  { ...noServer, endpoint: "GET /api/v1/mail/webmail/messages/{folder}/{uid}" },
  { ...noServer, endpoint: "DELETE /api/v1/mail/webmail/messages/{folder}/{uid}" },
  {
    ...noServer,
    endpoint: "POST /api/v1/mail/webmail/messages/{folder}/{uid}/move",
    in: ["target"],
    body: () => ({ target: "Archive" })
  },
  {
    ...noServer,
    endpoint: "POST /api/v1/mail/webmail/messages/{folder}/{uid}/flags",
    in: ["flags"],
    body: () => ({ flags: ["\\Seen", "\\Flagged"] })
  },
  {
    ...noServer,
    endpoint: "POST /api/v1/mail/webmail/send",
    in: ["to", "cc", "bcc", "subject", "html", "plain", "in_reply_to"],
    body: () => ({
      to: ["ben@example.net"],
      cc: [],
      bcc: [],
      subject: "Hello",
      html: "<p>Hello</p>",
      plain: "Hello",
      in_reply_to: "<1@example.net>"
    })
  },
  { section: "1 §4.2", endpoint: "GET /api/v1/mail/webmail/watcher/status", as: "user", out: ["items"] }
]

export const documentOneMail: ReadonlyArray<Row> = [...mail, ...mailLogin, ...webmail]
