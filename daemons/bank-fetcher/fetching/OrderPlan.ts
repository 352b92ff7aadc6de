/**
 * Which order types a fetch asks for. Pure. camt is preferred to MT: C53 to STA for end-of-day statements, C52 to VMK
 * for intraday ones (interface document 2 §9). An account may override the order types and their BTF services.
 */
import { isSameService, type Service, services, type StatementOrder } from "#protocols/ebics/OrderTypes.ts"
import type { Version } from "#protocols/ebics/Version.ts"
import type { OrderChoice, Permitted } from "../accounts/Exports.ts"

export interface Candidate {
  readonly order: string
  /** Its form in H005. */
  readonly service: Service
}

/** Forms of the same statements, in order of preference. The first one that the bank permits is fetched. */
export type Alternatives = ReadonlyArray<Candidate>

export interface PlanInput {
  readonly reason: "daily" | "intraday" | "manual"
  readonly version: Version
  /** Order types that the request names; null: the usual ones. */
  readonly requested: ReadonlyArray<string> | null
  /** Order types that the account chose; null: the usual ones. */
  readonly chosen: ReadonlyArray<OrderChoice> | null
  /** What the bank lists; null: unknown. */
  readonly permitted: Permitted | null
}

const usual: Readonly<Record<"daily" | "intraday", ReadonlyArray<StatementOrder>>> = {
  daily: ["C53", "STA"],
  intraday: ["C52", "VMK"]
}

/** What to fetch, in this order. Empty: nothing of this kind. */
export const plannedOrders = (input: PlanInput): ReadonlyArray<Alternatives> => {
  const { chosen, reason, requested } = input
  if (requested !== null)
    return requested.map((order) => [
      candidate(
        input,
        order,
        chosen?.find((one) => one.order === order)
      )
    ])
  const kinds = reason === "manual" ? (["daily", "intraday"] as const) : [reason]
  if (chosen !== null)
    return kinds.flatMap((kind) =>
      chosen.filter((one) => one.kind === kind).map((one) => [candidate(input, one.order, one)])
    )
  const groups = kinds.map((kind) => usual[kind].map((order) => candidate(input, order)))
  if (!isInformative(input)) return groups
  return groups.map((group) => group.filter((one) => isPermitted(input, one))).filter((group) => group.length > 0)
}

/** Whether anything is fetched for this kind of schedule. */
export const hasOrders = (reason: "daily" | "intraday", chosen: ReadonlyArray<OrderChoice> | null): boolean =>
  chosen === null || chosen.some(({ kind }) => kind === reason)

const candidate = ({ permitted, version }: PlanInput, order: string, choice?: OrderChoice): Candidate => {
  const known: Service | undefined = order in services ? services[order as StatementOrder] : undefined
  if (choice?.service !== undefined) return { order, service: serviceOf(choice.service) }
  const listed = version === "H005" && known !== undefined ? listedForm(permitted, known) : undefined
  return { order, service: listed ?? known ?? services.C53 }
}

/** The bank's own form of a service: the same one with the newest version of the message, else one alike. */
const listedForm = (permitted: Permitted | null, wanted: Service): Service | undefined => {
  const listed = (permitted?.services ?? []).map(serviceOf)
  const newest = (found: ReadonlyArray<Service>) =>
    found.toSorted((a, b) => (b.messageVersion ?? "").localeCompare(a.messageVersion ?? ""))[0]
  return (
    newest(listed.filter((service) => isSameService(service, wanted))) ??
    newest(listed.filter(({ message, name }) => name === wanted.name && message === wanted.message))
  )
}

/** Whether the bank lists any statements at all. Some banks list only administrative orders. */
const isInformative = (input: PlanInput): boolean =>
  input.permitted !== null && allUsual.some((order) => isPermitted(input, candidate(input, order)))

const isPermitted = ({ permitted, version }: PlanInput, { order, service }: Candidate): boolean =>
  version === "H004"
    ? (permitted?.order_types ?? []).includes(order)
    : (permitted?.services ?? []).map(serviceOf).some((listed) => isSameService(listed, service))

const allUsual = [...usual.daily, ...usual.intraday]

const serviceOf = (one: NonNullable<OrderChoice["service"]>): Service => ({
  name: one.name,
  message: one.message,
  ...(one.scope === undefined ? {} : { scope: one.scope }),
  ...(one.option === undefined ? {} : { option: one.option }),
  ...(one.container === undefined ? {} : { container: one.container }),
  ...(one.message_version === undefined ? {} : { messageVersion: one.message_version }),
  ...(one.message_variant === undefined ? {} : { messageVariant: one.message_variant }),
  ...(one.message_format === undefined ? {} : { messageFormat: one.message_format })
})
