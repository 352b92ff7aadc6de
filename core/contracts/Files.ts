/** Files that users upload. Source: interface document 1 §6. */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** An upload is complete. Files for a mail are in folder `mail/<address of the mailbox>`. */
export const FileUploaded = define(
  "file.uploaded",
  Schema.Struct({
    /** Folder, relative to the root of the storage location, with `/` as separator. */
    path: Schema.String,
    /** File name without the folder. */
    name: Schema.String
  })
)
