/** One invalid request and its required answer. */
import type { Wire } from "./Wire.ts"

export interface BadInput {
  /** Name in findings and in the exceptions of a case, such as `body.payload.email_subject: NUL`. */
  readonly name: string
  readonly wire: Wire
  /** Field that a 422 must name, such as `payload.payload.email_subject`; undefined: any field. */
  readonly field?: string
  /** The only accepted status; undefined: any 4xx. */
  readonly status?: number
}

/** Text that no request may contain. Postgres cannot store it, and parsers interpret such strings differently. */
export const unstorable = { NUL: "\0", "lone surrogate": "\ud800" } as const

/** Length of text for fields without a length limit in the schema. Unit: characters. */
export const endless = 100_000

/** Length of a path or query parameter, within the limit on headers. Unit: characters. */
export const longParameter = 10_000
