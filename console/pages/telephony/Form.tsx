import { words } from "../../lib/Language.ts"
import { may } from "../../lib/Me.ts"
import { FieldsForm } from "./FieldsForm.tsx"
import type { Kind } from "./Kind.ts"
import { save } from "./Store.ts"
import { neededFor } from "./Things.ts"

const t = words({
  en: { change: (name: string) => `Change ${name}` },
  de: { change: (name: string) => `${name} ändern` }
})

interface Props<Row extends { readonly id: number }> {
  readonly of: Kind<Row>
  /** Undefined to create an object. */
  readonly row: Row | undefined
  /** `before`: the object before the change; `sent`: the request. */
  readonly saved: (row: Row, before: Row | undefined, sent: Readonly<Record<string, unknown>>) => void
  readonly shut: () => void
}

/** Form that creates or changes an object, such as a trunk. A change sends only the fields that differ. */
export const Form = <Row extends { readonly id: number }>({ of, row, saved, shut }: Props<Row>) => (
  <FieldsForm
    title={row === undefined ? of.add() : t().change(of.called(row))}
    fields={of.fields.filter(
      ({ input, needs, once }) =>
        (needs === undefined || may(needs)) &&
        (input.kind !== "thing" || may(neededFor(input.of))) &&
        !(once === true && row !== undefined)
    )}
    row={row === undefined || of.inForm === undefined ? row : of.inForm.from(row)}
    send={(payload) => {
      const sent = of.inForm?.to(payload) ?? payload
      return save(of, sent, row).then((now) => saved(now, row, sent))
    }}
    shut={shut}
  />
)
