/** Files of banks as downloads. */
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { detect } from "#protocols/bank-formats/Detect.ts"
import { Result } from "effect"
import type { FileRow } from "./Lists.ts"
import { content } from "./RawFiles.ts"

/** Prevents a downloaded file from running anything in the browser. */
export const fileHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "private, no-store"
}

const types = { Zip: "application/zip", Camt: "application/xml", Mt: "text/plain" } as const

/** Answer with the file as the bank sent it; 404 after the end of its retention. */
export const downloadOf = Effect.fnUntraced(function* ({ chunks, id, name, size, state, tenant_id }: FileRow) {
  if (state === "removed")
    return yield* new NotFound({ detail: "The content of the file was deleted after its retention." })
  const sql = yield* SqlClient.SqlClient
  const pieces = Stream.provideService(content(tenant_id, id, chunks), SqlClient.SqlClient, sql)
  // The first piece tells the type; names are not trusted.
  const [first] = yield* Stream.runCollect(Stream.take(pieces, 1)).pipe(Effect.orElseSucceed(() => []))
  const format = Option.getOrUndefined(Option.fromNullishOr(first && detect(first)))
  const contentType =
    format !== undefined && Result.isSuccess(format) ? types[format.success] : "application/octet-stream"
  return HttpServerResponse.stream(pieces, {
    contentType,
    contentLength: size,
    headers: { ...fileHeaders, "content-disposition": disposition(name) }
  })
})

/**
 * Content-Disposition with an ASCII name for old clients and the full name encoded. Source: RFC 6266 §4.3, RFC 8187.
 * content-disposition 3.0.0 has 390 lines for these.
 */
export const disposition = (name: string): string => {
  const safe = name.replace(/[<>:"|?*]/g, "_")
  const plain = safe
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "_")
    .replace(/["\\%]/g, "_")
  const encoded = encodeURIComponent(safe).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
