/** What a mail says, as its row keeps it from when it was decided: rendered when it is sent. */
import type { Language } from "#core/words/Language.ts"
import type { IncidentStatus, Severity } from "../status/Vocabulary.ts"

interface Named {
  /** German. */
  readonly name: string
  /** English. */
  readonly name_en: string
}

interface Told {
  readonly id: string
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
  /** Concerned; none: all of them. */
  readonly components: ReadonlyArray<Named>
}

/** One update of an incident. */
export interface IncidentContent extends Told {
  readonly kind: "incident"
  readonly status: IncidentStatus
  readonly severity: Severity
  readonly timestamp: string
}

/** Work that was announced. */
export interface MaintenanceContent extends Told {
  readonly kind: "maintenance"
  readonly starts_at: string
  readonly ends_at: string
}

/** A wish to be confirmed; the language is the wished one. */
export interface ConfirmContent {
  readonly kind: "confirm"
  readonly lang: Language
}

export type NoticeContent = IncidentContent | MaintenanceContent
export type Content = NoticeContent | ConfirmContent
