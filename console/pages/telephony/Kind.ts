/**
 * Descriptions of the kinds of objects in telephony, mail and customers, so that one list and one form serve all of
 * them. A kind names its endpoints by their path. The compiler checks the names of fields and columns against the
 * daemon's API.
 */
import type { ComponentChildren } from "preact"
import type { Answer, Payload } from "../../lib/Endpoints.ts"
import type { Permission } from "../../lib/Me.ts"

/** Base path of a kind; below it are list, create, show, update and delete. */
type WholePath =
  | "/api/v1/crm/customers"
  | "/api/v1/mail/domains"
  | `/api/v1/mail/${"contacts" | "signatures"}`
  | `/api/v1/sip/${"call-filters" | "dids" | "extensions" | "external-numbers" | "ivr-menus" | "lines" | "ring-groups" | "trunks" | "voicemail-boxes"}`

/** Base path of a kind whose objects are listed and created below an object of another kind. */
type PartPath = `/api/v1/mail/${"accounts" | "aliases"}`
/** Path that lists and creates the objects of such a kind, as a mail domain's mailboxes; `:id`: the mail domain. */
type Within = `/api/v1/mail/domains/:id/${"accounts" | "aliases"}`

export type Path = WholePath | PartPath

/** Kinds of objects that a picker offers. */
export type ThingName = "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external" | "trunk" | "did" | "user"

/** Text in the page's language. */
export type Words = () => string

/** Input control of a field. */
export type Input =
  | { readonly kind: "text"; readonly type?: "email" | "tel" | "date" | "url" }
  /** A text of several lines. `rows`: lines that are shown at once. */
  | { readonly kind: "area"; readonly rows: number }
  /** A whole number from `min` to `max`. */
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "check" }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<readonly [string, Words]> }
  /** Never shown again; an empty input is not sent. */
  | { readonly kind: "secret" }
  /** A list of texts. `add`: text of the button that adds one; `offers`: objects to suggest. */
  | { readonly kind: "list"; readonly add: Words; readonly ordered: boolean; readonly offers?: ThingName }
  | { readonly kind: "thing"; readonly of: ThingName; readonly none?: Words }
  /** Two members of the request: `destination_type` and `destination_id`. */
  | { readonly kind: "destination" }
  /** Keys that a caller can press, each with a destination. */
  | { readonly kind: "entries" }
  /** Drawn by the page that describes the field. The value is text; `number`: of a number, such as an id. */
  | { readonly kind: "own"; readonly number?: true; readonly draw: (input: OwnInput) => ComponentChildren }

export interface OwnInput {
  readonly id: string
  readonly value: string
  readonly set: (value: string) => void
  readonly invalid: boolean
  readonly describedBy?: string
}

export interface Field<Name extends string = string> {
  readonly name: Name
  readonly label: Words
  /** Hint about valid values. */
  readonly hint?: Words
  readonly input: Input
  readonly required?: boolean
  /** Whether the field is given at creation only. */
  readonly once?: boolean
  /** Whether an emptied field is sent as null; otherwise it is omitted. */
  readonly nullable?: boolean
  /** Initial value for a new object. */
  readonly initial?: unknown
  /** Permission to set the field; users without it do not see it. */
  readonly needs?: Permission
}

export interface Column<Row> {
  readonly title: Words
  readonly show: (row: Row) => ComponentChildren
}

export interface Kind<Row extends { readonly id: number } = any> {
  readonly path: Path
  /** Where objects are listed and created. Default: `path`. */
  readonly within?: { readonly path: Within; readonly id: number }
  /** Query of all calls, such as the mail account. */
  readonly query?: Readonly<Record<string, string | undefined>>
  /** Form of objects whose members are not its fields. `from`: values of the fields; `to`: the members to send. */
  readonly inForm?: {
    readonly from: (row: Row) => Readonly<Record<string, unknown>>
    readonly to: (payload: Readonly<Record<string, unknown>>) => Record<string, unknown>
  }
  /** What is lost when an object is deleted. */
  readonly loses?: (row: Row) => string
  /** What the objects are for; shown when there are none. */
  readonly about?: Words
  /**
   * Whether the fields are the whole object, so that a deleted one can be made again. Such an object is deleted without
   * a question, and its undo is offered.
   */
  readonly remade?: boolean
  /** Whether objects cannot be changed, only created and deleted. */
  readonly fixed?: boolean
  readonly fields: ReadonlyArray<Field>
  readonly columns: ReadonlyArray<Column<Row>>
  /** Title of the list. */
  readonly title: Words
  /** Text of the button to add one, such as "Add a number". */
  readonly add: Words
  readonly none: Words
  /** Name of an object in buttons and headings. */
  readonly called: (row: Row) => string
  /** Filters of the list: query parameters. */
  readonly filters?: ReadonlyArray<{ readonly name: string; readonly label: Words; readonly wide?: boolean }>
  /** Permission to change objects. */
  readonly manage: Permission
  /** Events after which the list is loaded again. */
  readonly live?: ReadonlyArray<string>
}

type RowOf<P extends WholePath | Within> =
  Answer<`GET ${P}`> extends { readonly items: ReadonlyArray<infer Row extends { readonly id: number }> } ? Row : never
/** Names of the fields; the two members of a destination are one field. */
type NameOf<P extends WholePath | Within> =
  | Exclude<keyof Payload<`POST ${P}`> & string, "tenant_id" | "destination_id" | "destination_type">
  | ("destination_id" extends keyof Payload<`POST ${P}`> ? "destination" : never)
type About<P extends WholePath | Within> = Omit<Kind<RowOf<P>>, "path" | "within" | "fields"> & {
  readonly fields: ReadonlyArray<Field<NameOf<P>>>
}

export const kind = <const P extends WholePath>(path: P, about: About<P>): Kind<RowOf<P>> => ({ path, ...about })

/** A kind whose objects are listed and created below the object `id`. */
export const kindWithin = <const P extends Within>(
  path: PartPath,
  within: P,
  id: number,
  about: About<P>
): Kind<RowOf<P>> => ({ path, within: { path: within, id }, ...about })
