/** Rows of document 2, §4.4: client provisioning. */
import type { Row, Seen } from "./Row.ts"

/** The path of a link, for the row that opens it. */
const tokenOf = (link: string) => link.slice(link.lastIndexOf("/") + 1)

const answer = [
  "server_url",
  "plan",
  "features",
  "user.id",
  "user.email",
  "user.display_name",
  "user.locale",
  "services",
  "booked.modules",
  "booked.subscriptions",
  "booked.addons"
] as const

interface Service {
  readonly slug: string
  readonly booked: boolean
  readonly config?: Readonly<Record<string, unknown>>
}

/** Keys of the table that each service of the answer must have. */
const serviceKeys = ["slug", "feature", "name", "description", "icon", "booked", "is_base"]

const checked = (services: ReadonlyArray<Service>, hasLogin: boolean): string | undefined => {
  if (services.length !== 6) return `has ${services.length} services`
  const short = services.find((service) => serviceKeys.some((key) => !(key in service)))
  if (short !== undefined) return `${short.slug} lacks a key`
  const login = services.find(({ slug }) => slug === "platform-access")!.config!
  if (login["token_ttl_minutes"] !== 15) return "has no lifetime of the login token"
  return "login_token" in login === hasLogin ? undefined : "has or lacks the login token"
}

const documented = { section: "2 §4.4, §2.4" } as const

export const documentTwoProvisioning: ReadonlyArray<Row> = [
  {
    ...documented,
    endpoint: "POST /api/v1/provisioning/client-tokens",
    body: ({ person }) => ({ user_id: person }),
    status: 201,
    out: ["link"],
    also: ({ json }, seen: Seen) => {
      seen["link"] = tokenOf(json.link)
      return /\/provision\/[a-z]+_[0-9a-f]{8}_[\w-]{64}$/.test(json.link) ? undefined : "has another link"
    },
    keeps: { token_id: "id" }
  },
  { ...documented, endpoint: "GET /api/v1/provisioning/client-tokens", out: ["items"] },
  {
    ...documented,
    endpoint: "GET /provision/{link}",
    in: ["lang"],
    query: () => ({ lang: "de" }),
    as: "nobody",
    out: answer,
    also: ({ json }) => checked(json.services, true)
  },
  {
    ...documented,
    endpoint: "GET /api/v1/provisioning/my-services",
    in: ["lang"],
    query: () => ({ lang: "de" }),
    as: "user",
    out: answer,
    also: ({ json }) => checked(json.services, false)
  },
  {
    ...documented,
    endpoint: "POST /api/v1/provisioning/client-tokens",
    body: ({ person }) => ({ user_id: person }),
    status: 201,
    keeps: { token_id: "id" }
  },
  { ...documented, endpoint: "DELETE /api/v1/provisioning/client-tokens/{token_id}", status: 204 }
]
