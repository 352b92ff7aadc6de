import type { Answer } from "../../lib/Endpoints.ts"

export type Domain = Answer<"GET /api/v1/domains/:id">
export type Check = Answer<"GET /api/v1/domains/:id/check">
export type Finding = Check["findings"][number]
export type Observation = NonNullable<Check["observation"]>
export type Asked = Observation["asked"][number]
export type Said = Asked["resolvers"][number]["said"]
export type Outcome = Answer<"GET /api/v1/domains/:id/records">["provider"]
export type DnsRecord = Answer<"GET /api/v1/domains/:id/records">["items"][number]
export type Plan = Answer<"GET /api/v1/domains/:id/plans/:plan_id">
export type PlanStep = Plan["steps"][number]
export type Provider = Answer<"GET /api/v1/dns-providers">["items"][number]
export type ProviderType = Provider["type"]
