/**
 * What happens in watched mailboxes, for whoever shows it to their owners. Source: interface document 1 §6; `account`
 * is ours.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** A message arrived. Once for each message, over restarts too. */
export const MailNewMessage = define(
  "mail.new_message",
  Schema.Struct({
    /** Address of the mailbox. */
    account: Schema.String,
    folder: Schema.String,
    message: Schema.Struct({
      /** Within the folder. */
      uid: Schema.Int,
      /** The address alone, never the name that somebody wrote before it. */
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
