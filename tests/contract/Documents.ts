/**
 * Every endpoint of the interface documents that exists, called with exactly the documented fields. A row quotes the
 * document: section, method, path and field names. `out` lists documented fields of the answer; where the document
 * shows none, it lists nothing. A row whose status is missing expects 200.
 */
import type { Answer } from "#support/TestSuite.ts"

/** Ids that earlier rows got, by the name of their parameter. */
export type Seen = Record<string, string | number>

export interface Row {
  /** Document and section, such as `1 §4.1`. */
  readonly section: string
  /** As in the document. */
  readonly endpoint: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`
  /** Documented fields of body or query, in the order of the document. */
  readonly in?: ReadonlyArray<string>
  readonly body?: (seen: Seen) => Readonly<Record<string, unknown>>
  /** Sent as a form in place of JSON. */
  readonly form?: (seen: Seen) => Readonly<Record<string, string>>
  readonly query?: (seen: Seen) => Readonly<Record<string, string | number | boolean>>
  /** Caller. `user`: a signed-in admin by bearer token. Default: a service token. */
  readonly as?: "user" | "nobody"
  readonly of?: "status-checker" | "edge-auth"
  readonly headers?: Readonly<Record<string, string>>
  readonly status?: number
  /** Documented fields of the answer. A path such as `components.cache.latency_ms` names a nested one. */
  readonly out?: ReadonlyArray<string>
  /** Values that the document shows. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Ids for later rows: name of the parameter, and field of the answer. */
  readonly keeps?: Readonly<Record<string, string>>
  /**
   * Steps that the rules of trust add for a caller of a customer's tenant, after this call with the same documented
   * fields. Callers of the provider need none.
   */
  readonly trust?: ReadonlyArray<`POST /${string}`>
  /** Other documented properties of the answer. Returns what differs. */
  readonly also?: (answer: Answer, seen: Seen) => string | undefined
}

const password = "four words in a row"

const html = ({ headers }: Answer) =>
  headers.get("content-type")?.startsWith("text/html") === true ? undefined : "is no page"

const mail: ReadonlyArray<Row> = [
  { section: "1 §4.1", endpoint: "GET /api/v1/mail/domains", out: ["items"] },
  {
    section: "1 §4.1, §2.1",
    endpoint: "POST /api/v1/mail/domains",
    in: ["domain", "customer_id"],
    body: () => ({ domain: "example.org", customer_id: 1 }),
    status: 201,
    trust: ["POST /api/v1/mail/domains/{domain}/ownership/check"],
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
    keeps: { account: "id" },
    // The user with this address owns the mailbox.
    also: ({ json }, { user }) => (json.user_id === user ? undefined : `belongs to user ${json.user_id}`)
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
    out: ["access_token"]
  },
  {
    section: "1 §4.3, §2.3",
    endpoint: "POST /api/v1/auth/mail-token",
    as: "user",
    out: ["access_token", "token_type", "expires_in", "email"],
    values: { token_type: "Bearer", expires_in: 3600, email: "anna@example.org" },
    keeps: { mail_token: "access_token" }
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

/** The rows that read or send mail need a mail server; tests/daemons/mail-watcher runs them against real ones. */
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
  { section: "1 §4.2", endpoint: "GET /api/v1/mail/webmail/watcher/status", as: "user", out: ["items"] }
]

const communication: ReadonlyArray<Row> = [
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/messenger",
    in: ["chat_id", "text", "severity"],
    body: () => ({ chat_id: "123456", text: "Disk full", severity: "WARNING" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/messenger/voice",
    in: ["chat_id", "text", "caption", "tts_provider", "tts_voice"],
    body: () => ({ chat_id: "123456", text: "Disk full", caption: "", tts_provider: "local_fast", tts_voice: "de" }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/comm/notify",
    in: ["channels", "text", "severity", "tts_provider", "tts_voice"],
    body: () => ({
      channels: [
        { channel: "messenger", target: "123456" },
        { channel: "sms", target: "+4930123456" }
      ],
      text: "Disk full",
      severity: "CRITICAL",
      tts_provider: "local_gpu",
      tts_voice: "de"
    }),
    status: 202
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "GET /api/v1/comm/health",
    out: [
      "status",
      "components.cache.status",
      "components.cache.latency_ms",
      "components.tts.status",
      "components.telephony.status",
      "components.messenger.status"
    ]
  },
  {
    section: "1 §4.4, §2.4",
    endpoint: "POST /api/v1/workflows/trigger",
    in: ["event_type", "payload"],
    body: () => ({
      event_type: "email.alarm.received",
      payload: {
        email_subject: "CRITICAL:MESSENGER+123456;RETRY:3x5m",
        email_body: "Disk full on db1",
        email_from: "ops@example.org"
      }
    }),
    status: 202,
    // Nobody is an allowed sender yet.
    also: ({ json }) => (json.state === "rejected" ? undefined : `is ${json.state}`)
  }
]

const notifications: ReadonlyArray<Row> = [
  {
    section: "1 §4.5",
    endpoint: "GET /api/v1/notifications",
    as: "user",
    in: ["limit", "unread_only", "category"],
    query: () => ({ limit: 10, unread_only: true, category: "system" }),
    out: ["items"],
    also: ({ json }, seen) => {
      const [first] = json.items
      if (first === undefined) return "lists nothing"
      seen["uuid"] = first.uuid
      const fields =
        "id,uuid,user_id,tenant_id,type,channel,category,severity,icon,title,body,data,entity_type,entity_id," +
        "action_url,read_at,created_at"
      const missing = fields.split(",").filter((name) => !(name in first))
      return missing.length === 0 ? undefined : `lacks ${missing}`
    }
  },
  { section: "1 §4.5", endpoint: "GET /api/v1/notifications/summary", as: "user", out: ["total", "unread"] },
  { section: "1 §4.5", endpoint: "PUT /api/v1/notifications/{uuid}/read", as: "user", also: () => undefined },
  { section: "1 §4.5", endpoint: "POST /api/v1/notifications/read-all", as: "user" },
  { section: "1 §4.5", endpoint: "DELETE /api/v1/notifications/{uuid}", as: "user", status: 204 }
]

const domains: ReadonlyArray<Row> = [
  {
    section: "2 §4.1",
    endpoint: "POST /api/v1/dns-providers",
    in: ["customer_id", "name", "type", "credentials", "is_default"],
    body: () => ({ customer_id: 1, name: "By hand", type: "manual", credentials: {}, is_default: true }),
    status: 201,
    out: ["customer_id", "name", "type", "is_default"]
  },
  {
    section: "2 §4.1",
    endpoint: "GET /api/v1/dns-providers",
    in: ["customer_id"],
    query: () => ({ customer_id: 1 }),
    out: ["items"]
  },
  {
    section: "2 §4.1, §2.1",
    endpoint: "POST /api/v1/domains",
    in: ["name", "customer_id"],
    body: () => ({ name: "example.org", customer_id: 1 }),
    status: 201,
    trust: ["POST /api/v1/domains/{zone}/ownership/check"],
    out: ["name", "customer_id", "dns_provider_id", "dns_status", "status", "detected_provider"],
    values: { name: "example.org", customer_id: 1 },
    keeps: { zone: "id" }
  },
  {
    section: "2 §4.1",
    endpoint: "GET /api/v1/domains",
    in: ["skip", "limit", "customer_id"],
    query: () => ({ skip: 0, limit: 50, customer_id: 1 }),
    out: ["items"]
  },
  {
    section: "2 §4.1, §2.1",
    endpoint: "GET /api/v1/domains/{zone}/dns-instructions",
    out: ["domain", "dns_status", "detected_provider", "required_records", "verification_status"]
  },
  { section: "2 §4.1", endpoint: "POST /api/v1/domains/{zone}/verify", out: ["dns_status"] },
  { section: "2 §4.1", endpoint: "GET /api/v1/domains/{zone}/records", out: ["items"] },
  {
    section: "2 §4.1, §2.1",
    endpoint: "POST /api/v1/domains/{zone}/records",
    in: ["type", "name", "content", "ttl"],
    body: () => ({ type: "A", name: "shop", content: "192.0.2.7", ttl: 3600 }),
    status: 201,
    out: ["type", "name", "content", "ttl"],
    keeps: { record: "id" }
  },
  {
    section: "2 §4.1",
    endpoint: "PUT /api/v1/domains/{zone}/records/{record}",
    in: ["content"],
    body: () => ({ content: "192.0.2.8" }),
    out: ["content"],
    values: { content: "192.0.2.8" }
  },
  { section: "2 §4.1", endpoint: "DELETE /api/v1/domains/{zone}/records/{record}", also: () => undefined }
]

const telephony: ReadonlyArray<Row> = [
  {
    section: "2 §4.3, §2.3",
    endpoint: "POST /api/v1/sip/extensions",
    in: ["extension", "name", "domain", "user_id", "password", "enabled"],
    body: ({ user }) => ({
      extension: "1001",
      name: "Anna",
      domain: "voice.example.org",
      user_id: user,
      password: "abcdefgh12345678",
      enabled: true
    }),
    status: 201,
    trust: ["POST /api/v1/sip/domains/{domain}/ownership/check"],
    out: ["extension", "name", "domain", "user_id", "enabled"],
    keeps: { extension: "id" }
  },
  { section: "2 §4.3", endpoint: "GET /api/v1/sip/extensions", out: ["items"] },
  {
    section: "2 §4.3",
    endpoint: "GET /api/v1/sip/extensions/{extension}/config",
    out: ["extension", "password"],
    values: { password: "abcdefgh12345678" }
  },
  {
    section: "2 §4.3, §2.3",
    endpoint: "POST /api/v1/sip/ring-groups",
    in: ["name", "strategy", "ring_timeout", "extensions"],
    body: () => ({ name: "Sales", strategy: "simultaneous", ring_timeout: 20, extensions: ["1001"] }),
    status: 201,
    out: ["name", "strategy", "ring_timeout", "extensions"]
  },
  { section: "2 §4.3", endpoint: "GET /api/v1/sip/ring-groups", out: ["items"] },
  {
    section: "2 §4.3, §2.3",
    endpoint: "POST /api/v1/sip/call-filters",
    in: ["name", "type", "pattern", "action"],
    body: () => ({ name: "Premium", type: "blacklist", pattern: "+49900*", action: "reject" }),
    status: 201,
    out: ["name", "type", "pattern", "action"]
  },
  { section: "2 §4.3", endpoint: "GET /api/v1/sip/call-filters", out: ["items"] },
  {
    section: "2 §4.3, §2.3",
    endpoint: "POST /api/v1/sip/dids",
    in: ["number", "name", "trunk_id", "destination_type", "destination_id"],
    body: ({ extension, trunk }) => ({
      number: "+4930123456",
      name: "Main",
      trunk_id: trunk,
      destination_type: "extension",
      destination_id: extension
    }),
    status: 201,
    trust: ["POST /api/v1/sip/dids/{did}/assign"],
    out: ["number", "name", "trunk_id", "destination_type", "destination_id"],
    keeps: { did: "id" }
  },
  { section: "2 §4.3", endpoint: "GET /api/v1/sip/dids", out: ["items"] },
  {
    section: "2 §4.3, §2.3",
    endpoint: "POST /api/v1/sip/lines",
    in: ["extension_id", "did_id", "trunk_id", "priority"],
    body: ({ did, extension, trunk }) => ({ extension_id: extension, did_id: did, trunk_id: trunk, priority: 1 }),
    status: 201,
    out: ["extension_id", "did_id", "trunk_id", "priority"]
  },
  { section: "2 §4.3", endpoint: "GET /api/v1/sip/lines", out: ["items"] }
]

const page = { of: "status-checker", as: "nobody" } as const

const statusPage: ReadonlyArray<Row> = [
  {
    ...page,
    section: "3 §4.1, §2.1",
    endpoint: "GET /api/v1/status",
    in: ["lang"],
    query: () => ({ lang: "de" }),
    out: ["status", "components", "incidents", "timestamp"]
  },
  { ...page, section: "3 §4.1", endpoint: "GET /api/v1/components", out: ["components"] },
  { ...page, section: "3 §4.1", endpoint: "GET /api/v1/uptime", out: ["components"] },
  {
    ...page,
    section: "3 §4.1",
    endpoint: "GET /api/v1/incidents",
    in: ["limit", "status"],
    query: () => ({ limit: 100, status: "resolved" }),
    out: ["incidents"]
  },
  { ...page, section: "3 §4.1", endpoint: "GET /api/docs", also: html }
]

const door = { of: "edge-auth", as: "nobody" } as const
const asked = { "x-forwarded-host": "app.example.org", "x-forwarded-uri": "/", "x-forwarded-proto": "https" }

const edge: ReadonlyArray<Row> = [
  // Rule 1: no enabled route matches.
  { ...door, section: "3 §4.2", endpoint: "GET /verify", headers: asked },
  { ...door, section: "3 §4.2", endpoint: "GET /login", also: html },
  { ...door, section: "3 §4.2", endpoint: "GET /register", also: html },
  { ...door, section: "3 §4.2", endpoint: "GET /logout", also: html },
  // Rule 3: the panel needs a session.
  { ...door, section: "3 §4.2", endpoint: "GET /admin", status: 302 }
]

const preferences: ReadonlyArray<Row> = [
  {
    section: "3 §4.5, §2.6",
    endpoint: "GET /api/v1/settings/preferences",
    as: "user",
    out: ["mail_handler", "call_handler"]
  },
  {
    section: "3 §4.5, §2.6",
    endpoint: "PUT /api/v1/settings/preferences",
    as: "user",
    in: ["mail_handler", "call_handler"],
    body: () => ({ mail_handler: "internal", call_handler: "system" }),
    values: { mail_handler: "internal", call_handler: "system" }
  }
]

/** In the order of the calls: later rows use ids of earlier ones. */
export const rows: ReadonlyArray<Row> = [
  ...mail,
  ...mailLogin,
  ...webmail,
  ...communication,
  ...notifications,
  ...domains,
  ...telephony,
  ...statusPage,
  ...edge,
  ...preferences
]
