import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../lib/Call.ts"
import { may } from "../lib/Me.ts"

interface Known {
  readonly name: string
  readonly number: string
}

/** Names by id; an unknown customer is undefined. Kept until the page is loaded again. */
const names = signal<ReadonlyMap<number, Known | undefined>>(new Map())

/** Ids whose name was requested. */
const asked = new Set<number>()

/** Maximum number of cached names. Reason: bounds the memory of a page that stays open. */
const maxNames = 2_000

const learn = (id: number): void => {
  if (asked.has(id) || asked.size >= maxNames || !may("customers.read")) return
  asked.add(id)
  const keep = (known: Known | undefined) => (names.value = new Map([...names.peek(), [id, known]]))
  call("GET /api/v1/crm/customers/:id", { params: { id } }).then(keep, () => keep(undefined))
}

/** Name and number of a customer as a link to the customer's page; the id while they are unknown. */
export const CustomerName = ({ id }: { readonly id: number }) => {
  useEffect(() => learn(id), [id])
  const known = names.value.get(id)
  return known === undefined ? (
    <span class="soft">{`#${id}`}</span>
  ) : (
    <a href={`/console/customers/${encodeURIComponent(known.number)}`}>{known.name}</a>
  )
}
