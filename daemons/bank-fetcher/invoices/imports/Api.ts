/** Views of imports, shared by invoices and payments. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

export const ImportView = Schema.Struct({
  id: Schema.String,
  tenant_id: Schema.Int,
  state: Schema.Literals(["waiting", "running", "finished"]),
  /** `total` is null until the file was read once. */
  rows: Schema.Struct({
    total: Schema.NullOr(Schema.Int),
    done: Schema.Int,
    created: Schema.Int,
    changed: Schema.Int,
    unchanged: Schema.Int,
    failed: Schema.Int
  }),
  /** First hundred rows that failed. `line`: line on which the row ends; the header is line 1. */
  errors: Schema.Array(Schema.Struct({ line: Schema.Int, message: Schema.String })),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BankImport" })

/** Body of an import. */
export const CsvFile = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
