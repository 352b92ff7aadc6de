/**
 * Status of each wanted record. Sets are compared as a whole, because visitors also get the other records of the set.
 * Pure.
 */
import type { MailRecord, RecordStatus } from "#core/contracts/MailDomains.ts"
import type { Observation } from "../observe/Observation.ts"
import { canonical } from "../../record-sets/CanonicalContent.ts"
import { askedOf, type DefiniteAnswer, summarizeAnswers } from "./AnswerSummary.ts"
import { kindOf, isEquivalentTxt } from "./TxtEquivalence.ts"

export interface ExpectedRecord {
  readonly type: string
  /** Relative to the domain; `@`: the domain itself. */
  readonly name: string
  /** As in RecordSet. */
  readonly content: string
}

/** A mail record's content as DNS shows it: an MX with its preference. */
export const contentOf = ({ content, priority, type }: MailRecord): string =>
  type === "MX" ? `${priority ?? 0} ${content}` : content

/** One status per record of `wanted`, in the same order. `beside`: our other desired records, which are not foreign. */
export const statusesOf = (
  wanted: ReadonlyArray<ExpectedRecord>,
  observation: Observation,
  beside: ReadonlyArray<ExpectedRecord> = []
): ReadonlyArray<RecordStatus> =>
  wanted.map((record) => {
    if (observation.delegation.outcome === "absent") return "missing"
    const set = [...wanted, ...beside]
      .filter(({ name, type }) => type === record.type && name === record.name)
      .map(({ content }) => content)
    const found = summarizeAnswers(askedOf(observation, record.type, record.name))
    switch (found.kind) {
      case "agreed":
        return statusIn(record, set, found.said)
      case "disagree": {
        const each = found.answers.map(({ said }) => statusIn(record, set, said))
        return each.includes("wrong") ? "wrong" : each.includes("missing") ? "missing" : "ok"
      }
      case "unclear":
        // A CNAME loop exists in DNS but leads nowhere.
        return found.failures.length > 0 && found.failures.every(({ outcome }) => outcome === "cname_loop")
          ? "wrong"
          : "unknown"
    }
  })

const statusIn = (record: ExpectedRecord, set: ReadonlyArray<string>, said: DefiniteAnswer): RecordStatus => {
  if (said.values.length === 0) return "missing"
  if (record.type === "TXT") return textStatus(record.content, said.values)
  const found = new Set(said.values.map((value) => canonical(record.type, value)))
  const whole = new Set(set.map((content) => canonical(record.type, content)))
  for (const value of found) if (!whole.has(value)) return "wrong"
  return found.has(canonical(record.type, record.content)) ? "ok" : "missing"
}

/** Foreign texts do not matter, except that SPF and DMARC must be unique (RFC 7208 §4.5, RFC 7489 §6.6.3). */
const textStatus = (wanted: string, found: ReadonlyArray<string>): RecordStatus => {
  const kind = kindOf(wanted)
  const like = kind === "other" ? [] : found.filter((text) => kindOf(text) === kind)
  if ((kind === "spf" || kind === "dmarc") && like.length > 1) return "wrong"
  return found.some((text) => isEquivalentTxt(wanted, text)) ? "ok" : like.length > 0 ? "wrong" : "missing"
}
