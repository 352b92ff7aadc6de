/** Shape of the words of one language. Types only. */
import type { FindingCode } from "../decide/Finding.ts"

/** What the sentences are made of; lists are ready to be read. */
export interface Said {
  /** `found`, `servers` and so on, of the finding's arguments; `…` where there is nothing to name. */
  readonly list: (argument: string) => string
  readonly has: (argument: string) => boolean
  /** Whether other servers of the domain answer. */
  readonly partly: boolean
  /** `www.example.org`, of the record the finding is about. */
  readonly name: string
  readonly type: string
}

/** The matter, and what to do about it; `todo` is empty where there is nothing. */
export interface Sentences {
  readonly says: string
  readonly todo: string
}

export type Dictionary = Readonly<Record<FindingCode, (said: Said) => Sentences>>
