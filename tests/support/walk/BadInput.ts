/** One wrong request, and what it must be answered. */
import type { Wire } from "./Wire.ts"

export interface BadInput {
  /** `body.payload.email_subject: NUL`; exceptions of a case speak of it. */
  readonly name: string
  readonly wire: Wire
  /** What a 422 has to name: `payload.payload.email_subject`. Undefined: any field. */
  readonly field?: string
  /** The only status that will do. Undefined: any 4xx. */
  readonly status?: number
}

/** Text that no request may carry: Postgres holds neither, and they tell apart two readings of one string. */
export const unstorable = { NUL: "\0", "lone surrogate": "\ud800" } as const

/** Where a schema sets no bound. Unit: characters. */
export const endless = 100_000

/** Of a path or a query, within the bound on headers. Unit: characters. */
export const longParameter = 10_000
