/** Rows of document 2, §4.1 and §4.3: domains, DNS and telephony. */
import type { Row } from "./Row.ts"

const noAdapter = { status: 409, values: { code: "no_adapter" } } as const

const domains: ReadonlyArray<Row> = [
  {
    section: "2 §4.1",
    endpoint: "POST /api/v1/dns-providers",
    in: ["customer_id", "name", "type", "credentials", "is_default"],
    body: () => ({ customer_id: 1, name: "By hand", type: "manual", credentials: {}, is_default: true }),
    status: 201,
    out: ["customer_id", "name", "type", "is_default"],
    keeps: { provider: "id" }
  },
  // A provider of type manual has neither credentials nor zones.
  { section: "2 §4.1", endpoint: "POST /api/v1/dns-providers/{provider}/test", ...noAdapter },
  { section: "2 §4.1", endpoint: "GET /api/v1/dns-providers/{provider}/zones", ...noAdapter },
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
    steps: ["POST /api/v1/domains/{zone}/ownership/check"],
    out: ["name", "customer_id", "dns_provider_id", "dns_status", "status", "detected_provider"],
    values: { name: "example.org", customer_id: 1 },
    keeps: { zone: "id" }
  },
  {
    section: "2 §4.1, §2.1",
    endpoint: "POST /api/v1/domains",
    in: ["name", "customer_id", "dns_provider_id"],
    body: ({ provider }) => ({ name: "example.net", customer_id: 1, dns_provider_id: provider }),
    status: 201,
    out: ["name", "customer_id", "dns_provider_id", "dns_status", "status", "detected_provider"]
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
    out: ["domain", "dns_status", "detected_provider", "required_records", "verification_status"],
    // The addresses of the platform are settings; without them no record is required.
    also: ({ json }) => (json.required_records.length === 0 ? undefined : "requires records")
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
  { section: "2 §4.1", endpoint: "DELETE /api/v1/domains/{zone}/records/{record}", status: 204 }
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
    steps: ["POST /api/v1/sip/domains/{domain}/ownership/check"],
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
    steps: ["POST /api/v1/sip/dids/{did}/assign"],
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

export const documentTwo: ReadonlyArray<Row> = [...domains, ...telephony]
