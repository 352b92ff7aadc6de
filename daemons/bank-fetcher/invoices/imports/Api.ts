/** Views of imports, shared by invoices and payments. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { viewFields } from "#core/imports/Imports.ts"

export const ImportView = Schema.Struct({ id: Schema.String, ...viewFields }).annotate({ identifier: "BankImport" })

/** Body of an import. */
export const CsvFile = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
