/** The texts that ship with the program. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Result, Schema } from "effect"
import { Key, readMessage, Text } from "../texts/Exports.ts"

/** The English text of a key, and its German one. */
export interface ShippedText {
  readonly en: string
  readonly de?: string | undefined
}

export type ShippedTexts = ReadonlyMap<string, ShippedText>

const Entries = Schema.Record(Key, Schema.Struct({ en: Text, de: Schema.optionalKey(Text) }))
const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Entries))

/** Path of the file that the build of the console writes. `url`: `import.meta.url` of the caller. */
export const catalogueFile = (url: string): string =>
  fileURLToPath(new URL(url.endsWith(".ts") ? "../../../dist/console/texts.json" : "./console/texts.json", url))

/** The texts of the file; undefined when the console was not built. */
export const readShippedTexts = (path: string): ShippedTexts | undefined => {
  let json: string
  try {
    json = readFileSync(path, "utf8")
  } catch {
    return undefined
  }
  const read = decode(json)
  if (Result.isFailure(read)) throw new Error(`${path} is no catalogue of texts`, { cause: read.failure })
  return new Map(
    Object.entries(read.success).filter(([, { de, en }]) => isMessage(en) && (de === undefined || isMessage(de)))
  )
}

const isMessage = (text: string): boolean => Result.isSuccess(readMessage(text))
