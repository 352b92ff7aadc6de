/**
 * Form of a row that quotes an interface document. How to read the tables beside the documents: each row begins with
 * the document and section (`1 §4.1` is document 1, section 4.1) and the endpoint as the document writes it. `in`
 * quotes the fields of the document's column "Payload in" in its order, and the row sends exactly these. `out` and
 * `values` quote the documented fields and values of the answer; where the document shows none, they are absent. A
 * row without `status` expects 200. `trust` names what the rules of trust add to the document: a step before the
 * call, or a field. `steps` names the calls that a customer's tenant adds.
 */
import type { Answer } from "#support/TestSuite.ts"

/** Ids that earlier rows got, by the name of their parameter. */
export type Seen = Record<string, string | number>

export interface Row {
  /** Document and section, such as `1 §4.1`. */
  readonly section: string
  /** As in the document. */
  readonly endpoint: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`
  /** Documented fields of body or query, in the order of the document. */
  readonly in?: ReadonlyArray<string>
  readonly body?: (seen: Seen) => Readonly<Record<string, unknown>>
  /** Sent as a form in place of JSON. */
  readonly form?: (seen: Seen) => Readonly<Record<string, string>>
  readonly query?: (seen: Seen) => Readonly<Record<string, string | number | boolean>>
  /** Caller. `user`: a signed-in admin by bearer token. Default: a service token. */
  readonly as?: "user" | "nobody"
  readonly of?: "status-checker" | "edge-auth"
  readonly headers?: (seen: Seen) => Readonly<Record<string, string>>
  /** What the rules of trust add to the document, and why. */
  readonly trust?: string
  /**
   * Endpoints that a caller of a customer's tenant calls after this one, because of the rules of trust. Callers of the
   * provider need none.
   */
  readonly steps?: ReadonlyArray<`POST /${string}`>
  /** Fields that the rules of trust add to `in`. */
  readonly added?: ReadonlyArray<string>
  readonly status?: number
  /** Documented fields of the answer. A path such as `components.cache.latency_ms` names a nested one. */
  readonly out?: ReadonlyArray<string>
  /** Values that the document shows. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Ids for later rows: name of the parameter, and field of the answer. */
  readonly keeps?: Readonly<Record<string, string>>
  /** Other documented properties of the answer. Returns what differs. */
  readonly also?: (answer: Answer, seen: Seen) => string | undefined
}

/** Whether the answer is a page. */
export const html = ({ headers }: Answer) =>
  headers.get("content-type")?.startsWith("text/html") === true ? undefined : "is no page"
