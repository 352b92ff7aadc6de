/** Answers of the daemon localization, as the pages use them. */
import type { Answer } from "../../lib/Endpoints.ts"

export type Counts = Answer<"GET /api/v1/i18n/admin/statistics">["languages"][number]
export type Text = Answer<"GET /api/v1/i18n/admin/translations/:locale">["items"][number]
export type TextState = Text["state"]
export type Change = Answer<"GET /api/v1/i18n/admin/translations/:locale/:key/history">["items"][number]
export type Rebuild = Answer<"GET /api/v1/i18n/admin/rebuilds">["items"][number]
export type ImportResult = Answer<"POST /api/v1/i18n/admin/files/:locale/csv">

/** Languages that cannot be removed. Source: interface document 2 §7. */
export const kept: ReadonlySet<string> = new Set(["de", "en"])
