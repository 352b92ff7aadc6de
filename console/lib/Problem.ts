/** An answer that is no success, as RFC 9457 tells it; also what never answered. */
export class Problem extends Error {
  /** HTTP status; 0: nobody answered. */
  readonly status: number
  /** Stable name of what is wrong, such as `second_factor_required`; `unreachable` when nobody answered. */
  readonly code: string
  /** The whole of what was answered. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, detail: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** Reads a problem from an answer; one of another shape is told by its status. */
export const problemOf = async (response: Response): Promise<Problem> => {
  const fields = (await response.json().then(
    (value: unknown) => (typeof value === "object" && value !== null ? value : {}),
    () => ({})
  )) as Record<string, unknown>
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined)
  return new Problem(
    response.status,
    text("code") ?? `http_${response.status}`,
    text("detail") ?? text("title") ?? response.statusText,
    fields
  )
}
