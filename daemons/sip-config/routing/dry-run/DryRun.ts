/**
 * Answers "what happens if X calls Y": the decision that the switch would get, with its steps. Pure. Shows a tenant
 * nothing about other tenants: their numbers appear as outside numbers.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import type { Plan, Route } from "../Call.ts"
import { explain } from "../Route.ts"
import type { Extension, SipDomain } from "../Rows.ts"
import { type Told, told } from "./StepWords.ts"
import type { Telephony } from "../Telephony.ts"

export interface Question {
  /** `1001`, `1001@voice.example.org`, a telephone number, or `anonymous`. */
  readonly from: string
  readonly to: string
  /** Tenant that asks; undefined: an operator who sees all tenants. */
  readonly tenantId: number | undefined
}

export interface Result {
  /** `phone`: `from` is an extension. `outside`: the call comes from a trunk. */
  readonly origin: "phone" | "outside"
  /** Dialplan context of the switch. */
  readonly context: string
  readonly outcome: Route["_tag"]
  /** SIP status of a refused call. */
  readonly status: number | null
  readonly steps: ReadonlyArray<Told>
}

/** Error when `from` names a nonexistent extension. */
export const words = shippedTexts("sip-config.dry-run", {
  en: { noSuchExtension: "There is no such extension to call from." },
  de: { noSuchExtension: "Die Nebenstelle, von der aus angerufen werden soll, gibt es nicht." }
})

/** Telephony data without the DIDs of other tenants. */
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
 * Extension and domain that `from` names. A number without a domain is searched in all domains of the tenant, oldest
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

/** Result of the dry run; undefined when `from` names a nonexistent extension. `language`: language of the steps. */
export const test = (
  telephony: Telephony,
  plan: Plan,
  question: Question,
  language: LanguageCode
): Result | undefined => {
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
