/** Validation and normal form of domain names and record types. Pure. */
import { Result } from "effect"
import { getPublicSuffix } from "tldts"
import { maxName, parseDomain } from "#protocols/dns/Name.ts"
import { canonicalContent, recordTypes } from "#protocols/dns/RecordContent.ts"

/** Longest typed name. Unit: UTF-16 units. Reason: the ASCII form is at least as long, and a final dot is allowed. */
export const maxTyped = maxName + 1

/** Lower-case ASCII form of a name without a `domainProblem`. */
export const domainName = (text: string): string => Result.getOrThrow(parseDomain(text)).ascii

/** Returns why the name cannot be a domain here, as a phrase that follows the field name; undefined when it can. */
export const domainProblem = (text: string): string | undefined =>
  Result.match(parseDomain(text), {
    onFailure: (problem) => problem,
    onSuccess: ({ ascii }) =>
      getPublicSuffix(ascii) === ascii ? "must be a domain that can be registered, and not a public suffix" : undefined
  })

/** The Unicode form of a stored name, and whether it mixes scripts. */
export const shownName = (name: string): { readonly display_name: string; readonly mixed_scripts: boolean } =>
  Result.match(parseDomain(name), {
    onFailure: () => ({ display_name: name, mixed_scripts: false }),
    onSuccess: ({ mixed, unicode }) => ({ display_name: unicode, mixed_scripts: mixed.length > 0 })
  })

/** Stored form of a record type. */
export const recordType = (text: string): string => text.toUpperCase()

/** Returns why records of this type are not supported; undefined when they are. */
export const typeProblem = (text: string): string | undefined => {
  const type = recordType(text)
  return recordTypes.some((known) => known === type)
    ? undefined
    : Result.match(canonicalContent(type, ""), { onFailure: (problem) => problem, onSuccess: () => undefined })
}
