/** Format of a file by its first bytes. Pure; names and content types are not trusted. */

import { Result } from "effect"
import { type BankFormatsError, failure } from "./BankFormatsError.ts"

export type FileFormat = "Zip" | "Camt" | "Mt"

export const detect = (bytes: Uint8Array): Result.Result<FileFormat, BankFormatsError> => {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return Result.succeed("Zip")
  const text = Buffer.from(bytes.subarray(0, lookAt)).toString("latin1")
  const start = text.replace(/^\u00ef\u00bb\u00bf/, "").trimStart()
  if (start.startsWith("<")) return Result.succeed("Camt")
  return /^(?:\{[123]:|:20:)/.test(start) ? Result.succeed("Mt") : Result.fail(failure({ _tag: "UnknownFormat" }))
}

/** Bytes that decide. Unit: bytes. Reason: longer than any white space that banks send in front. */
const lookAt = 256
