/** A fast-lane answer that is built once and sent many times. */
import type { ServerResponse } from "node:http"

export interface PreparedAnswer {
  readonly status: number
  /** Names and values alternate. Node writes a flat list without checking each name again. */
  readonly headers: ReadonlyArray<string>
  /** A string must contain one byte per character, because it is sent as latin1. */
  readonly body: string | Buffer | undefined
}

export const send = (response: ServerResponse, { body, headers, status }: PreparedAnswer): void => {
  // Node declares a mutable array and does not change it.
  response.writeHead(status, headers as Array<string>)
  if (typeof body === "string") response.end(body, "latin1")
  else response.end(body)
}
