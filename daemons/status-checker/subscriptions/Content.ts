/** Content of a mail as stored with its creation; rendered when it is sent. */
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { IncidentStatus, Severity } from "../status/Vocabulary.ts"

interface Named {
  /** Name in German. */
  readonly name: string
  /** Name in English. */
  readonly name_en: string
}

interface CommonContent {
  readonly id: string
  readonly title: string
  readonly title_en: string
  readonly message: string
  readonly message_en: string
  /** Affected components; an empty list means all. */
  readonly components: ReadonlyArray<Named>
}

/** Update of an incident. */
export interface IncidentContent extends CommonContent {
  readonly kind: "incident"
  readonly status: IncidentStatus
  readonly severity: Severity
  readonly timestamp: string
}

/** Announced maintenance. */
export interface MaintenanceContent extends CommonContent {
  readonly kind: "maintenance"
  readonly starts_at: string
  readonly ends_at: string
}

/** Subscription request to confirm, with the requested language. */
export interface ConfirmContent {
  readonly kind: "confirm"
  readonly lang: LanguageCode
}

export type NoticeContent = IncidentContent | MaintenanceContent
export type Content = NoticeContent | ConfirmContent
