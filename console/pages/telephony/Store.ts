/**
 * Calls the endpoints of a kind. All kinds have endpoints of the same shape, so the types of one kind stand for all.
 */
import { call } from "../../lib/Call.ts"
import type { Kind, Path } from "./Kind.ts"
import { forget } from "./Things.ts"

export interface Listed<Row> {
  readonly items: ReadonlyArray<Row>
  readonly next_before: number | null
}

type One = "/api/v1/sip/dids"
const get = (path: string) => `GET ${path}` as `GET ${One}`
const put = (path: Path) => `PUT ${path}/:id` as `PUT ${One}/:id`
const post = (path: string) => `POST ${path}` as `POST ${One}`
const remove_ = (path: Path) => `DELETE ${path}/:id` as `DELETE ${One}/:id`

export const list = <Row extends { readonly id: number }>(
  of: Kind<Row>,
  query: Readonly<Record<string, unknown>>
): Promise<Listed<Row>> =>
  call(get(collection(of)), { ...owner(of), query: { ...of.query, ...query } as {} }) as unknown as Promise<Listed<Row>>

const collection = ({ path, within }: Kind) => within?.path ?? path
/** Path parameter of the object below which a kind is listed and created. */
const owner = ({ within }: Kind) => (within === undefined ? {} : ({ params: { id: String(within.id) } } as {}))

/** Query that all calls of a kind have. */
const asked = ({ query }: Kind) => (query === undefined ? {} : ({ query } as {}))

/** Creates an object without `row`, else changes `row`. */
export const save = async <Row extends { readonly id: number }>(
  of: Kind<Row>,
  payload: Readonly<Record<string, unknown>>,
  row?: Row
): Promise<Row> => {
  const saved = await (row === undefined
    ? call(post(collection(of)), { ...owner(of), ...asked(of), payload: payload as never })
    : call(put(of.path), { params: { id: String(row.id) }, ...asked(of), payload: payload as never }))
  forget()
  return saved as unknown as Row
}

export const remove = async <Row extends { readonly id: number }>(of: Kind<Row>, row: Row): Promise<void> => {
  await call(remove_(of.path), { params: { id: String(row.id) }, ...asked(of) })
  forget()
}
