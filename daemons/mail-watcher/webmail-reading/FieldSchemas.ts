/** Shapes that the requests about messages and folders share. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"

/** Largest uid. Source: RFC 3501 §2.3.1.1. */
export const maxUid = 4_294_967_295

const uid = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxUid }))

/** In a body, and in a path. */
export const BodyUid = uid
export const PathUid = Schema.NumberFromString.pipe(Schema.decodeTo(uid))

/** Longest folder name with all its parents. Unit: UTF-16 units. Reason: mail servers take 255 bytes a level and few levels. */
const maxFolder = 500

/** A folder by its whole name, `Archive/2026`. */
export const FolderName = plainText(maxFolder)

/** One that is to be made: without what servers read as patterns, and spaces at its ends, which nobody sees. */
export const NewFolderName = FolderName.pipe(
  Schema.check(
    Schema.makeFilter((name: string) =>
      /[%*\\]|^\s|\s$/u.test(name) ? "must not hold %, * or \\, nor begin or end with a space" : undefined
    )
  )
)
