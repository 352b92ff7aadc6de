/**
 * What telephony is made of, described so that one list and one form serve all of it. A kind names its endpoints by
 * their path; the names of fields and columns are held against the daemon's own declaration by the compiler.
 */
import type { ComponentChildren } from "preact"
import type { Answer, Payload } from "../../lib/Endpoints.ts"
import type { Permission } from "../../lib/Me.ts"

/** Below each: list, create, show, update, delete. */
export type Path =
  | "/api/v1/crm/customers"
  | `/api/v1/sip/${"call-filters" | "dids" | "extensions" | "external-numbers" | "ivr-menus" | "lines" | "ring-groups" | "trunks" | "voicemail-boxes"}`

/** What a picker offers. */
export type ThingName = "extension" | "ring_group" | "ivr_menu" | "voicemail" | "external" | "trunk" | "did" | "user"

/** Words follow the language of the page. */
export type Words = () => string

/** How a field is asked for. */
export type Input =
  | { readonly kind: "text"; readonly type?: "email" | "tel" }
  /** A whole number between the two. */
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "check" }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<readonly [string, Words]> }
  /** Typed and never shown again; what is left empty is not sent. */
  | { readonly kind: "secret" }
  /** Texts in an order. `add`: the words for one more; `offers`: what may be suggested. */
  | { readonly kind: "list"; readonly add: Words; readonly ordered: boolean; readonly offers?: ThingName }
  | { readonly kind: "thing"; readonly of: ThingName; readonly none?: Words }
  /** Two fields in the request: `destination_type` and `destination_id`. */
  | { readonly kind: "destination" }
  /** What a caller keys in, each with a destination. */
  | { readonly kind: "entries" }

export interface Field<Name extends string = string> {
  readonly name: Name
  readonly label: Words
  /** What may stand there, before anybody is told that it may not. */
  readonly hint?: Words
  readonly input: Input
  readonly required?: boolean
  /** An emptied one is sent as null, where it stood; otherwise it is left out. */
  readonly nullable?: boolean
  /** Of a new one. */
  readonly initial?: unknown
  /** Who may set it; others do not see it. */
  readonly needs?: Permission
}

export interface Column<Row> {
  readonly title: Words
  readonly show: (row: Row) => ComponentChildren
}

export interface Kind<Row extends { readonly id: number } = any> {
  readonly path: Path
  readonly fields: ReadonlyArray<Field>
  readonly columns: ReadonlyArray<Column<Row>>
  /** Of the list. */
  readonly title: Words
  /** "Add a number" */
  readonly add: Words
  readonly none: Words
  /** What one is called in its buttons and headings. */
  readonly called: (row: Row) => string
  /** What the list is narrowed down by: parameters of its query. */
  readonly filters?: ReadonlyArray<{ readonly name: string; readonly label: Words; readonly wide?: boolean }>
  /** Who may change them. */
  readonly manage: Permission
  /** Events after which the list is another. */
  readonly live?: ReadonlyArray<string>
}

type RowOf<P extends Path> =
  Answer<`GET ${P}`> extends { readonly items: ReadonlyArray<infer Row extends { readonly id: number }> } ? Row : never
/** A destination is one field for two. */
type NameOf<P extends Path> =
  | Exclude<keyof Payload<`POST ${P}`> & string, "tenant_id" | "destination_id" | "destination_type">
  | ("destination_id" extends keyof Payload<`POST ${P}`> ? "destination" : never)

export const kind = <const P extends Path>(
  path: P,
  about: Omit<Kind<RowOf<P>>, "path" | "fields"> & { readonly fields: ReadonlyArray<Field<NameOf<P>>> }
): Kind<RowOf<P>> => ({ path, ...about })
