/** How domains may be called here and which records there are, and the one form in which both are stored. Pure. */
import { Result } from "effect"
import { getPublicSuffix } from "tldts"
import { maxName, parseDomain } from "#protocols/dns/Name.ts"
import { canonicalContent, recordTypes } from "#protocols/dns/RecordContent.ts"

/** Longest name as people type it. Unit: UTF-16 units. Reason: its ASCII form is longer, and a final dot may follow. */
export const maxTyped = maxName + 1

/** Lower case and ASCII, of a text in which `domainProblem` finds nothing. */
export const domainName = (text: string): string => Result.getOrThrow(parseDomain(text)).ascii

/**
 * Why no domain of ours can be called that, as a sentence that goes after the name of the field; undefined when one
 * can.
 */
export const domainProblem = (text: string): string | undefined =>
  Result.match(parseDomain(text), {
    onFailure: (problem) => problem,
    onSuccess: ({ ascii }) =>
      getPublicSuffix(ascii) === ascii
        ? "must be a domain that somebody can register, and not a public suffix itself"
        : undefined
  })

/** A stored name as people read it, and whether it may pass for another. */
export const shownName = (name: string): { readonly display_name: string; readonly mixed_scripts: boolean } =>
  Result.match(parseDomain(name), {
    onFailure: () => ({ display_name: name, mixed_scripts: false }),
    onSuccess: ({ mixed, unicode }) => ({ display_name: unicode, mixed_scripts: mixed.length > 0 })
  })

/** As record types are stored. */
export const recordType = (text: string): string => text.toUpperCase()

/** Why no record of that type is kept here; undefined when one is. */
export const typeProblem = (text: string): string | undefined => {
  const type = recordType(text)
  return recordTypes.some((known) => known === type)
    ? undefined
    : Result.match(canonicalContent(type, ""), { onFailure: (problem) => problem, onSuccess: () => undefined })
}
