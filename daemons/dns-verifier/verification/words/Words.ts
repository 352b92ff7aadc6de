/**
 * Findings in words for whoever owns the domain: what is the matter, and what to do. Pure. Nothing in them is of
 * interest to engineers only.
 */
import { type Finding, type Severity, severityOf } from "../decide/Finding.ts"
import type { Dictionary, Sentences } from "./Dictionary.ts"
import { english } from "./English.ts"
import { german } from "./German.ts"

export type Language = "de" | "en"

const dictionaries: Readonly<Record<Language, Dictionary>> = { de: german, en: english }

/** Items of a list that are named. Unit: items. Reason: a sentence. */
const named = 6

/** Longest item that is shown. Unit: UTF-16 units. Reason: the same; strangers write them. */
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

/** As the interface shows a finding. */
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

const more: Readonly<Record<Language, (count: number) => string>> = {
  de: (count) => `und ${count} weitere`,
  en: (count) => `and ${count} more`
}
const and: Readonly<Record<Language, string>> = { de: " und ", en: " and " }

const listed = (items: ReadonlyArray<string>, language: Language): string => {
  if (items.length === 0) return "…"
  const shown = items.slice(0, named).map((item) => (item.length > longest ? `${item.slice(0, longest)}…` : item))
  if (items.length > named) return `${shown.join(", ")} ${more[language](items.length - named)}`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")}${and[language]}${shown.at(-1)}`
}
