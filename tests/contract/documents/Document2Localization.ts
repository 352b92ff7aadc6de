/** Rows of document 2, §4.5: localization. The document shows the path of one endpoint only. */
import type { Row } from "./Row.ts"

export const documentTwoLocalization: ReadonlyArray<Row> = [
  {
    section: "2 §4.5, §2.5",
    endpoint: "PUT /api/v1/i18n/admin/translations/{locale}/{key}",
    in: ["value"],
    body: () => ({ value: "Hello {name}" }),
    out: ["locale", "key", "value", "auto_translated", "stale", "source_hash"],
    // MD5 of the English text.
    values: {
      value: "Hello {name}",
      auto_translated: false,
      stale: false,
      source_hash: "a696a4bdf9c0466cc2222d48c490bb22"
    }
  }
]
