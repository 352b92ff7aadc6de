/** Shape of the sentences of one language. Types only. */
import type { FindingCode } from "../decide/Finding.ts"

/** Arguments of a sentence; lists are formatted. */
export interface Said {
  /** Formatted argument of the finding, such as `found` or `servers`; `…` when it is empty. */
  readonly list: (argument: string) => string
  readonly has: (argument: string) => boolean
  /** Whether other servers of the domain answer. */
  readonly partly: boolean
  /** Full name of the record concerned, such as `www.example.org`. */
  readonly name: string
  readonly type: string
}

/** The problem, and what to do; `todo` is empty when nothing has to be done. */
export interface Sentences {
  readonly says: string
  readonly todo: string
}

export type Dictionary = Readonly<Record<FindingCode, (said: Said) => Sentences>>
