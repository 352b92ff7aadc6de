/** Schemas of answers about folders and messages. */
import { Schema } from "effect"

export const FolderView = Schema.Struct({
  /** Full path, as used in requests. */
  name: Schema.String,
  delimiter: Schema.NullOr(Schema.String),
  /**
   * Special use of RFC 6154 with its backslash, such as `\Sent`, or `\Inbox`. From the server, else from well-known
   * names.
   */
  special_use: Schema.NullOr(Schema.String),
  unseen: Schema.Int,
  exists: Schema.Int,
  subscribed: Schema.Boolean,
  /** False: the folder only contains other folders. */
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
  /** The address alone, without the display name. */
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
      /** Number of threaded messages in the conversation. */
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
  /** Sanitised HTML. Null: the message has only text. */
  html: Schema.NullOr(Schema.String),
  text: Schema.String,
  attachments: Schema.Array(
    Schema.Struct({
      part: Schema.String,
      filename: Schema.String,
      media_type: Schema.String,
      /** Encoded size. Unit: bytes. */
      size: Schema.Int,
      content_id: Schema.NullOr(Schema.String),
      inline: Schema.Boolean
    })
  ),
  /** Number of remote images that `html` does not load. */
  blocked_images: Schema.Int,
  /** Some text is missing, or the message could not be parsed. */
  truncated: Schema.Boolean
}).annotate({ identifier: "WebmailMessage" })
