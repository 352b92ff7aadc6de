/** Files that people put into our keeping. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A file is there, whole. */
export const FileUploaded = define(
  "file.uploaded",
  Schema.Struct({
    /** The folder, from the root of the place it was put, `/` between its parts. */
    path: Schema.String,
    /** The last part alone. */
    name: Schema.String
  })
)
