/** Prepared responses to the switch. The status is always 200, because the switch ignores the body of any other. */
import type { PreparedAnswer } from "#core/lane/PreparedAnswer.ts"
import { remembering } from "#core/lane/Remembering.ts"

export type Answer = PreparedAnswer & { readonly body: string }

/** `body`: ASCII. */
export const answer = (body: string): Answer => ({
  status: 200,
  headers: headersFor(body.length),
  // The round trip makes one flat string. A concatenated string would be flattened again on each send.
  body: Buffer.from(body, "latin1").toString("latin1")
})

/** Cached headers by length of the body, because thousands of responses share few lengths. */
const headersFor = remembering(1000, (length: number): ReadonlyArray<string> => [
  "content-type",
  "text/xml",
  "cache-control",
  "no-store",
  "content-length",
  String(length)
])
