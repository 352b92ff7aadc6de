/** The event log as comm-dispatcher answers it. */
import { address, request } from "../../lib/Call.ts"
import type { Bucket } from "./EventTypes.ts"

export interface LoggedEvent {
  readonly id: string
  readonly type: string
  readonly tenant_id: number | null
  readonly user_id: number | null
  readonly source: string
  readonly at: string
  readonly data: unknown
}

export interface LogPage {
  readonly items: ReadonlyArray<LoggedEvent>
  readonly next_before: string | null
}

const ask = async <A>(name: string, query: Readonly<Record<string, unknown>>): Promise<A> => (await request(address(name, {}, query))).json() as Promise<A>

export const askEvents = (query: { readonly limit: number; readonly before?: string | undefined; readonly pattern: string; readonly since: string; readonly until?: string | undefined }) =>
  ask<LogPage>("GET /api/v1/events", query)

export const askHistogram = (query: { readonly pattern: string; readonly since: string; readonly until: string; readonly buckets: number }) =>
  ask<{ readonly buckets: ReadonlyArray<Bucket> }>("GET /api/v1/events/histogram", query)
