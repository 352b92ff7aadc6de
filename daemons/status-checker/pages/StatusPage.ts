/** The status page as one document without script. Pure. */
import type { Snapshot } from "../Model.ts"
import type { Language } from "./Language.ts"
import { html, pageHeaders } from "./Page.ts"
import { words } from "./Words.ts"

/** Go with it, whoever serves it. */
export const statusPageHeaders: Readonly<Record<string, string>> = pageHeaders

export const statusPage = (snapshot: Snapshot, language: Language): string => html({ language, title: words[language].banner[snapshot.status], listed: true })
