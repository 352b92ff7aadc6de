/**
 * Turns findings into sentences for the owner of a domain: the problem, and what to do. Written for readers without
 * technical knowledge. Pure.
 */
import type { Catalogue, Language } from "#core/words/Language.ts"
import { type Finding, type Severity, severityOf } from "../decide/Finding.ts"
import type { Dictionary, Sentences } from "./Dictionary.ts"
import { english } from "./English.ts"
import { german } from "./German.ts"

const dictionaries: Catalogue<Dictionary> = { de: german, en: english }

/** Maximum number of items named in a list. Reason: one sentence. */
const named = 6

/** Longest shown item. Unit: UTF-16 units. Reason: one sentence; strangers write the items. */
const longest = 120

export const sentencesOf = (finding: Finding, domain: string, language: Language): Sentences => {
  const name = finding.record === null || finding.record.name === "@" ? domain : `${finding.record.name}.${domain}`
  return dictionaries[language][finding.code]({
    list: (argument) => listed(finding.args[argument] ?? [], language),
    has: (argument) => (finding.args[argument] ?? []).length > 0,
    partly: finding.args["working"]?.[0] === "some",
    name,
    type: finding.record?.type ?? ""
  })
}

/** A finding as the API shows it. */
export const viewOf = (
  finding: Finding,
  domain: string,
  language: Language
): {
  readonly code: string
  readonly severity: Severity
  readonly record: Finding["record"]
  readonly text: string
} => {
  const { says, todo } = sentencesOf(finding, domain, language)
  return {
    code: finding.code,
    severity: severityOf(finding),
    record: finding.record,
    text: todo === "" ? says : `${says} ${todo}`
  }
}

const more: Catalogue<(count: number) => string> = {
  de: (count) => `und ${count} weitere`,
  en: (count) => `and ${count} more`
}
const and: Catalogue<string> = { de: " und ", en: " and " }

const listed = (items: ReadonlyArray<string>, language: Language): string => {
  if (items.length === 0) return "…"
  const shown = items.slice(0, named).map((item) => (item.length > longest ? `${item.slice(0, longest)}…` : item))
  if (items.length > named) return `${shown.join(", ")} ${more[language](items.length - named)}`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")}${and[language]}${shown.at(-1)}`
}
