/** An error response as problem details (RFC 9457), or a request without a response. */
export class Problem extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** Stable error code such as `second_factor_required`; `unreachable` when there was no response. */
  readonly code: string
  /** All members of the response body. */
  readonly fields: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, detail: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

/** Reads a problem from a response. Other bodies give a problem with the code `http_` and the status. */
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
