/** What the answers about folders and messages look like. */
import { Schema } from "effect"

export const FolderView = Schema.Struct({
  /** Its whole path, as requests name it. */
  name: Schema.String,
  delimiter: Schema.NullOr(Schema.String),
  /** RFC 6154, with its backslash: `\Sent`, `\Trash`, …; `\Inbox`. Told by the server, else by well-known names. */
  special_use: Schema.NullOr(Schema.String),
  unseen: Schema.Int,
  exists: Schema.Int,
  subscribed: Schema.Boolean,
  /** False: it only holds other folders. */
  selectable: Schema.Boolean
}).annotate({ identifier: "WebmailFolder" })

const marks = {
  flags: Schema.Array(Schema.String),
  seen: Schema.Boolean,
  flagged: Schema.Boolean,
  answered: Schema.Boolean
}

export const ListItemView = Schema.Struct({
  uid: Schema.Int,
  /** The address alone, never the name that somebody wrote before it. */
  from_addr: Schema.String,
  from_name: Schema.String,
  subject: Schema.String,
  date: Schema.NullOr(Schema.String),
  ...marks,
  has_attachments: Schema.Boolean,
  /** Unit: bytes. */
  size: Schema.Int
}).annotate({ identifier: "WebmailListItem" })

const paging = { total: Schema.Int, page: Schema.Int, per_page: Schema.Int, pages: Schema.Int }

export const ListPageView = Schema.Struct({ items: Schema.Array(ListItemView), ...paging }).annotate({
  identifier: "WebmailPage"
})

export const ThreadPageView = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      /** Messages in it, of those that were threaded. */
      count: Schema.Int,
      /** Oldest first. */
      messages: Schema.Array(ListItemView)
    })
  ),
  method: Schema.Literals(["REFS", "REFERENCES", "page"]),
  ...paging
}).annotate({ identifier: "WebmailThreads" })

const AddressView = Schema.Struct({ name: Schema.String, address: Schema.String })

export const MessageView = Schema.Struct({
  uid: Schema.Int,
  folder: Schema.String,
  subject: Schema.String,
  from: Schema.Array(AddressView),
  to: Schema.Array(AddressView),
  cc: Schema.Array(AddressView),
  bcc: Schema.Array(AddressView),
  reply_to: Schema.Array(AddressView),
  date: Schema.NullOr(Schema.String),
  message_id: Schema.NullOr(Schema.String),
  in_reply_to: Schema.NullOr(Schema.String),
  references: Schema.Array(Schema.String),
  ...marks,
  size: Schema.Int,
  /** Cleaned; null: the message has text only. */
  html: Schema.NullOr(Schema.String),
  text: Schema.String,
  attachments: Schema.Array(
    Schema.Struct({
      part: Schema.String,
      filename: Schema.String,
      media_type: Schema.String,
      /** As it was sent, encoded. Unit: bytes. */
      size: Schema.Int,
      content_id: Schema.NullOr(Schema.String),
      inline: Schema.Boolean
    })
  ),
  /** Images of the net that `html` does not load. */
  blocked_images: Schema.Int,
  /** Not all of its text is here, or it could not be taken apart. */
  truncated: Schema.Boolean
}).annotate({ identifier: "WebmailMessage" })
