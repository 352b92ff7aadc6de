/** Details of this daemon's health report. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("edge-auth.health", {
  en: {
    noFile: "it is not a regular file",
    tooLarge: "it is larger than {bytes} bytes",
    noTable: "it has no table {table}",
    notPlain: "{table} is not a plain table",
    generated: "{table} has generated columns",
    tooMany: "{table} has more than {most} rows"
  },
  de: {
    noFile: "es ist keine gewöhnliche Datei",
    tooLarge: "sie ist größer als {bytes} Bytes",
    noTable: "sie hat keine Tabelle {table}",
    notPlain: "{table} ist keine einfache Tabelle",
    generated: "{table} hat berechnete Spalten",
    tooMany: "{table} hat mehr als {most} Zeilen"
  }
})
