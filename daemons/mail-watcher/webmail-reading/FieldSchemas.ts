/** Field schemas of requests about messages and folders. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"

/** Largest uid. Source: RFC 3501 §2.3.1.1. */
export const maxUid = 4_294_967_295

const uid = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxUid }))

/** A uid in a body and in a path. */
export const BodyUid = uid
export const PathUid = Schema.NumberFromString.pipe(Schema.decodeTo(uid))

/**
 * Longest folder name with its parents. Unit: UTF-16 code units. Reason: mail servers accept 255 bytes per level and
 * few levels.
 */
const maxFolder = 500

/** A folder by its full name, such as `Archive/2026`. */
export const FolderName = plainText(maxFolder)

/** Name of a new folder. Refuses characters that servers read as patterns, and spaces at both ends. */
export const NewFolderName = FolderName.pipe(
  Schema.check(
    Schema.makeFilter((name: string) =>
      /[%*\\]|^\s|\s$/u.test(name) ? "must not contain %, * or \\, and must not begin or end with a space" : undefined
    )
  )
)
