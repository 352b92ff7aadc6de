/**
 * The steps that the rules of trust add to document 1, §4.1 for users of a customer's tenant: a domain that a user
 * creates is used only after the tenant has proven that the name is its own, or the provider has asserted it.
 */
import type { Row, Seen } from "./Row.ts"

const asMember = ({ member_token: token }: Seen) => ({ authorization: `Bearer ${token}` })
const member = { as: "nobody", headers: asMember, section: "1 §4.1" } as const
const mailbox = {
  endpoint: "POST /api/v1/mail/domains/{claimed}/accounts",
  in: ["local_part", "password", "quota_mb"],
  body: () => ({ local_part: "cara", password: "four words in a row", quota_mb: 1024 })
} as const

export const domainProof: ReadonlyArray<Row> = [
  {
    ...member,
    endpoint: "POST /api/v1/mail/domains",
    in: ["domain", "customer_id"],
    body: () => ({ domain: "customer.example.net", customer_id: 2 }),
    status: 201,
    values: { "ownership.state": "pending", "ownership.challenge.type": "TXT" },
    keeps: { claimed: "id" }
  },
  {
    ...member,
    ...mailbox,
    trust: "a pending domain has no mailboxes",
    status: 409,
    values: { code: "domain_pending" }
  },
  {
    ...member,
    trust: "our addition: looks for the TXT record of the challenge soon",
    endpoint: "POST /api/v1/mail/domains/{claimed}/ownership/check",
    status: 202
  },
  {
    section: "1 §4.1",
    trust: "our addition: the provider asserts the name in place of the proof",
    endpoint: "POST /api/v1/mail/domains/{claimed}/assert",
    values: { "ownership.state": "proven" }
  },
  { ...member, ...mailbox, status: 201, values: { local_part: "cara" } }
]
