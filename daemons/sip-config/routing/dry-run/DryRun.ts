/**
 * "What happens if X calls Y": the decision that the switch gets, on the telephony in memory, with the steps it took.
 * Pure. It shows a tenant nothing of another: a number of somebody else's is to them a number outside, or none.
 */
import type { Language } from "#core/words/Language.ts"
import type { Plan, Route } from "../Call.ts"
import { explain } from "../Route.ts"
import type { Extension, SipDomain } from "../Rows.ts"
import { type Told, told } from "./StepWords.ts"
import type { Telephony } from "../Telephony.ts"

export interface Question {
  /** `1001`, `1001@voice.example.org`, a telephone number, or `anonymous`. */
  readonly from: string
  readonly to: string
  /** Whose telephony is asked; undefined: everybody's. */
  readonly tenantId: number | undefined
}

export interface Result {
  /** `phone`: `from` is an extension; `outside`: the call comes in by a trunk. */
  readonly origin: "phone" | "outside"
  /** As the switch's dialplan has it. */
  readonly context: string
  readonly outcome: Route["_tag"]
  /** SIP status of a call that is refused. */
  readonly status: number | null
  readonly steps: ReadonlyArray<Told>
}

/** What somebody is told whose `from` names an extension that is not there. */
export const noSuchExtension: Readonly<Record<Language, string>> = {
  de: "Die Nebenstelle, von der aus angerufen werden soll, gibt es nicht.",
  en: "There is no such extension to call from."
}

/** The telephony as one tenant may see it from outside: numbers of others are none of ours. */
const seenBy = (telephony: Telephony, tenantId: number | undefined): Telephony =>
  tenantId === undefined
    ? telephony
    : {
        ...telephony,
        did: (number) => {
          const did = telephony.did(number)
          return did?.tenant_id === tenantId ? did : undefined
        }
      }

/**
 * The extension that `from` names, and its domain. A bare number is looked for in the tenant's domains, the oldest
 * first.
 */
const phoneOf = (
  telephony: Telephony,
  { from, tenantId }: Question
): { readonly extension: Extension; readonly domain: SipDomain } | undefined => {
  const [number, name] = from.split("@", 2) as [string, string | undefined]
  const named = name === undefined ? undefined : telephony.domain(name)
  const domains =
    name !== undefined
      ? named === undefined
        ? []
        : [named]
      : tenantId === undefined
        ? []
        : telephony.domainsOf(tenantId)
  for (const domain of domains) {
    const extension =
      tenantId === undefined || domain.tenant_id === tenantId ? telephony.extension(domain.id, number) : undefined
    if (extension !== undefined) return { extension, domain }
  }
  return undefined
}

/** Undefined: `from` names an extension that is not there. `language`: of what is said. */
export const test = (telephony: Telephony, plan: Plan, question: Question, language: Language): Result | undefined => {
  const phone = phoneOf(telephony, question)
  if (phone === undefined && question.from.includes("@")) return undefined
  const context = phone === undefined ? "public" : `tenant-${phone.domain.tenant_id}`
  const { route, steps } = explain(seenBy(telephony, question.tenantId), plan, {
    context,
    destination: question.to,
    caller: question.from.split("@", 1)[0]!,
    user: phone?.extension.extension,
    domain: phone?.domain.domain
  })
  return {
    origin: phone === undefined ? "outside" : "phone",
    context,
    outcome: route._tag,
    status: route._tag === "Refused" ? route.status : null,
    steps: steps.map((step) => told(step, language))
  }
}
