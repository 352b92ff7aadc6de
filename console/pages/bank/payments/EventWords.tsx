/** Events of payment providers in words and colours. */
import { words } from "../../../lib/Language.ts"
import { me } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { reasonText } from "../Refusals.ts"
import type { PaymentEventRow } from "../Shapes.ts"

const t = words({
  en: {
    title: "Payment events",
    applied: "applied",
    unknown: "unknown type",
    failed: "failed",
    signed: "signed",
    unsigned: "not signed",
    unnamed: "no type",
    types: { "payment.succeeded": "payment", "payment.refunded": "refund" } as Readonly<Record<string, string>>,
    "The customer does not exist.": "The customer does not exist. The payment has no customer.",
    "The invoice does not exist.": "The invoice does not exist. The payment is unassigned.",
    "Another event recorded this payment.": "Another event recorded this payment. Nothing was done.",
    "No payment has this payment_id.": "The event refunds a payment that was never recorded. Nothing was done.",
    notSettled: (reason: string) => `The payment is unassigned, because its invoice was not settled: ${reason}`,
    undoneBefore: "The event refunds a payment that is undone already. Nothing was done.",
    notRefunded: (reason: string) => `The payment was not refunded: ${reason}`,
    unusable: (detail: string) => `Nothing was done, because the event cannot be used: ${detail}`
  },
  de: {
    title: "Zahlungsereignisse",
    applied: "ausgeführt",
    unknown: "unbekannte Art",
    failed: "fehlgeschlagen",
    signed: "signiert",
    unsigned: "nicht signiert",
    unnamed: "ohne Art",
    types: { "payment.succeeded": "Zahlung", "payment.refunded": "Erstattung" } as Readonly<Record<string, string>>,
    "The customer does not exist.": "Den Kunden gibt es nicht. Die Zahlung hat keinen Kunden.",
    "The invoice does not exist.": "Die Rechnung gibt es nicht. Die Zahlung ist nicht zugewiesen.",
    "Another event recorded this payment.":
      "Ein anderes Ereignis hat diese Zahlung schon erfasst. Es wurde nichts getan.",
    "No payment has this payment_id.":
      "Das Ereignis erstattet eine Zahlung, die nie erfasst wurde. Es wurde nichts getan.",
    notSettled: (reason: string) => `Die Zahlung ist nicht zugewiesen; ihre Rechnung wurde nicht beglichen: ${reason}`,
    undoneBefore: "Das Ereignis erstattet eine Zahlung, die schon rückgängig gemacht ist. Es wurde nichts getan.",
    notRefunded: (reason: string) => `Die Zahlung wurde nicht erstattet: ${reason}`,
    unusable: (detail: string) => `Es wurde nichts getan; das Ereignis ist nicht verwendbar: ${detail}`
  }
})

/** Number of the provider's own tenant, to which all events belong. */
const providerTenant = 1

/** Whether the user's tenant receives events of payment providers. */
export const receivesEvents = (): boolean => me.value?.tenant_id === providerTenant

export const eventsTitle = (): string => t().title

export const eventStates = ["applied", "unknown", "failed"] as const

export const eventStateTitle = (state: PaymentEventRow["state"]): string => t()[state]

const tones = { applied: "success", unknown: "quiet", failed: "error" } as const

export const EventBadge = ({ of }: { readonly of: PaymentEventRow["state"] }) => (
  <Badge tone={tones[of]}>{t()[of]}</Badge>
)

export const signatureTitle = (isSigned: boolean): string => (isSigned ? t().signed : t().unsigned)

export const SignatureBadge = ({ signed }: { readonly signed: boolean }) => (
  <Badge tone={signed ? "success" : "warning"}>{signatureTitle(signed)}</Badge>
)

/** What kind of event it is, or the type as the provider wrote it. */
export const typeTitle = (type: string | null): string =>
  type === null ? t().unnamed : Object.hasOwn(t().types, type) ? t().types[type]! : type

const sentences = [
  "The customer does not exist.",
  "The invoice does not exist.",
  "Another event recorded this payment.",
  "No payment has this payment_id."
] as const

/** Problem of an event, from the server's sentence. */
export const eventProblemText = (problem: string): string => {
  const known = sentences.find((sentence) => sentence === problem)
  if (known !== undefined) return t()[known]
  const [, kind, reason] = /^(The invoice was not settled|The payment cannot be refunded): (\w+)\.$/.exec(problem) ?? []
  if (kind === undefined || reason === undefined) return t().unusable(problem)
  if (kind.startsWith("The invoice")) return t().notSettled(reasonText(reason))
  return reason === "nothing" ? t().undoneBefore : t().notRefunded(reasonText(reason))
}
