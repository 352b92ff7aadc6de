/**
 * Events of watched mailboxes, for showing them to the mailbox owners. Source: interface document 1 §6; the field
 * `account` is our addition.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A message arrived. Emitted once per message, also across restarts. */
export const MailNewMessage = define(
  "mail.new_message",
  Schema.Struct({
    /** Address of the mailbox. */
    account: Schema.String,
    folder: Schema.String,
    message: Schema.Struct({
      /** UID within the folder. */
      uid: Schema.Int,
      /** Sender address without the display name. */
      from_addr: Schema.String,
      subject: Schema.String
    })
  })
)

/** Counters of a folder changed. */
export const MailFolderUpdate = define(
  "mail.folder_update",
  Schema.Struct({ account: Schema.String, folder: Schema.String, unseen: Schema.Int, exists: Schema.Int })
)
