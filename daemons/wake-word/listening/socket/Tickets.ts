/**
 * Tickets of the audio socket. A ticket is in the address, so it opens one connection only, within a minute. It is a
 * signed text and is stored nowhere; the ids of used tickets are stored, for all processes. Source of the lifetime:
 * interface of the daemon, GET /status.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto"
import type { Owner } from "./Connection.ts"

/** Lifetime of a ticket. Unit: milliseconds. */
export const ticketLife = 60_000

/** Purpose of the derived key. */
export const ticketUse = "wake word ticket"

/** Longest ticket. Unit: characters. Reason: longer than any that we make. */
const maxTicket = 256

export interface Ticket extends Owner {
  readonly id: string
  /** Unit: milliseconds since 1970. */
  readonly expiresAt: number
}

export const newTicket = (owner: Owner, now: number): Ticket => ({
  ...owner,
  id: randomUUID(),
  expiresAt: now + ticketLife
})

/** The ticket as text of an address. Pure. */
export const write = ({ expiresAt, id, tenantId, userId }: Ticket, key: Uint8Array): string => {
  const text = Buffer.from(JSON.stringify([id, tenantId, userId, expiresAt])).toString("base64url")
  return `${text}.${signature(text, key)}`
}

const signature = (text: string, key: Uint8Array): string => createHmac("sha256", key).update(text).digest("base64url")

/** The ticket of a text that one of the keys signed; undefined for any other text, and for an expired ticket. Pure. */
export const read = (text: string, keys: ReadonlyArray<Uint8Array>, now: number): Ticket | undefined => {
  if (text.length > maxTicket) return undefined
  const [payload, mark, ...rest] = text.split(".")
  if (payload === undefined || mark === undefined || rest.length > 0) return undefined
  if (!keys.some((key) => isSame(signature(payload, key), mark))) return undefined
  const [id, tenantId, userId, expiresAt] = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as [
    string,
    number,
    number | null,
    number
  ]
  return expiresAt <= now ? undefined : { id, tenantId, userId, expiresAt }
}

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Uses the ticket up. False: it was used before. */
export const use = ({ expiresAt, id }: Ticket) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`insert into wake_word.used_ticket (id, expires_at) values (${id}, ${new Date(expiresAt)})
        on conflict do nothing returning 1`,
      (rows) => rows.length === 1
    )
  )

/** Forgets tickets that have expired anyway. The margin covers clocks of hosts that differ. */
export const forgetExpired = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql`delete from wake_word.used_ticket where expires_at < now() - interval '10 minutes' returning 1`,
    (rows) => rows.length
  )
)
