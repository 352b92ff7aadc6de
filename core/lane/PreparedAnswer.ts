/** An answer of a hot lane that is made once and sent often. */
import type { ServerResponse } from "node:http"

export interface PreparedAnswer {
  readonly status: number
  /** Names and values in turn. Node writes a flat list without checking each name again. */
  readonly headers: ReadonlyArray<string>
  /** A text has one character per byte. */
  readonly body: string | Buffer | undefined
}

export const send = (response: ServerResponse, { body, headers, status }: PreparedAnswer): void => {
  // Node declares a mutable array and does not change it.
  response.writeHead(status, headers as Array<string>)
  if (typeof body === "string") response.end(body, "latin1")
  else response.end(body)
}
